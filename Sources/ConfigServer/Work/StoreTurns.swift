// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import Synchronization

/// Gives clients their turns to read the store: two reads at once, so that no client waits for all the reads of another one, nor
/// those of one namespace for all those of another, and the database has room for those of the server itself.
///
/// ``FairTurns`` decides who is next, and one place is kept free for callers who have used little.
final class StoreTurns: Sendable {
    private struct State {
        var turns = FairTurns<Waiting>()
        var lastID = 0
        var running = 0
    }

    private typealias Waiting = (id: Int, waiter: CheckedContinuation<Void, any Error>)

    private static let places = 2
    private let patience: TimeAmount
    private let state = Mutex(State())

    /// - Parameter patience: the longest time that a read waits for its turn.
    init(patience: TimeAmount) { self.patience = patience }

    /// Reads a namespace in turn with other callers.
    ///
    /// - Throws: the error of the read, ``Problem/busy`` if it did not get its turn in time or too many wait, or
    ///   `CancellationError`.
    func run<Value>(
        in namespace: String,
        for caller: Caller,
        _ read: () async throws -> Value
    ) async throws -> Value {
        var caller = caller
        caller.account.namespace = namespace
        try await wait(for: caller)
        let start = NIODeadline.now()
        defer { end(caller, since: start) }
        return try await read()
    }

    private func wait(for caller: Caller) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let refused = state.withLock { state in
                    let now = NIODeadline.now()
                    let refused = state.turns.makeRoom(at: now)
                    state.turns.add((id, waiter), of: caller, until: now + patience)
                    return refused
                }
                refused?.waiter.resume(throwing: Problem.busy)
                // It may have been cancelled before it waited.
                if Task.isCancelled { cancel(id) }
                grant()
                // However long the reads of others take.
                guard state.withLock({ state in state.turns.contains { $0.id == id } }) else { return }
                Task { [self] in
                    try await Task.sleep(for: .nanoseconds(patience.nanoseconds))
                    grant()
                }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: Int) {
        let removed = state.withLock { state in state.turns.remove { $0.id == id } }
        removed?.waiter.resume(throwing: CancellationError())
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
        let (expired, next) = state.withLock { state in
            let now = NIODeadline.now()
            let expired = state.turns.removeExpired(at: now)
            var next: [Waiting] = []
            while state.running < Self.places,
                let item = state.turns.next(lightOnly: state.running == Self.places - 1, at: now)
            {
                state.running += 1
                next.append(item)
            }
            return (expired, next)
        }
        for item in expired { item.waiter.resume(throwing: Problem.busy) }
        for item in next { item.waiter.resume() }
    }
}
