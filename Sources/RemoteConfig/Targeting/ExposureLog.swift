// SPDX-License-Identifier: Apache-2.0

internal import ConfigRules
internal import Synchronization

/// Records the reads of keys with rules, for each sequence of them that is there.
final class ExposureLog: Sendable {
    /// A read that is recorded once.
    private struct Read: Hashable {
        let key: String
        let context: EvaluationContext
        /// The version of the rule.
        let revision: UInt64
    }

    private struct KnownRule {
        let rule: ConfigRule
        /// The revision of its first read.
        let revision: UInt64
        /// The number of the last state that has it.
        var number: UInt64
    }

    private struct Recorder {
        let exposures: AsyncStream<Exposure>.Continuation
        var known: Set<Read> = []
    }

    private struct State {
        var recorders: [Int: Recorder] = [:]
        var lastID = 0
        var rules: [String: KnownRule] = [:]

        /// The revision at which a rule was first read; rules are compared once for each state.
        mutating func revision(
            of rule: ConfigRule,
            ofKey key: String,
            number: UInt64,
            revision: UInt64
        ) -> UInt64 {
            if let known = rules[key] {
                if known.number == number { return known.revision }
                if known.rule == rule {
                    rules[key]?.number = max(number, known.number)
                    return known.revision
                }
            }
            rules[key] = KnownRule(rule: rule, revision: revision, number: number)
            return revision
        }
    }

    private let state = Mutex(State())
    private let isRecording = Atomic(false)

    private static let mostKnown = 100_000

    /// Whether reads are recorded.
    var isOn: Bool { isRecording.load(ordering: .relaxed) }

    /// The reads from now on.
    func sequence(limit: Int) -> AsyncStream<Exposure> {
        let (sequence, exposures) = AsyncStream.makeStream(of: Exposure.self, bufferingPolicy: .bufferingNewest(limit))
        let id = state.withLock { state in
            state.lastID += 1
            state.recorders[state.lastID] = Recorder(exposures: exposures)
            isRecording.store(true, ordering: .relaxed)
            return state.lastID
        }
        exposures.onTermination = { [weak self] _ in self?.end(id) }
        return sequence
    }

    private func end(_ id: Int) {
        let ended = state.withLock { state in
            let ended = state.recorders.removeValue(forKey: id)
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
    ///   - number: The number of the state.
    ///   - revision: The revision of the state for users.
    ///   - evaluate: Evaluates the rule in the context.
    func record(
        _ key: String,
        of rule: ConfigRule,
        in context: EvaluationContext,
        number: UInt64,
        revision: UInt64,
        _ evaluate: () -> RuleEvaluation
    ) {
        let (receivers, revision) = state.withLock { state in
            let revision = state.revision(of: rule, ofKey: key, number: number, revision: revision)
            let read = Read(key: key, context: context, revision: revision)
            var receivers: [AsyncStream<Exposure>.Continuation] = []
            for id in Array(state.recorders.keys) where state.recorders[id]?.known.contains(read) == false {
                if state.recorders[id]?.known.count ?? 0 >= Self.mostKnown { state.recorders[id]?.known = [] }
                state.recorders[id]?.known.insert(read)
                if let recorder = state.recorders[id] { receivers.append(recorder.exposures) }
            }
            return (receivers, revision)
        }
        if receivers.isEmpty { return }
        let evaluation = evaluate()
        let exposure = Exposure(
            key: key,
            variant: evaluation.variant,
            reason: evaluation.reason,
            revision: revision,
            targetingKey: context.targetingKey
        )
        for receiver in receivers { receiver.yield(exposure) }
    }
}
