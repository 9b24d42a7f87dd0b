// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The place of an entry: its namespace and key.
package struct EntryPlace: Hashable, Sendable {
    package var namespace: String
    package var key: String

    /// The kind of the entry.
    package var kind: EntryKind { EntryKind(of: key) }
}

/// Consecutive revisions that are written together. Each key is made or removed once by them at most.
package struct RevisionBatch: Sendable {
    /// A change that a revision made to a key.
    package struct Record: Sendable {
        package var place: EntryPlace
        package var revision: UInt64
        package var change: NewRevision.Change
        /// The id of the entry that was made or removed; negative if the entry is new, and the database has still to give one.
        package var id: Int64
        /// The time at which the set or removed entry was created.
        package var createdAt: Timestamp
    }

    package var revisions: [NewRevision] = []
    package var records: [Record] = []
    /// The final entries of the changed keys.
    package var entries: [EntryPlace: StoredEntry?] = [:]

    /// The changed namespaces with their last revisions.
    package var namespaces: [String: UInt64] {
        revisions.reduce(into: [:]) { $0[$1.namespace] = $1.revision }
    }
    /// The new and the changed entries, by namespace and key.
    package var upserts: [(place: EntryPlace, entry: StoredEntry)] {
        ordered.compactMap { place, entry in entry.map { (place, $0) } }
    }
    /// The keys whose entries are removed, by namespace and key.
    package var removals: [EntryPlace] {
        ordered.filter { $0.value == nil }.map(\.key)
    }

    private var ordered: [(key: EntryPlace, value: StoredEntry?)] {
        entries.sorted { ($0.key.namespace, $0.key.key) < ($1.key.namespace, $1.key.key) }
    }
}
