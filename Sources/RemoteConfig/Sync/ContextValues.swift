// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import ConfigRules

/// The values of a snapshot for one context, such as the user of a request: a rule is evaluated when its key is read.
///
/// ```swift
/// let values = service.values(for: EvaluationContext(targetingKey: "user-42", ["language": "es"]))
/// let title = values.value(forKey: "app.title", default: "Hello")
/// ```
///
/// The context takes the place of the service's own. Rules are compiled once, however many contexts there are. A source that
/// evaluates itself (``ConfigSource/dependsOnContext``) has answered for the service's context alone: in any other, its values
/// are not there, and bundled and other defaults apply.
public struct ContextValues: ValueReading {
    /// The context that the values are evaluated for.
    public let context: EvaluationContext
    /// The snapshot, with the values for the program's own context.
    private let current: ConfigState.Snapshot
    /// In seconds since 1970.
    private let time: Int

    init(_ current: ConfigState.Snapshot, for context: EvaluationContext) {
        (self.current, self.context, time) = (current.state(for: context), context, Timestamp.now.seconds)
    }

    /// The entry of a key, with the value that its rule gives in the context, else its default value.
    public func entry(forKey key: String) -> ConfigEntry? {
        evaluated(key) { rule, evaluation in
            if current.exposureLog.isOn { current.expose(key, of: rule, in: context) { evaluation } }
        }
    }

    /// - Parameter note: Receives the evaluation of the key's rule, if it has one.
    private func evaluated(
        _ key: String,
        note: (_ rule: ConfigRule, _ evaluation: RuleEvaluation) -> Void = { _, _ in }
    ) -> ConfigEntry? {
        let (snapshot, held) = (current.snapshot, current.snapshot.held)
        guard snapshot.hasRules, let rule = current.compiledRules.rule(forKey: key, in: held) else {
            return snapshot.entries[key]
        }
        // `explanation(forKey:)` has the error of a rule: to report each user's would let users fill the log.
        guard let rule = try? rule.get() else { return held[key] }
        let evaluation = rule.evaluate(key: key, in: context, at: time)
        note(rule, evaluation)
        guard let given = evaluation.value, var entry = held[key] ?? held[EntryKind.rule.key(of: key)] else {
            return held[key]
        }
        entry.value = given
        return entry
    }

    /// The snapshot, of which the keys below one have their values for the context.
    public func snapshot(below key: String) -> ConfigState.Snapshot {
        // A key above may have an object as its value, which contains the key.
        let ruled = current.compiledRules.keys(of: current.snapshot)
        let affected = key.andKeysAbove.filter { ruled.sortedIndex(of: $0) != nil } + ruled.sortedKeys(below: key)
        return current.replacing(affected.map { (key: $0, entry: evaluated($0)) }, for: context)
    }

    /// How the rule of a key comes to what it gives in the context; `nil` if the key has no rule that this program can read.
    ///
    /// A rule that cannot be evaluated has the error in its evaluation.
    public func explanation(forKey key: String) -> RuleExplanation? {
        current.rule(forKey: key)?.explain(key: key, in: context, at: time)
    }
}

extension ConfigState.Snapshot {
    /// The snapshot, of which the keys below one have their values for a context, if there is one.
    func snapshot(below key: String, for context: EvaluationContext?) -> ConfigState.Snapshot {
        guard dependsOnContext, let context else { return self }
        return ContextValues(self, for: context).snapshot(below: key)
    }

    /// The values of this snapshot for a context, such as the user of a request.
    public func values(for context: EvaluationContext) -> ContextValues { ContextValues(self, for: context) }
}

extension ConfigState {
    /// The current values for a context, such as the user of a request.
    public func values(for context: EvaluationContext) -> ContextValues { current.values(for: context) }
}

extension RemoteConfigService {
    /// The current values for a context, such as the user of a request.
    public func values(for context: EvaluationContext) -> ContextValues { state.current.values(for: context) }
}
