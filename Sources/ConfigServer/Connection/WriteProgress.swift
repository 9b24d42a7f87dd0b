internal import NIOCore

/// Tells a client that takes its answer slowly from one that does not take it at all.
///
/// What counts is what the client has taken: neither how long an answer takes, nor what the kernel has taken, which may
/// be megabytes at once and then nothing for a minute.
struct WriteProgress {
    /// What a look finds.
    enum Verdict: Equatable {
        /// The client has taken everything.
        case nothingOutstanding
        /// The client takes bytes, or has not been silent for long.
        case goesOn
        /// The client has taken nothing for too long.
        case stalled
    }

    private var written = 0
    /// What the client had taken at the last look that found progress, and when that was.
    private var last: (taken: Int, at: NIODeadline)?
    /// Whether there is something to look at.
    private(set) var isWatched = false

    /// Bytes are on their way to the client.
    mutating func wrote(_ bytes: Int) {
        written &+= bytes
        isWatched = true
    }

    /// Looks at what the client has taken.
    ///
    /// - Parameters:
    ///   - outstanding: how many of the bytes the client has not acknowledged yet.
    ///   - patience: how long it may take nothing.
    mutating func look(outstanding: Int, at now: NIODeadline, patience: TimeAmount) -> Verdict {
        guard outstanding > 0 else {
            isWatched = false
            last = nil
            return .nothingOutstanding
        }
        let taken = written &- outstanding
        guard let last, taken <= last.taken else {
            last = (taken, now)
            return .goesOn
        }
        return now - last.at < patience ? .goesOn : .stalled
    }
}
