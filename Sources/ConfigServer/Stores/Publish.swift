public import ConfigModel

/// A request to change a namespace: all of it, as one revision, or nothing.
public struct Publish: Hashable, Sendable {
    /// What to do.
    public enum Change: Hashable, Sendable {
        /// Give these keys these values, and take away the keys whose value is `nil`.
        case edit([String: ConfigValue?])
        /// Make the namespace equal to what it was at a revision.
        case rollback(to: UInt64)
    }

    /// What must be so for the publish to be made, checked in the transaction that makes it.
    public enum Condition: Hashable, Sendable {
        /// The namespace is at this revision.
        case head(UInt64)
        /// The key has no entry.
        case absent(key: String)
        /// The key has an entry.
        case present(key: String)
        /// The key's entry is of one of these revisions.
        case entry(key: String, revisions: Set<UInt64>)
    }

    /// The namespace, which keeps its rule.
    public var namespace: String
    /// What to do; its keys and values keep their rules.
    public var change: Change
    /// What must be so.
    public var conditions: [Condition]
    /// Who asks: a token's name, or `nil` where there are no tokens.
    public var author: String?
    /// Why, in the author's words.
    public var message: String?

    /// Creates a request.
    public init(
        namespace: String,
        change: Change,
        conditions: [Condition] = [],
        author: String? = nil,
        message: String? = nil
    ) {
        self.namespace = namespace
        self.change = change
        self.conditions = conditions
        self.author = author
        self.message = message
    }
}

/// What came of a publish.
public enum PublishOutcome: Hashable, Sendable {
    /// It is a revision now.
    case committed(Commit)
    /// Everything was so already.
    case unchanged
    /// This condition, the first that failed, did not hold.
    case conditionFailed(Publish.Condition)
    /// A rollback named a revision that lies before the history's floor or after the head.
    case unknownRevision(UInt64)
}

/// A revision as it was made.
public struct Commit: Hashable, Sendable {
    /// Its number, one more than the one before it in the store.
    public var revision: UInt64
    /// When it was made: later than the one before it.
    public var updatedAt: Timestamp
    /// The namespace that it changed.
    public var namespace: String
    /// The namespace's revision before it.
    public var previous: UInt64
    /// The entries that it made, and `nil` for those that it took away. Only what really changed.
    public var changes: [String: StoredEntry?]

    /// Creates a commit from its parts.
    public init(
        revision: UInt64,
        updatedAt: Timestamp,
        namespace: String,
        previous: UInt64,
        changes: [String: StoredEntry?]
    ) {
        self.revision = revision
        self.updatedAt = updatedAt
        self.namespace = namespace
        self.previous = previous
        self.changes = changes
    }
}
