public import ConfigModel

/// A place that configuration comes from.
///
/// A source reads when it is asked to, and hints when asking would be worthwhile. It neither keeps a state nor
/// decides what is shown: that is ``SyncService``'s part.
public protocol ConfigSource: Sendable {
    /// The source as the user named it, such as `config.json`.
    var name: String { get }

    /// Reads everything that the source holds now. A read that takes long ends early when its task is cancelled.
    func read() async throws(ConfigError) -> SourceReading

    /// Says when to read. The first hint comes at once; the sequence ends when its task is cancelled.
    func hints() -> AsyncStream<SourceHint>

    /// Whether nothing has moved since the last hint that the source has settled. Otherwise such a hint follows.
    ///
    /// Asked after a bad reading, which may have met a writer half-way. The default is always `true`.
    func isAtRest() -> Bool
}

extension ConfigSource {
    /// `true`: for a source whose readings are never half-way.
    public func isAtRest() -> Bool { true }
}

/// What one read of a source brought.
public struct SourceReading: Sendable {
    /// The configuration.
    public var document: ConfigDocument
    /// When the source says that it was last modified, if it says.
    public var modifiedAt: Timestamp?

    /// Creates a reading.
    public init(document: ConfigDocument, modifiedAt: Timestamp?) {
        self.document = document
        self.modifiedAt = modifiedAt
    }
}

/// A reason to read a source.
public enum SourceHint: Hashable, Sendable {
    /// Something moved. A good reading counts at once; a bad one may be a writer's half-way state and does not.
    case changed
    /// Nothing has moved for a while: whatever a reading says now is so.
    case settled
}
