// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// A request to change a namespace: the whole request as one revision, or nothing.
public struct Publish: Hashable, Sendable {
    /// A requested change.
    public enum Change: Hashable, Sendable {
        /// Set these keys to these values, and remove the keys whose value is `nil`. Schemas are set by their `EntryKind`.
        case edit([String: EntryValue?])
        /// Restore the contents of the namespace at a revision.
        case rollback(to: UInt64)
    }

    /// A condition for the publish, checked in the transaction that makes it.
    public enum Condition: Hashable, Sendable {
        /// The namespace is at this revision.
        case head(UInt64)
        /// The key has no entry.
        case absent(key: String)
        /// The key has an entry.
        case present(key: String)
        /// The key has an entry of one of these revisions.
        case entry(key: String, revisions: Set<UInt64>)
    }

    /// A change of another namespace, which is made as the next revision of the same transaction if the publish is made or
    /// changes nothing.
    public struct Companion: Hashable, Sendable {
        /// The namespace, by the name that the store has for it.
        public var namespace: String
        /// The new values by key, and `nil` for keys to remove.
        public var edits: [String: EntryValue?]
        /// Conditions for the publish in this namespace.
        public var conditions: [Condition]
        /// The key of the object that gets the revision that the publish makes as its member `revision`; none if it changes
        /// nothing.
        public var stampedKey: String?

        /// Creates a change from its parts.
        public init(
            namespace: String,
            edits: [String: EntryValue?],
            conditions: [Condition] = [],
            stampedKey: String? = nil
        ) {
            (self.namespace, self.edits, self.conditions) = (namespace, edits, conditions)
            self.stampedKey = stampedKey
        }
    }

    /// The namespace, by a valid name.
    public var namespace: String
    /// The requested change; its keys and values are valid.
    public var change: Change
    /// The conditions.
    public var conditions: [Condition]
    /// The name of the token that the request came with; `nil` where there are no tokens.
    public var author: String?
    /// The reason, in the author's words.
    public var message: String?
    /// The change of another namespace that is made with it.
    public var companion: Companion?
    /// The state by which the values, schemas and rules were checked before; `nil` if they were not.
    package var check: PublishCheck?
    /// The policy by which the keys that it changes may need a review; `nil` if they need none.
    package var gate: ReviewGate?
    /// Whether an administrator has stated a reason for changing what needs a review without one.
    package var isEmergency = false

    /// Creates a request.
    public init(
        namespace: String,
        change: Change,
        conditions: [Condition] = [],
        author: String? = nil,
        message: String? = nil
    ) {
        (self.namespace, self.change, self.conditions) = (namespace, change, conditions)
        (self.author, self.message) = (author, message)
    }
}

/// The outcome of a publish.
public enum PublishOutcome: Hashable, Sendable {
    /// It made a revision.
    case committed(Commit)
    /// It would have changed nothing: its namespace is at this revision, and the keys that it edits have these entries, as far
    /// as they have any. Publishes after it in the same batch may have changed both.
    case unchanged(at: UInt64, entries: [String: StoredEntry])
    /// The first condition that failed.
    case conditionFailed(Publish.Condition)
    /// A rollback named a revision below the floor of the history or above the head.
    case unknownRevision(UInt64)
    /// Values or variants violate schemas, or schemas or rules are invalid: those have no key. The first 100.
    case invalid([ViolationMessage])
    /// Its values, schemas or rules were checked before, and their dependencies have changed since.
    case outdated
    /// It would change these keys, which need a review; the first 100, sorted.
    case reviewRequired([String])
    /// It was made with its ``Publish/companion``: the namespace is at this revision, by these commits.
    case joined(at: UInt64, [Commit])

    /// The commit of the namespace, if a revision was made.
    public var commit: Commit? {
        switch self {
        case .committed(let commit): commit
        case .joined(let revision, let commits): commits.first { $0.revision == revision }
        case .unchanged, .conditionFailed, .unknownRevision, .invalid, .outdated, .reviewRequired: nil
        }
    }

    /// All commits, in the order of their revisions.
    public var commits: [Commit] {
        switch self {
        case .committed(let commit): [commit]
        case .joined(_, let commits): commits
        case .unchanged, .conditionFailed, .unknownRevision, .invalid, .outdated, .reviewRequired: []
        }
    }

    /// The revision of the namespace after the publish; `nil` if it was refused.
    public var revision: UInt64? {
        switch self {
        case .committed(let commit): commit.revision
        case .unchanged(let revision, _), .joined(let revision, _): revision
        case .conditionFailed, .unknownRevision, .invalid, .outdated, .reviewRequired: nil
        }
    }

    /// The entry that an edited key has after the publish; `nil` if it has none, or if the publish was refused.
    public func entry(_ key: String) -> StoredEntry? {
        switch self {
        case .committed(let commit): commit.changes[key] ?? nil
        case .unchanged(_, let entries): entries[key]
        case .joined: commit?.changes[key] ?? nil
        case .conditionFailed, .unknownRevision, .invalid, .outdated, .reviewRequired: nil
        }
    }
}

/// A revision as it was made.
public struct Commit: Hashable, Sendable {
    /// Its number, one more than the last one of the store.
    public var revision: UInt64
    /// The time of the revision: later than the last one.
    public var updatedAt: Timestamp
    /// The namespace that it changed.
    public var namespace: String
    /// The revision of the namespace before it.
    public var previous: UInt64
    /// The new entries by key, and `nil` for the removed ones. Only what really changed.
    public var changes: [String: StoredEntry?]

    /// Creates a commit from its parts.
    public init(
        revision: UInt64,
        updatedAt: Timestamp,
        namespace: String,
        previous: UInt64,
        changes: [String: StoredEntry?]
    ) {
        (self.revision, self.updatedAt, self.namespace) = (revision, updatedAt, namespace)
        (self.previous, self.changes) = (previous, changes)
    }
}
