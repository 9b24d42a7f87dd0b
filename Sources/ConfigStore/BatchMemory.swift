// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
internal import ConfigSchemas

/// The entries that batches have read and written since the last commit of another server, which the next batch need not read
/// again.
///
/// It is valid only for the head that the last batch left. If the head, read under the store's lock, differs, another server
/// has committed, and the memory is discarded.
package struct BatchMemory: Sendable {
    private var head: RevisionCursor?
    private var updatedAt: Timestamp?
    /// The last revisions of namespaces; 0 of one that no revision has changed.
    private(set) var revisions: [String: UInt64] = [:]
    /// The live entries of keys; `nil` for keys that have none.
    private(set) var entries: [EntryPlace: StoredEntry?] = [:]
    /// The schemas of namespaces.
    private(set) var schemas: [String: SchemaSet] = [:]
    /// The approximate size of remembered entries in bytes, including replaced ones.
    private var bytes = 0

    /// About how many bytes of memory the schemas take.
    private var schemaBytes = 0

    private static let maximumBytes = 16 * 1024 * 1024
    /// Room for the schemas of two namespaces that have as many as there may be.
    private static let maximumSchemaBytes = 48 * 1024 * 1024

    package init() {}

    /// Removes and returns the memory of the store at its current head.
    ///
    /// A failing batch thus leaves no memory behind.
    package mutating func take(at head: RevisionCursor, _ updatedAt: Timestamp) -> BatchMemory {
        defer { self = BatchMemory() }
        let isSmall = bytes <= Self.maximumBytes && schemaBytes <= Self.maximumSchemaBytes
        return (head, updatedAt) == (self.head, self.updatedAt) && isSmall ? self : BatchMemory()
    }

    /// A batch has led to this head.
    mutating func reached(_ head: RevisionCursor, _ updatedAt: Timestamp) {
        (self.head, self.updatedAt) = (head, updatedAt)
    }

    mutating func set(_ revision: UInt64, of namespace: String) {
        if revisions.updateValue(revision, forKey: namespace) == nil { bytes += 64 + namespace.utf8.count }
    }

    mutating func set(_ entry: StoredEntry?, at place: EntryPlace) {
        entries[place] = .some(entry)
        bytes += 128 + place.key.utf8.count + (entry?.value.canonicalByteCount ?? 0)
    }

    /// Remembers the schemas of a namespace.
    mutating func set(_ schemas: SchemaSet, of namespace: String) {
        schemaBytes += schemas.bytes - (self.schemas[namespace]?.bytes ?? 0)
        self.schemas[namespace] = schemas
    }

    /// Takes over what was written: of a schema also its change, if the schemas of its namespace are known.
    mutating func write(_ entry: StoredEntry?, at place: EntryPlace) {
        set(entry, at: place)
        guard place.kind == .schema, var schemas = schemas[place.namespace] else { return }
        schemas.update(with: entry, forKey: place.key)
        set(schemas, of: place.namespace)
    }

    /// Sets the id that the database has assigned to an entry.
    mutating func set(_ id: Int64, at place: EntryPlace) { entries[place]??.id = id }
}
