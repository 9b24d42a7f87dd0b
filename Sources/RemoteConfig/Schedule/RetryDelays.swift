// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// Delays of random length, so that no two programs make their attempts together.
package struct RetryDelays: Sendable {
    let policy: ConnectionPolicy
    /// Draws a number from 0 up to but not including 1.
    let jitter: @Sendable () -> Double

    /// Delays by a policy, and by random numbers from 0 up to but not including 1.
    package init(policy: ConnectionPolicy, jitter: @escaping @Sendable () -> Double) {
        (self.policy, self.jitter) = (policy, jitter)
    }

    /// A year: longer pauses cannot be counted in nanoseconds.
    static let longest = Duration.seconds(365 * 86_400)

    /// Any pause up to a limit.
    func chance(upTo limit: Duration) -> Duration {
        let nanoseconds = min(limit, Self.longest) / .nanoseconds(1)
        return .nanoseconds(Int64((nanoseconds * jitter()).rounded()))
    }

    /// An interval and up to a fifth of it, so that programs that were started together do not stay together.
    func later(_ interval: Duration) -> Duration { interval + chance(upTo: interval / 5) }

    /// Full jitter: any pause from none to twice the longest before, so that clients of one server do not return to
    /// it all at once.
    ///
    /// - Parameters:
    ///   - failures: The number of failures in a row before this one.
    ///   - error: The failure; pauses after a refusal are longer.
    func backoff(_ failures: Int, after error: ConfigError? = nil) -> Duration {
        let backoff = error?.isRefusal == true ? policy.backoffAfterRefusal : policy.backoff
        return chance(upTo: backoff.lowerBound.doubled(failures, upTo: backoff.upperBound))
    }
}

extension Duration {
    /// The duration, doubled a number of times, or the limit if that is shorter.
    func doubled(_ times: Int, upTo limit: Duration) -> Duration { min(self * (1 << min(times, 20)), limit) }
}

/// Until when a source has asked not to be contacted (`Retry-After`).
struct RetryAfterTimes {
    private let pauses: RetryDelays
    /// The end for reads and streams, and the error of the read that stated it.
    private var all: (end: Duration, error: ConfigError)?
    /// The end for streams alone, as a stream stated it.
    private var streamEnd: Duration?

    /// The maximum after a refusal, which may be that of a network in between. A policy does not shorten it.
    private static let maximumPauseAfterRefusal = Duration.seconds(300)

    init(_ pauses: RetryDelays) { self.pauses = pauses }

    /// Notes the error of a read. It counts for the stream as well.
    ///
    /// - Returns: Whether the source states when to return.
    mutating func readFailed(_ error: ConfigError, at now: Duration) -> Bool {
        guard let end = end(after: error, at: now), end >= all?.end ?? .zero else { return false }
        all = (end, error)
        return true
    }

    /// Notes the error of a stream. It does not count for reads.
    mutating func streamFailed(_ error: ConfigError?, at now: Duration) {
        guard let error, let end = end(after: error, at: now) else { return }
        streamEnd = max(end, streamEnd ?? end)
    }

    private func end(after error: ConfigError, at now: Duration) -> Duration? {
        guard let stated = error.retryAfter else { return nil }
        let pause = min(stated, error.isRefusal ? Self.maximumPauseAfterRefusal : RetryDelays.longest)
        let backoff = pauses.policy.backoff
        return now + pause + pauses.chance(upTo: min(max(pause / 2, backoff.lowerBound), backoff.upperBound))
    }

    /// The error with which the source has asked not to be read; `nil` if that time is over.
    func error(at now: Duration) -> ConfigError? {
        guard let all, all.end > now else { return nil }
        return all.error
    }

    /// The time of a read that would be due at a time.
    func read(dueAt time: Duration) -> Duration { max(time, all?.end ?? time) }

    /// The time to open a stream that would be due at a time.
    func opening(dueAt time: Duration) -> Duration { max(read(dueAt: time), streamEnd ?? time) }

    /// Forgets what was stated.
    mutating func end() { (all, streamEnd) = (nil, nil) }
}
