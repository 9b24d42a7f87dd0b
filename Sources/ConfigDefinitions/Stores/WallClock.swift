// SPDX-License-Identifier: Apache-2.0

package import Essentials

/// The time of day, as people and calendars have it, and a way to wait for it.
package protocol WallClock: Sendable {
    /// The time now.
    var now: Date { get }

    /// Waits until a moment has come.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    func sleep(until moment: Date) async throws
}

/// The clock of the system.
package struct SystemWallClock: WallClock {
    /// The longest wait before the clock is looked at again, for it may be set, and a laptop may sleep.
    private static let maximumWait = 60.0

    /// Creates the clock.
    package init() {}

    /// The time now.
    package var now: Date { Date() }

    /// Waits until the given time, even if the clock is set in the meantime; it then returns at most a minute late.
    package func sleep(until moment: Date) async throws {
        while true {
            let rest = moment.timeIntervalSince(now)
            if rest <= 0 { return }
            try await Task.sleep(for: .seconds(min(rest, Self.maximumWait)))
        }
    }
}
