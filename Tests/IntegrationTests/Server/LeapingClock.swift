// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Observing
import Synchronization

@testable import RemoteConfig

/// The machine's clock, which a test may make leap, as it does when a laptop wakes up.
final class LeapingClock: SyncClock {
    private struct Call {
        let time: Duration
        let queue: DispatchQueue
        let body: @Sendable () -> Void
    }

    private struct State {
        var leaps = Duration.zero
        var calls: [Int: Call] = [:]
        var count = 0
    }

    private let system = SystemSyncClock()
    private let state = Mutex(State())

    var now: Duration { system.now + state.withLock(\.leaps) }

    func call(
        at time: Duration,
        on queue: DispatchQueue,
        _ body: @escaping @Sendable () -> Void
    ) -> Subscription {
        let (number, leaps) = state.withLock { state in
            state.count += 1
            state.calls[state.count] = Call(time: time, queue: queue, body: body)
            return (state.count, state.leaps)
        }
        let timer = system.call(at: time - leaps, on: queue) { [weak self] in
            if self?.take(number) != nil { body() }
        }
        return Subscription { [self] in
            timer.end()
            _ = take(number)
        }
    }

    /// Lets the clock leap, and makes the calls that are due by then.
    func leap(by duration: Duration) {
        state.withLock { $0.leaps += duration }
        let now = now
        let due = state.withLock { $0.calls.filter { $0.value.time <= now } }
        for number in due.keys.sorted() {
            if let call = take(number) { call.queue.async(execute: call.body) }
        }
    }

    /// Takes a call away, so that it is made once.
    private func take(_ number: Int) -> Call? {
        state.withLock { $0.calls.removeValue(forKey: number) }
    }
}
