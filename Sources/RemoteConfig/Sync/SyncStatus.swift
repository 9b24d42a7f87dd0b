public import ConfigModel

/// How the program's configuration stands to its source.
public struct SyncStatus: Hashable, Sendable {
    /// The state of the connection.
    public enum Phase: String, Hashable, Sendable {
        /// Nothing has been read yet.
        case starting
        /// Every change arrives as it happens: the file is watched, or the server's stream is up.
        case live
        /// Changes are asked for from time to time, or by ``SyncService/refresh()`` alone where no service runs, and
        /// the last answer was good. A ``SyncStatus/problem`` says why a source that could be live is not; a file
        /// without one is where the system does not report every change.
        case polling
        /// The last attempt did not reach the source; the last good values stay, and it is waited for.
        case offline
        /// The source is there but refuses, or holds no usable configuration; the last good values stay, and it is
        /// tried again.
        case error
    }

    /// Where the values that are shown came from.
    public enum Origin: String, Hashable, Sendable {
        /// From nowhere: there are none yet.
        case nothing
        /// From what the program carries with it.
        case bundledDefault
        /// From the source, in an earlier run of a program.
        case cache
        /// From the source.
        case source
    }

    /// The state of the connection.
    public var phase: Phase
    /// The source as the user named it.
    public var source: String
    /// Where the values that are shown came from.
    public var origin = Origin.nothing
    /// When the source says that its present content was made.
    public var modifiedAt: Timestamp?
    /// When the configuration last changed while the program ran.
    public var lastChangeAt: Timestamp?
    /// What is wrong, if anything is.
    public var problem: ConfigError?
    /// What is wrong with what is kept for the next start, if anything is: it was damaged, or cannot be written.
    public var cacheProblem: ConfigError?
    /// When the next attempt is due, if something is wrong; `nil` if only ``SyncService/refresh()`` makes another.
    public var nextAttemptAt: Timestamp?
    /// Whether the source is left alone since ``SyncService/pause()``.
    public var isPaused = false

    /// Creates the status before the first reading.
    public init(source: String) {
        self.source = source
        phase = .starting
    }
}
