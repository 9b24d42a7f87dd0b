// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
public import ConfigRules

/// The values of a snapshot for one context: a rule is evaluated when its key is read.
struct ContextValues: ValueReading {
    /// The context that the values are evaluated for.
    let context: EvaluationContext
    /// The snapshot, with the values for the program's own context.
    private let current: ConfigState.Snapshot
    private let time: Timestamp

    init(_ current: ConfigState.Snapshot, for context: EvaluationContext) {
        (self.current, self.context, time) = (current.state(for: context), context, current.now)
    }

    /// The entry of a key, with the value that its rule gives in the context, else its default value.
    func entry(forKey key: String) -> ConfigEntry? {
        guard let (entry, evaluation) = evaluated(key) else { return snapshot(below: key).entry(forKey: key) }
        expose(key, evaluation)
        if entry == nil { current.reportIfInvalid(key) }
        return entry
    }

    /// Reads the value of a key as a type.
    func value<Value: Decodable>(
        forKey key: String,
        as type: Value.Type = Value.self
    ) throws(ConfigError) -> Value? {
        // A text or a number of one layer is read on its own.
        if let (entry, evaluation) = evaluated(key), let entry, !entry.value.isObject,
            // The error is that of the slower way.
            let value = try? entry.value(ofKey: key, as: type)
        {
            expose(key, evaluation)
            return value
        }
        return try snapshot(below: key).value(forKey: key, as: type)
    }

    /// The snapshot, of which the keys below one have their values for the context.
    func snapshot(below key: String) -> ConfigState.Snapshot {
        // A key above may have an object as its value, which contains the key.
        let ruled = current.compiledRules.keys(of: current.snapshot)
        let affected =
            (key.keysAbove + [key]).filter { ruled.sortedIndex(of: $0) != nil } + ruled.sortedKeys(below: key)
        let results = current.compiledRules.rules(forKeys: Set(affected), of: current.snapshot)
            .map { $0.result(giving: evaluate($0).value) }
        return current.giving(results, for: context, at: time)
    }

    /// The entry of a key, and the evaluation of its rule if it has one; `nil` if there are several layers.
    private func evaluated(_ key: String) -> (entry: ConfigEntry?, evaluation: (KeyedRule, RuleEvaluation)?)? {
        guard current.snapshot.layers.count == 1 else { return nil }
        guard let keyed = current.compiledRules.rule(forKey: key, of: current.snapshot) else {
            return (current.snapshot.entries[key], nil)
        }
        let evaluation = evaluate(keyed)
        return (keyed.entry(giving: evaluation.value), (keyed, evaluation))
    }

    private func evaluate(_ keyed: KeyedRule) -> RuleEvaluation {
        let evaluation = keyed.evaluate(in: context, at: time.seconds)
        if let error = evaluation.error { current.report(keyed.problem(error)) }
        return evaluation
    }

    private func expose(_ key: String, _ evaluation: (keyed: KeyedRule, result: RuleEvaluation)?) {
        guard let (keyed, result) = evaluation, current.exposureLog.isOn else { return }
        current.expose(keyed, in: context, isServed: true) { result }
    }
}

extension ConfigState.Snapshot {
    /// The snapshot, of which the keys below one have their values for a context, if there is one.
    func snapshot(below key: String, for context: EvaluationContext?) -> ConfigState.Snapshot {
        guard dependsOnContext, let context else { return self }
        return ContextValues(self, for: context).snapshot(below: key)
    }

    /// The values of this snapshot for a context, such as the user of a request: a rule is evaluated when its key is read.
    ///
    /// ```swift
    /// let values = service.values(for: EvaluationContext(targetingKey: "user-42", ["language": "es"]))
    /// let title = values.value(forKey: "app.title", default: "Hello")
    /// ```
    ///
    /// The context takes the place of the service's own. Rules are compiled once, however many contexts there are. A source that
    /// evaluates itself (``ConfigSource/dependsOnContext``) has answered for the service's context alone: in any other, its values
    /// are not there, and bundled and other defaults apply. A rule that fails is reported among the ``ConfigState/problems``, once
    /// for each version of it. ``explanation(forKey:for:)`` explains what a rule gives.
    public func values(for context: EvaluationContext) -> some ValueReading { ContextValues(self, for: context) }
}

extension ConfigState {
    /// The current values for a context, such as the user of a request; see ``ConfigState/Snapshot/values(for:)``.
    public func values(for context: EvaluationContext) -> some ValueReading { current.values(for: context) }
}

extension RemoteConfigService {
    /// The current values for a context, such as the user of a request; see ``ConfigState/Snapshot/values(for:)``.
    public func values(for context: EvaluationContext) -> some ValueReading { state.current.values(for: context) }
}
