public import ConfigModel

/// How the program's configuration stands to its source.
public struct SyncStatus: Hashable, Sendable {
    /// The state of the connection in a word.
    public enum Phase: String, Hashable, Sendable {
        /// Nothing has been read yet.
        case starting
        /// Every change arrives as it happens.
        case live
        /// Changes are asked for from time to time.
        case polling
        /// The source is not there; the last good values stay, and it is waited for.
        case offline
        /// The source is there but holds no usable configuration; the last good values stay.
        case error
    }

    /// The state of the connection.
    public var phase: Phase
    /// The source as the user named it.
    public var source: String
    /// When the source says that its present content was made.
    public var modifiedAt: Timestamp?
    /// When the configuration last changed while the program ran.
    public var lastChangeAt: Timestamp?
    /// What is wrong, if anything is.
    public var problem: ConfigError?

    /// Creates the status before the first reading.
    public init(source: String) {
        self.source = source
        phase = .starting
    }
}
