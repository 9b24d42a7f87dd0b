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
    /// The keys that were added or changed, with their values at `to`.
    package var upserts: [String: EntryValue]
    /// The keys that were there at `from` and are not at `to`.
    package var deletes: Set<String>
    /// The changes of the schemas, if they were requested.
    package var schemas: SchemaChanges

    /// Creates a change from its parts.
    package init(
        from: UInt64,
        to: UInt64,
        digest: ConfigDigest,
        upserts: [String: EntryValue] = [:],
        deletes: Set<String> = [],
        schemas: SchemaChanges = SchemaChanges()
    ) {
        self.from = from
        self.to = to
        self.digest = digest
        self.upserts = upserts
        self.deletes = deletes
        self.schemas = schemas
    }
}

/// The changes of a namespace's schemas, by schema name.
package struct SchemaChanges: Hashable, Sendable {
    /// The schemas that were added or changed.
    package var upserts: [String: EntryValue]
    /// The names of removed schemas.
    package var deletes: Set<String>

    /// Creates changes from their parts.
    package init(upserts: [String: EntryValue] = [:], deletes: Set<String> = []) {
        (self.upserts, self.deletes) = (upserts, deletes)
    }

    /// Whether nothing has changed.
    package var isEmpty: Bool { upserts.isEmpty && deletes.isEmpty }

    /// Adds a schema, or that one was removed.
    package mutating func set(_ schema: EntryValue?, of name: String) {
        upserts[name] = schema
        if schema == nil { deletes.insert(name) } else { deletes.remove(name) }
    }

    /// Adds the changes after these.
    package mutating func follow(_ next: SchemaChanges) {
        for (name, schema) in next.upserts { set(schema, of: name) }
        for name in next.deletes { set(nil, of: name) }
    }
}
