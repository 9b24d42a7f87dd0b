// SPDX-License-Identifier: Apache-2.0

/// When appended bytes are flushed: a change that comes alone at once, so before it is shown, a burst ten times a second.
struct CacheFlushTimer {
    private var last: Duration?
    /// When the appended records must be flushed; `nil` if everything is on the disk.
    private(set) var deadline: Duration?

    static let interval = Duration.milliseconds(100)

    /// Notes that bytes were appended.
    ///
    /// - Returns: Whether to flush them now.
    mutating func appended(at now: Duration) -> Bool {
        guard let last, now < last + Self.interval else { return true }
        deadline = deadline ?? last + Self.interval
        return false
    }

    /// Notes an attempt. Until ``flushed(at:)`` it stays due.
    mutating func attempted(at now: Duration) { deadline = now }

    mutating func flushed(at now: Duration) { (last, deadline) = (now, nil) }
}
