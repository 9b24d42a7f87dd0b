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
    /// readers of swift-configuration, and definitions that read one. An exposure is what the program received: where the value
    /// of the variant cannot be read as the type, it has no variant, and the reason `ERROR`. A read for no context, or of a key
    /// without a rule, is no exposure; nor is one from the preview of a draft. A read for the same context is recorded once for each version of the rule, unless more than 100,000 others
    /// were recorded in between.
    ///
    /// - Parameter limit: The maximum number of exposures that wait for a slow reader of the sequence; older ones are dropped.
    /// - Returns: A sequence for one reader. It ends as that of ``observe()`` does, or when the state and its snapshots are released.
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
    /// Records a read of a key.
    ///
    /// - Parameter layer: The layer whose value the program received; `nil` if it received none.
    func expose(_ key: String, servedBy layer: Int?) {
        guard let context else { return }
        let rules = compiledRules.rules(forKey: key, of: snapshot).filter { $0.layer <= layer ?? .max }
        guard let keyed = rules.first(where: { $0.layer == layer }) ?? rules.first else { return }
        expose(keyed, in: context, isServed: keyed.layer == layer) {
            keyed.evaluate(in: context, at: snapshot.evaluatedAt)
        }
    }

    /// Records a read of a key with a rule.
    ///
    /// - Parameter isServed: Whether the program received what the rule gives, or the default value of its layer.
    func expose(
        _ keyed: KeyedRule,
        in context: EvaluationContext,
        isServed: Bool,
        _ evaluate: () -> RuleEvaluation
    ) {
        if status.preview != nil { return }
        let revision = snapshot.cursor?.revision ?? snapshot.revision
        exposureLog.record(keyed, in: context, isServed: isServed, number: snapshot.revision, revision: revision) {
            let evaluation = evaluate()
            // The value of the variant could not be read.
            return isServed || evaluation.variant == nil ? evaluation : RuleEvaluation(reason: .error)
        }
    }
}
