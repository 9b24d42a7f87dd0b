// SPDX-License-Identifier: Apache-2.0

/// Why a store failed.
public struct StoreError: Error, Sendable {
    /// The kinds of error, by their stable names in logs.
    public enum Code: String, Hashable, Sendable {
        /// The store cannot be reached or opened at present. A later attempt may succeed.
        case unavailable
        /// The store can be read but not written to.
        case readOnly = "read_only"
        /// The disk or the database is full.
        case full
        /// The data are inconsistent, or of a newer version of this program.
        case damaged
        /// It is unknown whether the commit was made. Loading the store again shows it.
        case uncertain
        /// The request is larger than the store accepts.
        case tooLarge = "too_large"
        /// The namespace would exceed a quota.
        case overQuota = "over_quota"
    }

    /// The kind of error.
    public var code: Code
    /// What is wrong and what to do, as one sentence without a full stop.
    public var message: String
    /// The underlying error, where another library reported it.
    public var underlying: (any Error)?

    /// Creates an error.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }
}

extension StoreError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

/// How long to wait between attempts: about twice as long each time, up to a limit.
package struct Backoff: Sendable {
    private var delay: Duration
    private let limit: Duration

    /// - Parameter first: the longest first delay.
    package init(from first: Duration = .milliseconds(50), to limit: Duration = .seconds(5)) {
        (delay, self.limit) = (first, limit)
    }

    /// The next delay.
    package mutating func next() -> Duration {
        defer { delay = min(delay * 2, limit) }
        // With jitter, so that servers that collided once do not collide again.
        return delay * Double.random(in: 0.5...1)
    }
}
