// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// Delays of random length, so that no two programs make their attempts together.
struct RetryDelays: Sendable {
    let policy: ConnectionPolicy
    /// Draws a number from 0 up to but not including 1.
    let jitter: @Sendable () -> Double

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
