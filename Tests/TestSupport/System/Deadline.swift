// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A moment on the monotonic clock after which waiting is a failure.
struct Deadline: Comparable, Sendable {
    private let instant: ContinuousClock.Instant

    init(after duration: Duration) {
        instant = .now + duration
    }

    init(at instant: ContinuousClock.Instant) {
        self.instant = instant
    }

    static func < (one: Deadline, other: Deadline) -> Bool { one.instant < other.instant }

    var hasPassed: Bool {
        ContinuousClock.now >= instant
    }

    /// The time left in whole milliseconds for `poll(2)`, rounded up so that the last wait is no busy loop.
    var pollTimeout: Int32 {
        let (seconds, attoseconds) = ContinuousClock.now.duration(to: instant).components
        if seconds < 0 || attoseconds < 0 { return 0 }
        let milliseconds = min(seconds, 1_000_000) * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int32(clamping: milliseconds)
    }
}

/// Waits until one of the descriptors is ready, and returns whether one was before the deadline.
func waitForEvents(on descriptors: inout [pollfd], until deadline: Deadline) throws(SystemError) -> Bool {
    let count = nfds_t(descriptors.count)
    // The timeout is computed again after a signal, so interruptions cannot extend the wait.
    return try checked("poll") { poll(&descriptors, count, deadline.pollTimeout) } > 0
}
