// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigSchemas
import ConfigStore

/// A store in a database whose driver is asynchronous. Two transactions may overlap; the one that is late begins again.
struct DatabaseStore: EntryStore {
    private let database = Database()
    private let now: @Sendable () -> Timestamp

    /// - Parameter now: the clock that dates writes.
    init(now: @escaping @Sendable () -> Timestamp = Timestamp.ofClock) { self.now = now }

    func load() async throws(StoreError) -> StoreContents { await database.begin().contents }

    func commit(_ publishes: [Publish]) async throws(StoreError) -> [PublishOutcome] {
        while true {
            var transaction = await database.begin()
            let start = transaction.contents
            var committer = PublishCommitter(head: start.head.revision, updatedAt: start.updatedAt, now: now)
            let outcomes = committer.commit(publishes, in: &transaction)
            if await database.commit(transaction, after: start.head.revision) { return outcomes }
        }
    }

    func history(_ query: HistoryQuery, charging charge: ReadCharge) async throws(StoreError) -> [HistoryRecord] {
        let records = await database.begin().history[query.namespace] ?? []
        let found = records.reversed().filter { record in
            record.revision < query.before ?? .max && (query.key == nil || record.key == query.key)
        }
        let page = Array(found.prefix(query.limit))
        for record in page { try charge.row(record.value?.canonicalJSON.utf8.count ?? 0) }
        return page
    }

    func values(
        in namespace: String,
        at revision: UInt64,
        charging charge: ReadCharge
    ) async throws(StoreError) -> [String: EntryValue?]? {
        let transaction = await database.begin()
        guard revision <= transaction.contents.head.revision else { return nil }
        let values = transaction.values(in: namespace, at: revision)
        for value in values.values { try charge.row(value?.canonicalJSON.utf8.count ?? 0) }
        return values
    }

    func problem() async -> StoreError? { nil }

    func close() {}
}

/// In place of a real database, this one is in memory.
private actor Database {
    private var committed = DatabaseTransaction()

    func begin() -> DatabaseTransaction { committed }

    /// - Returns: whether it was committed; not if another transaction was faster.
    func commit(_ transaction: DatabaseTransaction, after revision: UInt64) -> Bool {
        guard committed.contents.head.revision == revision else { return false }
        committed = transaction
        return true
    }
}

/// A transaction: six reads for `PublishCommitter`, and a write. With a real database, it has read the namespaces of the publishes.
private struct DatabaseTransaction: StoreTransaction {
    var contents = StoreContents(
        head: RevisionCursor.ofNewHistory(),
        updatedAt: Timestamp(milliseconds: 0),
        namespaces: [:]
    )
    var history: [String: [HistoryRecord]] = [:]
    private var lastID: Int64 = 0

    func floor() -> UInt64 { 0 }

    func revision(of namespace: String) -> UInt64 { contents.namespaces[namespace]?.revision ?? 0 }

    func entry(_ key: String, in namespace: String) -> StoredEntry? { contents.namespaces[namespace]?.entries[key] }

    func entries(in namespace: String, from beginning: String) -> [String: StoredEntry] {
        contents.namespaces[namespace]?.entries.filter { $0.key.utf8.starts(with: beginning.utf8) } ?? [:]
    }

    func schemas(in namespace: String) -> SchemaSet {
        let entries = entries(in: namespace, from: EntryKind.schema.prefix)
        let values = entries.map { (EntryKind.schema.name(of: $0) ?? $0, $1.value) }
        // The schemas were checked before they were written.
        return (try? SchemaSet(Dictionary(uniqueKeysWithValues: values))) ?? SchemaSet()
    }

    func values(in namespace: String, at revision: UInt64) -> [String: EntryValue?] {
        let records = history[namespace] ?? []
        var values: [String: EntryValue?] = [:]
        for record in records where record.revision > revision { values[record.key] = .some(nil) }
        for record in records where record.revision <= revision && values[record.key] != nil {
            values[record.key] = .some(record.value)
        }
        return values
    }

    mutating func write(_ revision: NewRevision) -> [String: StoredEntry?] {
        var namespace = contents.namespaces[revision.namespace] ?? .init(revision: 0, entries: [:])
        namespace.revision = revision.revision
        var written: [String: StoredEntry?] = [:]
        for change in revision.changes {
            if change.old == nil { lastID += 1 }
            let entry = revision.entry(change, id: change.old?.id ?? lastID)
            namespace.entries[change.key] = entry
            written[change.key] = .some(entry)
            let record = HistoryRecord(
                revision: revision.revision,
                key: change.key,
                value: change.value,
                author: revision.author,
                message: revision.message,
                updatedAt: revision.updatedAt
            )
            history[revision.namespace, default: []].append(record)
        }
        contents.namespaces[revision.namespace] = namespace
        (contents.head.revision, contents.updatedAt) = (revision.revision, revision.updatedAt)
        return written
    }
}
