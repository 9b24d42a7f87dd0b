// SPDX-License-Identifier: Apache-2.0

/// The pause between attempts: about twice as long each time, up to a limit.
package struct Backoff: Sendable {
    private var delay: Duration
    private let first: Duration
    private let limit: Duration
    private let jitter: @Sendable () -> Double

    /// - Parameters:
    ///   - first: the longest first delay.
    ///   - limit: the longest delay.
    ///   - jitter: draws a number from 0 up to but not including 1.
    package init(
        from first: Duration = .milliseconds(50),
        to limit: Duration = .seconds(5),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        (delay, self.first, self.limit, self.jitter) = (first, first, limit, jitter)
    }

    /// Begins again with the first delay, after a success.
    package mutating func reset() { delay = first }

    /// The next delay.
    package mutating func next() -> Duration {
        defer { delay = min(delay * 2, limit) }
        // With jitter, so that servers that collided once do not collide again.
        return delay * (0.5 + 0.5 * jitter())
    }
}
