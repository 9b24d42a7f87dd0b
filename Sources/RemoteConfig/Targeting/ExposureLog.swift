// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
public import ConfigRules
internal import Observing
internal import Synchronization

/// Records the reads of keys with rules, for each sequence of them that is there.
final class ExposureLog: Sendable {
    private struct RulePlace: Hashable {
        let key: String
        let layer: Int
    }

    private struct KnownRule {
        /// The rule with the evaluators that it uses.
        let rule: Result<ConfigRule, EvaluationError>
        /// The revision of its first read.
        let revision: UInt64
        /// The number of the last state that has it.
        var number: UInt64
    }

    private struct Recorder {
        let id: Int
        let exposures: AsyncStream<Exposure>.Continuation
        /// The hashes of reads: keeping the contexts themselves takes too much memory.
        private var known: Set<Int> = []

        init(_ id: Int, _ exposures: AsyncStream<Exposure>.Continuation) { (self.id, self.exposures) = (id, exposures) }

        /// - Returns: Whether the read is new.
        mutating func note(_ read: Int) -> Bool {
            if known.count >= ExposureLog.maximumKnownReads, !known.contains(read) { known = [] }
            return known.insert(read).inserted
        }
    }

    private struct State {
        var recorders: [Recorder] = []
        var lastID = 0
        var rules: [RulePlace: KnownRule] = [:]

        /// The revision at which a rule was first read; rules are compared once for each state.
        mutating func revision(of keyed: KeyedRule, number: UInt64, revision: UInt64) -> UInt64 {
            let place = RulePlace(key: keyed.key, layer: keyed.layer)
            if let known = rules[place] {
                if known.number == number { return known.revision }
                if known.rule == keyed.rule {
                    rules[place]?.number = max(number, known.number)
                    return known.revision
                }
                // A snapshot from before the change of the rule.
                if number < known.number { return revision }
            }
            rules[place] = KnownRule(rule: keyed.rule, revision: revision, number: number)
            return revision
        }
    }

    private let state = Mutex(State())
    private let isRecording = Atomic(false)

    private static let maximumKnownReads = 100_000

    deinit {
        for recorder in state.withLock(\.recorders) { recorder.exposures.finish() }
    }

    /// Whether reads are recorded.
    var isOn: Bool { isRecording.load(ordering: .relaxed) }

    /// The reads from now on.
    func sequence(limit: Int) -> UntilShutdown<Exposure> {
        UntilShutdown(limit: limit) { exposures in
            let id = state.withLock { state in
                state.lastID += 1
                state.recorders.append(Recorder(state.lastID, exposures))
                isRecording.store(true, ordering: .relaxed)
                return state.lastID
            }
            return { [weak self] in self?.end(id) }
        }
    }

    private func end(_ id: Int) {
        let ended = state.withLock { state in
            let ended = state.recorders.filter { $0.id == id }
            state.recorders.removeAll { $0.id == id }
            if state.recorders.isEmpty {
                state.rules = [:]
                isRecording.store(false, ordering: .relaxed)
            }
            return ended
        }
        withExtendedLifetime(ended) {}
    }

    /// Records a read, unless it is known.
    ///
    /// - Parameters:
    ///   - isServed: Whether the program received what the rule gives.
    ///   - number: The number of the state.
    ///   - revision: The revision of the state for users.
    ///   - evaluate: Evaluates the rule in the context.
    func record(
        _ keyed: KeyedRule,
        in context: EvaluationContext,
        isServed: Bool,
        number: UInt64,
        revision: UInt64,
        _ evaluate: () -> RuleEvaluation
    ) {
        var hasher = Hasher()
        hasher.combine(keyed.key)
        hasher.combine(keyed.layer)
        hasher.combine(isServed)
        hasher.combine(context)
        // In an unchanged context, only the time changes the variant.
        let timed = keyed.readsTime ? evaluate() : nil
        hasher.combine(timed?.variant)
        let (receivers, revision) = state.withLock { [hasher] state in
            let revision = state.revision(of: keyed, number: number, revision: revision)
            var hasher = hasher
            hasher.combine(revision)
            let read = hasher.finalize()
            let receivers = state.recorders.indices.filter { state.recorders[$0].note(read) }
            return (receivers.map { state.recorders[$0].exposures }, revision)
        }
        if receivers.isEmpty { return }
        let evaluation = timed ?? evaluate()
        let exposure = Exposure(
            key: keyed.key,
            variant: evaluation.variant,
            reason: evaluation.reason,
            revision: revision,
            targetingKey: context.targetingKey
        )
        for receiver in receivers { receiver.yield(exposure) }
    }
}

/// A read of a key with a rule: the variant that the program read, and the user it was read for.
public struct Exposure: Hashable, Sendable {
    /// The key.
    public let key: String
    /// The name of the variant; `nil` if the rule selected none, so that the default value counts.
    public let variant: String?
    /// The reason for the variant.
    public let reason: EvaluationReason
    /// The revision of the configuration at the first read of the rule: the server's, so that the last change of the rule up to
    /// this revision is the rule that was evaluated (`livery history --rule KEY`); for a source without revisions, the number
    /// of the state in this process (`EntrySnapshot.revision`).
    public let revision: UInt64
    /// The targeting key of the context, which identifies the user.
    public let targetingKey: String?
}
