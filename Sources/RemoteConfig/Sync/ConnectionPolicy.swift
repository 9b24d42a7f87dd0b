// SPDX-License-Identifier: Apache-2.0

/// The polling interval of a source, and its pauses after errors.
///
/// The defaults are right for most programs. A value outside its limits is replaced by the nearest limit, so that a wrong
/// setting neither ends the program nor overloads the server; the effective values can be read here.
///
/// ```swift
/// let service = RemoteConfigService(source: source, policy: ConnectionPolicy(pollingInterval: .seconds(300)))
/// ```
///
/// The source takes precedence: `Retry-After` is respected in any case, by
/// ``RemoteConfigService/refresh(timeout:)`` as well, and the freshness of a document (`Cache-Control`) can only
/// lengthen ``pollingInterval``; without that setting, it is the interval. A random part is added to every pause, so
/// that clients do not return all at once.
public struct ConnectionPolicy: Hashable, Sendable {
    /// The interval between reads while no stream reports changes: from 1 s to 1 day. `nil` is the interval that the source
    /// suggests: every 30 s for a server without events, and for a document without a suggestion.
    public let pollingInterval: Duration?
    /// The minimum time from one successful read to the next requested one: from 1 s, the default, to 30 days.
    ///
    /// With 1 s, ``RemoteConfigService/refresh(timeout:)`` waits for the rest of it. With more it does not wait: what
    /// was read within the interval is new enough, and no request is sent. It applies neither to the service's own
    /// reads nor to a file.
    public let minimumFetchInterval: Duration
    /// A stream without a byte for this long counts as dead and is reopened: from 15 s to 1 h. The default is 25 s, since a
    /// Livery server sends a heartbeat every 10 s.
    public let heartbeatTimeout: Duration
    /// The pauses after a failure, each at most twice the one before: from the longest pause before the first new attempt (50 ms
    /// to 1 min; the pause itself is any up to this) to the longest before any (at most 1 h). The default is 200 ms to 30 s.
    public let backoff: ClosedRange<Duration>
    /// The pauses after a refusal (401, 403), which seldom end by themselves. The default is 2 s to 300 s.
    public let backoffAfterRefusal: ClosedRange<Duration>

    /// The minimum time between two requested reads, whether they succeed or not.
    static let askSpacing = Duration.seconds(1)

    /// Creates a policy within the limits.
    public init(
        pollingInterval: Duration? = nil,
        minimumFetchInterval: Duration = .seconds(1),
        heartbeatTimeout: Duration = .seconds(25),
        backoff: ClosedRange<Duration> = .milliseconds(200)...(.seconds(30)),
        backoffAfterRefusal: ClosedRange<Duration> = .seconds(2)...(.seconds(300))
    ) {
        let day = Duration.seconds(86_400)
        self.pollingInterval = pollingInterval?.clamped(to: .seconds(1)...day)
        self.minimumFetchInterval = minimumFetchInterval.clamped(to: Self.askSpacing...(day * 30))
        self.heartbeatTimeout = heartbeatTimeout.clamped(to: .seconds(15)...(.seconds(3600)))
        (self.backoff, self.backoffAfterRefusal) = (Self.clamped(backoff), Self.clamped(backoffAfterRefusal))
    }

    private static func clamped(_ pauses: ClosedRange<Duration>) -> ClosedRange<Duration> {
        let first = pauses.lowerBound.clamped(to: .milliseconds(50)...(.seconds(60)))
        return first...pauses.upperBound.clamped(to: first...(.seconds(3600)))
    }
}

extension Duration {
    fileprivate func clamped(to limits: ClosedRange<Duration>) -> Duration {
        min(max(self, limits.lowerBound), limits.upperBound)
    }
}
