public import Foundation

/// The time of day, as people and calendars have it, and a way to wait for it.
public protocol WallClock: Sendable {
    /// The time now.
    var now: Date { get }

    /// Waits until a moment has come.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    func sleep(until moment: Date) async throws
}

/// The clock of the system.
public struct SystemWallClock: WallClock {
    /// The longest wait before the clock is looked at again, for it may be set, and a laptop may sleep.
    private static let longestWait = 60.0

    /// Creates the clock.
    public init() {}

    /// The time now.
    public var now: Date { Date() }

    /// Waits until a moment has come, also when the clock is set meanwhile; then it is at most a minute late.
    public func sleep(until moment: Date) async throws {
        while true {
            let rest = moment.timeIntervalSince(now)
            if rest <= 0 { return }
            try await Task.sleep(for: .seconds(min(rest, Self.longestWait)))
        }
    }
}
