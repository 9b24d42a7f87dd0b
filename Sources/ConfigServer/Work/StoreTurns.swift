// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import Synchronization

/// Gives clients their turns to read the store: two reads at once, so that no client waits for all the reads of another one, and
/// the database has room for those of the server itself.
///
/// ``FairTurns`` decides who is next, and one place is kept free for callers who have used little.
final class StoreTurns: Sendable {
    private struct State {
        var turns = FairTurns()
        var waiting: [Int: Waiting] = [:]
        var lastID = 0
        var running = 0
    }

    private enum Outcome { case turn, busy, cancelled }

    private struct Waiting {
        let caller: Caller
        let since: NIODeadline
        let waiter: CheckedContinuation<Outcome, Never>
    }

    private static let places = 2
    private static let maximumWaiting = 1024
    private let patience: TimeAmount
    private let state = Mutex(State())

    /// - Parameter patience: the longest time that a read waits for its turn.
    init(patience: TimeAmount) { self.patience = patience }

    /// Reads in turn with other callers.
    ///
    /// - Throws: the error of the read, ``Problem/busy`` if it did not get its turn in time or too many wait, or
    ///   `CancellationError`.
    func run<Value>(for caller: Caller, _ read: () async throws -> Value) async throws -> Value {
        switch await turn(for: caller) {
        case .turn: break
        case .busy: throw Problem.busy
        case .cancelled: throw CancellationError()
        }
        let start = NIODeadline.now()
        defer { end(caller, since: start) }
        return try await read()
    }

    private func turn(for caller: Caller) async -> Outcome {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let refused = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
                    var refused: CheckedContinuation<Outcome, Never>?
                    if state.turns.count >= Self.maximumWaiting, let heaviest = state.turns.removeHeaviest(at: .now()) {
                        refused = state.waiting.removeValue(forKey: heaviest)?.waiter
                    }
                    state.turns.add(id, of: caller)
                    state.waiting[id] = Waiting(caller: caller, since: .now(), waiter: waiter)
                    return refused
                }
                refused?.resume(returning: .busy)
                // It may have been cancelled before it waited.
                if Task.isCancelled { cancel(id) }
                grant()
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: Int) {
        let waiter = state.withLock { state in
            state.turns.remove(id)
            return state.waiting.removeValue(forKey: id)?.waiter
        }
        waiter?.resume(returning: .cancelled)
    }

    private func end(_ caller: Caller, since start: NIODeadline) {
        state.withLock { state in
            state.running -= 1
            state.turns.ended(caller)
            state.turns.used(.now() - start, by: caller, at: .now())
        }
        grant()
    }

    private func grant() {
        let ended = state.withLock { state in
            var ended: [(waiter: CheckedContinuation<Outcome, Never>, outcome: Outcome)] = []
            let now = NIODeadline.now()
            while state.running < Self.places,
                let id = state.turns.next(lightOnly: state.running == Self.places - 1, at: now),
                let next = state.waiting.removeValue(forKey: id)
            {
                let isLate = now - next.since > patience
                if isLate { state.turns.ended(next.caller) } else { state.running += 1 }
                ended.append((next.waiter, isLate ? .busy : .turn))
            }
            return ended
        }
        for (waiter, outcome) in ended { waiter.resume(returning: outcome) }
    }
}
