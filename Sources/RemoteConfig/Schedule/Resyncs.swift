// SPDX-License-Identifier: Apache-2.0

/// The recent streams that did not match the state, so that the state was read instead.
struct Resyncs {
    private let pauses: RetryDelays
    private var count = 0
    private var last = Duration.zero
    /// The number since the beginning.
    private(set) var total = 0

    /// A stream that begins, or skips a change, now and then costs a read without anything being wrong.
    private static let tolerated = 3
    private static let maximumPause = Duration.seconds(60)

    init(_ pauses: RetryDelays) { self.pauses = pauses }

    /// Whether the stream has repeatedly not matched the state.
    var isUnsettled: Bool { count > Self.tolerated }

    /// When the stream counts as settled again; `nil` if it does.
    var end: Duration? { isUnsettled ? last + StreamTimer.stableAfter : nil }

    /// Notes that the stream does not match the state, which its next event may report as well.
    mutating func note(at now: Duration) { last = now }

    /// Begins a read for that reason.
    ///
    /// - Returns: The pause before it.
    mutating func begin() -> Duration {
        let longest = pauses.policy.backoff.lowerBound.doubled(max(count - 1, 0), upTo: Self.maximumPause)
        let pause = count == 0 ? .zero : pauses.chance(upTo: longest)
        count += 1
        total += 1
        return pause
    }

    /// Forgets earlier resyncs after a long time.
    mutating func forget(at now: Duration) { if now >= last + StreamTimer.stableAfter { count = 0 } }

    /// Forgets all, at the end of following.
    mutating func rest() { count = 0 }
}
