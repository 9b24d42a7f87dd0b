// SPDX-License-Identifier: Apache-2.0

/// The state of a namespace on a server.
public struct ServerSnapshot: Hashable, Sendable {
    /// The position in the store's history.
    public var cursor: RevisionCursor
    /// The digest of the entries, as the server keeps it.
    package var digest: ConfigDigest
    /// The values by key.
    package var entries: KeyedValues<EntryValue>
    /// The schemas by name; `nil` if they were not requested.
    public var schemas: [String: EntryValue]?

    /// Creates a state from its parts.
    package init(
        cursor: RevisionCursor,
        digest: ConfigDigest,
        entries: KeyedValues<EntryValue>,
        schemas: [String: EntryValue]? = nil
    ) {
        self.cursor = cursor
        self.digest = digest
        self.entries = entries
        self.schemas = schemas
    }

    /// Creates a state from its parts.
    package init(cursor: RevisionCursor, digest: ConfigDigest, entries: [String: EntryValue]) {
        self.init(cursor: cursor, digest: digest, entries: KeyedValues(entries))
    }

    /// The keys of the values, and of the rules (``EntryKind/key(of:)``), in no order.
    public var keys: [String] { entries.keys }

    /// The value of a key; `nil` if there is none.
    public subscript(key: String) -> EntryValue? { entries[key] }
}

/// The changes from one revision of a namespace to a later one: whole revisions, never half of one.
package struct Changeset: Hashable, Sendable {
    /// The revision that the change applies to.
    package var from: UInt64
    /// The revision that it leads to; `from` if nothing has changed.
    package var to: UInt64
    /// The namespace's digest at `to`.
    package var digest: ConfigDigest
    /// The changes of values and rules, by ``EntryKind/key(of:)``.
    package var values: EntryChanges
    /// The changes of the schemas by name, if they were requested.
    package var schemas: EntryChanges
    /// The digest of the schemas at `to`, if they were requested.
    package var schemaDigest: ConfigDigest?

    /// Creates a change from its parts.
    package init(
        from: UInt64,
        to: UInt64,
        digest: ConfigDigest,
        upserts: [String: EntryValue] = [:],
        deletes: Set<String> = [],
        schemas: EntryChanges = EntryChanges()
    ) {
        (self.from, self.to, self.digest) = (from, to, digest)
        values = EntryChanges(upserts: upserts, deletes: deletes)
        self.schemas = schemas
    }
}

/// The changes of some entries of a namespace, by name.
package struct EntryChanges: Hashable, Sendable {
    /// The values that were added or changed.
    package var upserts: [String: EntryValue]
    /// The names of removed entries.
    package var deletes: Set<String>

    /// Creates changes from their parts.
    package init(upserts: [String: EntryValue] = [:], deletes: Set<String> = []) {
        (self.upserts, self.deletes) = (upserts, deletes)
    }

    /// Whether nothing has changed.
    package var isEmpty: Bool { upserts.isEmpty && deletes.isEmpty }

    /// Adds a new value, or that the entry was removed.
    package mutating func set(_ value: EntryValue?, of name: String) {
        upserts[name] = value
        if value == nil { deletes.insert(name) } else { deletes.remove(name) }
    }

    /// Adds the changes after these.
    package mutating func follow(_ next: EntryChanges) {
        for name in next.deletes { upserts[name] = nil }
        deletes.formUnion(next.deletes)
        deletes.subtract(next.upserts.keys)
        upserts.merge(next.upserts) { $1 }
    }
}
