// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Repeats a write that has failed until it succeeds: after 0.2 s, then after pauses of twice the length, up to 30 s.
package final class RepeatedWrite: Sendable {
    /// Calls a closure after a pause, on another thread, unless the returned value has been released.
    package typealias Wait = @Sendable (_ pause: Duration, _ body: @escaping @Sendable () -> Void) -> any Sendable

    private let state = Mutex((retry: Retry(), waiting: (any Sendable)?.none))
    private let wait: Wait

    package init(wait: @escaping Wait) { self.wait = wait }

    /// The number of attempts that have failed since the last success.
    package var failures: Int { state.withLock(\.retry.failures) }

    package func succeeded() { state.withLock { $0 = (Retry(), nil) } }

    /// Arranges the next attempt, unless one is arranged.
    ///
    /// - Parameter attempt: Makes the attempt, and reports its result here.
    package func failed(_ attempt: @escaping @Sendable () -> Void) {
        state.withLock { state in
            let pause = min(.milliseconds(200) * (1 << min(state.retry.failures, 20)), .seconds(30))
            let isArranged = state.retry.due != nil
            state.retry.failed(at: .zero, pause: pause)
            if isArranged { return }
            state.waiting = wait(pause) { [weak self] in
                guard let self else { return }
                self.state.withLock { $0.retry.attempted() }
                attempt()
            }
        }
    }
}

/// The schedule for repeating failed work: nothing is due without a failure.
package struct Retry: Sendable {
    /// The time of the next attempt; `nil` if nothing has failed since the last attempt.
    package private(set) var due: Duration?
    /// The number of failures since the last success.
    package private(set) var failures = 0

    package init() {}

    package mutating func failed(at now: Duration, pause: Duration) {
        failures += 1
        // One attempt is enough for all that has failed until then.
        due = due ?? now + pause
    }

    package mutating func attempted() { due = nil }

    package mutating func succeeded() { self = Retry() }
}
