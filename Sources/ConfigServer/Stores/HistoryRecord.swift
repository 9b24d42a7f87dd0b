public import ConfigModel

/// What one revision did to one key.
public struct HistoryRecord: Hashable, Sendable {
    /// The revision.
    public var revision: UInt64
    /// The key.
    public var key: String
    /// The value that it got, or `nil` for a tombstone.
    public var value: ConfigValue?
    /// Who asked for it.
    public var author: String?
    /// Why.
    public var message: String?
    /// When.
    public var updatedAt: Timestamp

    /// Creates a record from its parts.
    public init(
        revision: UInt64,
        key: String,
        value: ConfigValue?,
        author: String?,
        message: String?,
        updatedAt: Timestamp
    ) {
        self.revision = revision
        self.key = key
        self.value = value
        self.author = author
        self.message = message
        self.updatedAt = updatedAt
    }
}

/// What leads from one revision of a namespace to another, for a client that is to be brought forward.
public struct NetChange: Hashable, Sendable {
    /// The values that keys have got.
    public var upserts: [String: ConfigValue]
    /// The keys that have gone.
    public var deletes: Set<String>

    /// Creates a change from its parts.
    public init(upserts: [String: ConfigValue], deletes: Set<String>) {
        self.upserts = upserts
        self.deletes = deletes
    }
}
