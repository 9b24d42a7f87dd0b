// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules

extension ConfigState {
    /// The reads of keys with rules, from this call on: for experiments, metrics or a log. They are recorded while the sequence
    /// exists, and the program decides where they go.
    ///
    /// ```swift
    /// import Logging
    ///
    /// let logger = Logger(label: "exposures")
    /// for await exposure in service.state.exposures() {
    ///     logger.info("exposure", metadata: [
    ///         "key": "\(exposure.key)", "variant": "\(exposure.variant ?? "none")",
    ///         "user": "\(exposure.targetingKey ?? "none")",
    ///     ])
    /// }
    /// ```
    ///
    /// Every way to read a value counts: the state and its snapshots, ``values(for:)``, ``RemoteValue``, ``ObservableConfig``, the
    /// readers of swift-configuration, and definitions that read one. A read for no context, or of a key without a rule, is no
    /// exposure. A read for the same context is recorded once for each version of the rule, unless more than 100,000 others
    /// were recorded in between.
    ///
    /// - Parameter limit: The maximum number of exposures that wait for a slow reader of the sequence; older ones are dropped.
    /// - Returns: A sequence for one reader. It ends when its task is cancelled, or when the state and its snapshots are released.
    public func exposures(limit: Int = 10_000) -> some AsyncSequence<Exposure, Never> & Sendable {
        exposureLog.sequence(limit: limit)
    }
}

extension RemoteConfigService {
    /// The reads of keys with rules, from this call on; see ``ConfigState/exposures(limit:)``.
    public func exposures(limit: Int = 10_000) -> some AsyncSequence<Exposure, Never> & Sendable {
        state.exposures(limit: limit)
    }
}

extension ConfigState.Snapshot {
    /// Records a read of a key, if exposures are recorded.
    func expose(_ key: String) {
        guard snapshot.hasRules, exposureLog.isOn, let context, let rule = rule(forKey: key) else { return }
        expose(key, of: rule, in: context) {
            var evaluation = rule.evaluate(key: key, in: context, at: Timestamp.now.seconds)
            // The value is that of the last evaluation; a rule that depends on the time may select another variant now.
            let value = snapshot.entries[key]?.value
            if evaluation.value != nil, evaluation.value != value {
                evaluation.variant = rule.variants.first { $0.value == value }?.key
            }
            return evaluation
        }
    }

    /// Records a read of a key, whose rule was evaluated in a context.
    func expose(
        _ key: String,
        of rule: ConfigRule,
        in context: EvaluationContext,
        _ evaluate: () -> RuleEvaluation
    ) {
        let revision = snapshot.cursor?.revision ?? snapshot.revision
        exposureLog.record(key, of: rule, in: context, number: snapshot.revision, revision: revision, evaluate)
    }
}
