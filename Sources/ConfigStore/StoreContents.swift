// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// The contents of a store at one moment.
public struct StoreContents: Hashable, Sendable {
    /// The epoch and the highest revision.
    public var head: RevisionCursor
    /// The time of the highest revision. The next one is later.
    public var updatedAt: Timestamp
    /// The live entries, schemas and rules included, by namespace. A namespace that has no entries any more is included as long
    /// as it has history.
    public var namespaces: [String: Namespace]

    /// The live entries of a namespace.
    public struct Namespace: Hashable, Sendable {
        /// The last revision that changed the namespace.
        public var revision: UInt64
        /// The entries by key; those of schemas and rules as in `EntryKind`.
        public var entries: [String: StoredEntry]

        /// Creates a namespace from its parts.
        public init(revision: UInt64, entries: [String: StoredEntry]) {
            (self.revision, self.entries) = (revision, entries)
        }
    }

    /// Creates contents from their parts.
    public init(head: RevisionCursor, updatedAt: Timestamp, namespaces: [String: Namespace]) {
        (self.head, self.updatedAt, self.namespaces) = (head, updatedAt, namespaces)
    }
}

extension StoreContents {
    /// The inconsistency in the contents: a revision above the head, a duplicate id, an invalid name; `nil` if there is none.
    package var problem: String? {
        var ids: Set<Int64> = []
        for (name, namespace) in namespaces {
            if let problem = DraftNamespace.problem(in: name) { return "the namespace '\(name)' \(problem)" }
            if namespace.revision > head.revision {
                return "the revision of the namespace '\(name)' is newer than the store"
            }
            for (key, entry) in namespace.entries {
                if let problem = EntryKind.problem(inKey: key) { return "the key '\(key)' \(problem)" }
                if entry.revision > namespace.revision {
                    return "the revision of the key '\(key)' is newer than its namespace"
                }
                if entry.id <= 0 || !ids.insert(entry.id).inserted {
                    return "the key '\(key)' has an invalid or duplicate id"
                }
            }
        }
        return nil
    }
}

/// A live entry.
public struct StoredEntry: Hashable, Sendable {
    /// A positive number, unique in the store and stable while the entry lives.
    public var id: Int64
    /// The value.
    public var value: EntryValue
    /// The revision that set the value.
    public var revision: UInt64
    /// The creation time of the entry.
    public var createdAt: Timestamp
    /// The time at which the value was set.
    public var updatedAt: Timestamp

    /// Creates an entry from its parts.
    public init(id: Int64, value: EntryValue, revision: UInt64, createdAt: Timestamp, updatedAt: Timestamp) {
        (self.id, self.value, self.revision) = (id, value, revision)
        (self.createdAt, self.updatedAt) = (createdAt, updatedAt)
    }
}

// Anyone with access to a database can change its numbers, and a number out of range must not reach arithmetic.
extension UInt64 {
    /// Revisions count up from 0 one by one, so a larger number was not written by a server.
    private static let lastRevision: Int64 = 1 << 62

    /// Reads a revision from a database.
    ///
    /// - Parameter column: the column of the number, for the message, such as `meta.head`.
    /// - Throws: `damaged` if no server can have written it.
    package init(storedRevision number: Int64, in column: String) throws(StoreError) {
        guard (0...Self.lastRevision).contains(number) else {
            throw StoreError(.damaged, "invalid revision in the store: \(column) is \(number); restore a backup")
        }
        self = UInt64(number)
    }
}

extension Timestamp {
    /// Reads a date from a database, in milliseconds since 1970.
    ///
    /// - Parameter column: the column of the number, for the message, such as `meta.updated_at`.
    /// - Throws: `damaged` if it is not of the years 0–9999.
    package init(storedMilliseconds number: Int64, in column: String) throws(StoreError) {
        self.init(milliseconds: number)
        guard Self.years.contains(self) else {
            throw StoreError(.damaged, "invalid date in the store: \(column) is \(number); restore a backup")
        }
    }
}
