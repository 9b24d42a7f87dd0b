public import ConfigModel

/// What is in a store at one moment.
public struct StoreContents: Hashable, Sendable {
    /// The epoch and the highest revision.
    public var head: Cursor
    /// When the highest revision was made. The next one's time is later.
    public var updatedAt: Timestamp
    /// What is live, by namespace. A namespace that has ever had an entry is there, even if it is empty now, as long as
    /// there is history of it.
    public var namespaces: [String: Namespace]

    /// The live entries of a namespace.
    public struct Namespace: Hashable, Sendable {
        /// The last revision that changed the namespace.
        public var revision: UInt64
        /// The entries by key.
        public var entries: [String: StoredEntry]

        /// Creates a namespace from its parts.
        public init(revision: UInt64, entries: [String: StoredEntry]) {
            self.revision = revision
            self.entries = entries
        }
    }

    /// Creates contents from their parts.
    public init(head: Cursor, updatedAt: Timestamp, namespaces: [String: Namespace]) {
        self.head = head
        self.updatedAt = updatedAt
        self.namespaces = namespaces
    }
}

/// A live entry.
public struct StoredEntry: Hashable, Sendable {
    /// A positive number, unique in the store and the same for as long as the entry lives.
    public var id: Int64
    /// The value.
    public var value: ConfigValue
    /// The revision that gave it this value.
    public var revision: UInt64
    /// When the entry came to be.
    public var createdAt: Timestamp
    /// When it got this value.
    public var updatedAt: Timestamp

    /// Creates an entry from its parts.
    public init(id: Int64, value: ConfigValue, revision: UInt64, createdAt: Timestamp, updatedAt: Timestamp) {
        self.id = id
        self.value = value
        self.revision = revision
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
