// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import ConfigSchemas

/// The tables of a store's database, as a transaction sees them.
public protocol StoreTables {
    /// The error of the database; `Never` where nothing can fail.
    associatedtype Failure: Error

    /// The lowest revision whose state the history still has.
    func floor() throws(Failure) -> UInt64

    /// The live entries whose keys begin with an ASCII text; all entries if it is empty.
    func entries(in namespace: String, from beginning: String) throws(Failure) -> [String: StoredEntry]

    /// The values at a revision of the keys that later revisions have changed; `nil` for a key that had none.
    ///
    /// - Parameters:
    ///   - namespace: whose values.
    ///   - revision: from the ``floor()`` to the head.
    func values(in namespace: String, at revision: UInt64) throws(Failure) -> [String: EntryValue?]
}

/// The reads by which a ``PublishCommitter`` decides what publishes do.
public protocol StoreReads: StoreTables {
    /// The last revision that changed a namespace; 0 if none has.
    func revision(of namespace: String) throws(Failure) -> UInt64

    /// The live entry of a key.
    func entry(_ key: String, in namespace: String) throws(Failure) -> StoredEntry?

    /// The schemas of a namespace, which are the entries with the prefix of `EntryKind.schema`. They are read for each publish,
    /// and change only by publishes that change schemas.
    func schemas(in namespace: String) throws(Failure) -> SchemaSet
}

/// A transaction of a store's database, in which a ``PublishCommitter`` commits: six reads and one write.
///
/// Reads see the transaction's own writes.
public protocol StoreTransaction: StoreReads {
    /// Writes a revision: its entries, its history and its record.
    ///
    /// - Returns: the new entries by key, with the ids that the store gave them, and `nil` for the removed ones.
    mutating func write(_ revision: NewRevision) throws(Failure) -> [String: StoredEntry?]
}

/// A revision to be written, without the ids of new entries, which the store assigns.
public struct NewRevision: Hashable, Sendable {
    /// The change of a key.
    public struct Change: Hashable, Sendable {
        /// The key.
        public var key: String
        /// The entry so far; `nil` if there is none.
        public var old: StoredEntry?
        /// The new value; `nil` if the entry is removed.
        public var value: EntryValue?
    }

    /// Its number, one more than the last one of the store.
    public var revision: UInt64
    /// The time of the revision: later than the last one, in whole milliseconds.
    public var updatedAt: Timestamp
    /// The namespace that it changes.
    public var namespace: String
    /// The revision of the namespace before it.
    public var previous: UInt64
    /// The author, as in ``Publish/author``.
    public var author: String?
    /// The reason, as in ``Publish/message``.
    public var message: String?
    /// The changes, sorted by key; at least one.
    public var changes: [Change]

    /// The entry that a change makes; `nil` if it removes one.
    ///
    /// - Parameters:
    ///   - change: one of ``changes``.
    ///   - id: the id of the entry so far, or the store's next one.
    public func entry(_ change: Change, id: Int64) -> StoredEntry? {
        change.value.map { value in
            StoredEntry(
                id: id,
                value: value,
                revision: revision,
                createdAt: change.old?.createdAt ?? updatedAt,
                updatedAt: updatedAt
            )
        }
    }
}
