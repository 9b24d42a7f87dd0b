// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import ConfigRules

extension ConfigState.Snapshot {
    /// The keys that have rules, sorted.
    public var ruledKeys: [String] { snapshot.ruledKeys.sorted() }

    /// The explanation of a key's rule in the program's ``context``, at this moment.
    ///
    /// - Returns: `nil` if the key has no rule that this program can read, or if there is no context: then the default value
    ///   applies. ``ruleProblem(forKey:)`` has the error of an unreadable rule.
    public func explanation(forKey key: String) -> RuleExplanation? {
        guard let context, let rule = rule(forKey: key) else { return nil }
        return rule.explain(key: key, in: context, at: Timestamp.now.seconds)
    }

    /// The reason why the rule of a key was not evaluated when the key, its rule or the ``context`` last changed: the rule
    /// cannot be read, it takes too much work by itself or together with the others, or its result names no variant. The key
    /// has its default value then. `nil` if it was evaluated, or if there is none.
    public func ruleProblem(forKey key: String) -> ConfigError? { snapshot.ruleProblems.first { $0.key == key } }

    /// The rule of a key, compiled once for each snapshot; `nil` if it has none that this program can read.
    public func rule(forKey key: String) -> ConfigRule? {
        guard snapshot.hasRules else { return nil }
        // `ruleProblems` of the snapshot has the errors of rules.
        return try? compiledRules.rule(forKey: key, in: snapshot.held)?.get()
    }

    /// The default value of a key with a rule; `nil` if there is none.
    public func defaultValue(forKey key: String) -> EntryValue? { snapshot.held[key]?.value }
}
