import Dispatch
import Observing
import Synchronization
import TestSupport

@testable import RemoteConfig

/// A clock that stands still until the test moves it.
final class ManualClock: SyncClock {
    private struct State {
        var now = Duration.seconds(1000)
        var calls: [Int: (time: Duration, queue: DispatchQueue, body: @Sendable () -> Void)] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    var now: Duration { state.withLock(\.now) }

    /// When the next call is due.
    var nextCall: Duration? { state.withLock { $0.calls.values.map(\.time).min() } }

    func call(
        at time: Duration,
        on queue: DispatchQueue,
        _ body: @escaping @Sendable () -> Void
    ) -> Subscription {
        let number = state.withLock { state in
            state.count += 1
            state.calls[state.count] = (time, queue, body)
            return state.count
        }
        advance(by: .zero)
        return Subscription { [self] in state.withLock { $0.calls[number] = nil } }
    }

    /// Lets the time pass, and makes the calls that are due.
    func advance(by time: Duration) {
        let due = state.withLock { state in
            state.now += time
            let due = state.calls.filter { $0.value.time <= state.now }
            for number in due.keys { state.calls[number] = nil }
            return due.sorted { $0.key < $1.key }.map { ($0.value.queue, $0.value.body) }
        }
        for (queue, body) in due { queue.async(execute: body) }
    }

    /// Lets the time pass as a machine does that sleeps: the calls that are due are late.
    func sleep(for time: Duration) { state.withLock { $0.now += time } }

    /// Does something while the time passes, a hundred times as fast as elsewhere.
    func passing<Outcome>(_ body: () async throws -> Outcome) async rethrows -> Outcome {
        let ticking = Task {
            while !Task.isCancelled {
                advance(by: .milliseconds(100))
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
        defer { ticking.cancel() }
        return try await body()
    }
}
