// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Runs an action if a commit takes too long.
///
/// Nearly all commits end long before their deadline, and a timer for each of them would wake two more threads per commit. So
/// one task looks now and then, as long as there are commits.
final class CommitWatchdog: Sendable {
    private struct State {
        /// The commit that is watched.
        var watch: (deadline: ContinuousClock.Instant, onTimeout: @Sendable () -> Void)?
        /// Whether the task has scheduled its next check.
        var isCheckScheduled = false
    }

    private let state = Mutex(State())
    private let minimumTime: Duration
    /// Wakes the task if it has no scheduled check.
    private let (hints, hint) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// - Parameter minimumTime: the minimum time for a commit, and the maximum time between two checks.
    init(minimumTime: Duration) { self.minimumTime = minimumTime }

    /// Whether the task has scheduled a check, as it does once more after the last commit.
    var isCheckScheduled: Bool { state.withLock(\.isCheckScheduled) }

    /// Watches one commit, in place of the last one.
    ///
    /// - Parameters:
    ///   - deadline: at least ``minimumTime`` from now.
    ///   - onTimeout: what to do if ``end()`` has not been called by then. It runs under the lock of the watchdog, and so must
    ///     not call it.
    func begin(until deadline: ContinuousClock.Instant, onTimeout: @escaping @Sendable () -> Void) {
        let wasCheckScheduled = state.withLock { state in
            state.watch = (deadline, onTimeout)
            defer { state.isCheckScheduled = true }
            return state.isCheckScheduled
        }
        if !wasCheckScheduled { hint.yield() }
    }

    /// The commit has ended. The action does not begin after this returns, and is not running any more.
    func end() { state.withLock { $0.watch = nil } }

    /// Watches until the task is cancelled.
    func run() async {
        for await _ in hints {
            while let pause = look() {
                // It ends when its task is cancelled.
                guard (try? await Task.sleep(for: pause, tolerance: .zero)) != nil else { return }
            }
        }
    }

    /// - Returns: the time until the next check; `nil` if no commit is in progress.
    private func look() -> Duration? {
        state.withLock { state in
            let rest = state.watch.map { $0.deadline - .now }
            if let rest, rest > .zero { return min(rest, minimumTime) }
            state.watch?.onTimeout()
            state = State()
            return nil
        }
    }
}
