// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import ConfigRules

extension ConfigState.Snapshot {
    /// The keys that have rules, sorted.
    public var ruledKeys: [String] { compiledRules.keys(of: snapshot) }

    /// The explanation of a key's rule in a context, such as the user of a request, now; without one in the program's ``context``,
    /// at the time at which it was evaluated.
    ///
    /// - Returns: `nil` if the key has no rule, or if there is no context: then the default value applies. The evaluation of a
    ///   rule that cannot be read has the error.
    public func explanation(forKey key: String, for user: EvaluationContext? = nil) -> RuleExplanation? {
        if let user { return state(for: user).explanation(forKey: key, in: user, at: now.seconds) }
        return context.flatMap { explanation(forKey: key, in: $0, at: snapshot.evaluatedAt) }
    }

    /// The explanation of the rule that decides the value of a key in a context: that of the layer which serves the value.
    func explanation(forKey key: String, in context: EvaluationContext, at time: Int) -> RuleExplanation? {
        decidingRule(of: key, in: context, at: time)?.explain(in: context, at: time)
    }

    /// The reason why the rule of a key was not evaluated when the key, its rule or the ``context`` last changed: the rule
    /// cannot be read, it takes too much work, or its result names no variant. The key has its default value then. The
    /// error may be that of the first task with such a context. `nil` if it was evaluated, or if there is none.
    public func ruleProblem(forKey key: String) -> ConfigError? {
        let problems = snapshot.ruleProblems + typeProblems.problems(ofKey: key, in: self)
        return problems.first { $0.key == key && $0.code == .invalidRule } ?? unreadableRule(ofKey: key)
    }

    private func unreadableRule(ofKey key: String) -> ConfigError? {
        compiledRules.rules(forKey: key, of: snapshot).lazy.compactMap { keyed in
            if case .failure(let error) = keyed.rule { keyed.problem(error) } else { nil }
        }.first
    }

    /// The rule of a key in the topmost layer that has one; `nil` if it has none that this program can read.
    public func rule(forKey key: String) -> ConfigRule? {
        // `ruleProblem(forKey:)` has the error of a rule that cannot be read.
        try? compiledRules.rules(forKey: key, of: snapshot).first?.rule.get()
    }

    /// The default value of a key with a rule; `nil` if there is none.
    public func defaultValue(forKey key: String) -> EntryValue? { snapshot.held(key)?.value }

    /// The first rule, from the topmost layer down, that gives a value or has a default value in its layer; else the topmost
    /// rule. `nil` if a layer above all rules serves the value.
    private func decidingRule(of key: String, in context: EvaluationContext, at time: Int) -> KeyedRule? {
        let rules = compiledRules.rules(forKey: key, of: snapshot)
        guard let first = rules.first else { return nil }
        if let topmost = snapshot.topmostLayer(servingKey: key), topmost < first.layer { return nil }
        for rule in rules where rule.defaultValue != nil || rule.evaluate(in: context, at: time).value != nil {
            return rule
        }
        return first
    }
}
