// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Has something done if a commit takes too long.
///
/// There is one alarm for all commits, which looks now and then while there are any: nearly all of them end long before their
/// time, and to set an alarm for each, and to take it back, would wake two more threads for every commit.
final class CommitWatchdog: Sendable {
    private struct Watch: Sendable {
        let deadline: ContinuousClock.Instant
        let onTimeout: @Sendable () -> Void
    }

    private struct State {
        var watch: Watch?
        /// Whether the alarm is set.
        var isSet = false
    }

    private let state = Mutex(State())
    private let leastTime: Duration
    /// Has the alarm set.
    private let (hints, hint) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// - Parameter leastTime: the least time that a commit has. The alarm looks so often.
    init(leastTime: Duration) { self.leastTime = leastTime }

    /// Whether the alarm will look again.
    var isSet: Bool { state.withLock(\.isSet) }

    /// Watches one commit, in place of the last one.
    ///
    /// - Parameters:
    ///   - deadline: at least ``leastTime`` from now.
    ///   - onTimeout: what to do if ``end()`` has not been called by then. It must not call this object.
    func begin(until deadline: ContinuousClock.Instant, onTimeout: @escaping @Sendable () -> Void) {
        let wasSet = state.withLock { state in
            state.watch = Watch(deadline: deadline, onTimeout: onTimeout)
            defer { state.isSet = true }
            return state.isSet
        }
        if !wasSet { hint.yield() }
    }

    /// The commit has ended: when this returns, the timeout has been dealt with, or never will be.
    func end() { state.withLock { $0.watch = nil } }

    /// Watches until the task is cancelled.
    func run() async {
        for await _ in hints {
            while let pause = look() {
                guard (try? await Task.sleep(for: pause, tolerance: .zero)) != nil else { return }
            }
        }
    }

    /// - Returns: how long to sleep before the next look; `nil` if no commit is under way.
    private func look() -> Duration? {
        state.withLock { state in
            let rest = state.watch.map { $0.deadline - .now }
            if let rest, rest > .zero { return min(rest, leastTime) }
            state.watch?.onTimeout()
            state = State()
            return nil
        }
    }
}
