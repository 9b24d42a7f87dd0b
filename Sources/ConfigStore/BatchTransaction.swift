// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
package import ConfigSchemas

/// A batch of publishes in one database transaction: all entries that it names are read at once, and all changes are written at
/// once, so that committing hundreds of publishes costs little more than one.
final class BatchTransaction<Tables: BatchTables> {
    private(set) var tables: Tables
    /// The entries that this batch and earlier ones have read or written.
    fileprivate var known: BatchMemory
    private var unwritten = RevisionBatch()
    /// The ids that the database has assigned, by the provisional ids of the entries.
    private var given: [Int64: Int64] = [:]
    private var lastProvisionalID: Int64 = 0
    /// The maximum number of keys per query.
    private static var pageKeys: Int { 256 }

    init(_ tables: Tables, knowing known: BatchMemory = BatchMemory()) {
        (self.tables, self.known) = (tables, known)
    }

    /// Reads what publishes name, as far as it is not known.
    func read(for publishes: [Publish]) throws {
        var keys: [String: Set<String>] = [:]
        for publish in publishes {
            keys[publish.namespace, default: []].formUnion(publish.keys)
            // Only its revision is needed, as long as that has not changed.
            if let gate = publish.gate { keys[gate.namespace, default: []].formUnion([]) }
            if let companion = publish.companion {
                let named = companion.conditions.compactMap(\.key)
                keys[companion.namespace, default: []].formUnion(Array(companion.edits.keys) + named)
            }
        }
        let unknown = keys.keys.filter { known.revisions[$0] == nil }
        for namespaces in unknown.sorted().parts(of: Self.pageKeys) {
            let found = try tables.revisions(of: namespaces)
            for namespace in namespaces { known.set(found[namespace] ?? 0, of: namespace) }
        }
        for (namespace, keys) in keys { try read(keys, in: namespace) }
    }

    private func read(_ keys: some Sequence<String>, in namespace: String) throws {
        let unknown = keys.filter { known.entries[EntryPlace(namespace: namespace, key: $0)] == nil }
        for keys in unknown.sorted().parts(of: Self.pageKeys) {
            let found = try tables.entries(keys, in: namespace)
            for key in keys { known.set(found[key], at: EntryPlace(namespace: namespace, key: key)) }
        }
    }

    /// Writes the revisions made so far.
    func flush() throws {
        guard !unwritten.revisions.isEmpty else { return }
        let ids = try tables.write(unwritten)
        for place in unwritten.entries.keys {
            if let id = (known.entries[place] ?? nil).flatMap({ ids[$0.id] }) { known.set(id, at: place) }
        }
        given.merge(ids) { $1 }
        unwritten = RevisionBatch()
    }

    /// An outcome with the ids that its entries have in the database.
    func numbered(_ outcome: PublishOutcome) -> PublishOutcome {
        if given.isEmpty { return outcome }
        switch outcome {
        case .committed(let commit): return .committed(numbered(commit))
        case .joined(let revision, let commits): return .joined(at: revision, commits.map(numbered))
        case .unchanged(let revision, var entries):
            for (key, entry) in entries {
                if let id = given[entry.id] { entries[key]?.id = id }
            }
            return .unchanged(at: revision, entries: entries)
        case .conditionFailed, .unknownRevision, .invalid, .outdated, .reviewRequired: return outcome
        }
    }

    private func numbered(_ commit: Commit) -> Commit {
        var commit = commit
        for (key, entry) in commit.changes {
            if let id = entry.flatMap({ given[$0.id] }) { commit.changes[key]??.id = id }
        }
        return commit
    }
}

extension BatchTransaction: StoreTransaction {
    func floor() throws -> UInt64 { try tables.floor() }

    func revision(of namespace: String) throws -> UInt64 {
        if let revision = known.revisions[namespace] { return revision }
        let revision = try tables.revisions(of: [namespace])[namespace] ?? 0
        known.set(revision, of: namespace)
        return revision
    }

    func entry(_ key: String, in namespace: String) throws -> StoredEntry? {
        let place = EntryPlace(namespace: namespace, key: key)
        if known.entries[place] == nil { try read([key], in: namespace) }
        return known.entries[place] ?? nil
    }

    func entries(in namespace: String, from beginning: String) throws -> [String: StoredEntry] {
        try flush()
        return try tables.entries(in: namespace, from: beginning)
    }

    func schemas(in namespace: String) throws -> SchemaSet {
        if let schemas = known.schemas[namespace] { return schemas }
        let schemas = SchemaSet(entries: try entries(in: namespace, from: EntryKind.schema.prefix))
        known.set(schemas, of: namespace)
        return schemas
    }

    func values(in namespace: String, at revision: UInt64) throws -> [String: EntryValue?] {
        try flush()
        let values = try tables.values(in: namespace, at: revision)
        try read(values.keys, in: namespace)
        return values
    }

    func write(_ revision: NewRevision) throws -> [String: StoredEntry?] {
        // One write must contain each entry at most once.
        let turns = revision.changes.filter { $0.old == nil || $0.value == nil }
        if turns.contains(where: { unwritten.entries[revision.place(of: $0)] != nil }) { try flush() }
        var made: [String: StoredEntry?] = [:]
        for change in revision.changes {
            let place = revision.place(of: change)
            let id = (known.entries[place] ?? nil)?.id ?? nextID()
            let entry = revision.entry(change, id: id)
            let createdAt = change.old?.createdAt ?? revision.updatedAt
            let record = RevisionBatch.Record(
                place: place,
                revision: revision.revision,
                change: change,
                id: id,
                createdAt: createdAt
            )
            unwritten.records.append(record)
            unwritten.entries[place] = .some(entry)
            known.write(entry, at: place)
            made[change.key] = .some(entry)
        }
        unwritten.revisions.append(revision)
        known.set(revision.revision, of: revision.namespace)
        return made
    }

    /// A negative number, until the database assigns an id to a new entry.
    private func nextID() -> Int64 {
        lastProvisionalID -= 1
        return lastProvisionalID
    }
}

extension BatchTables {
    /// Commits publishes in the transaction that the database is in: each is checked after the ones before it, and all results are
    /// written at once.
    ///
    /// - Parameters:
    ///   - head: the head of the store, locked by the transaction.
    ///   - updatedAt: the time of its last revision.
    ///   - known: the memory of earlier batches at this head, and afterwards of this one.
    ///   - now: the clock.
    package mutating func commit(
        _ publishes: [Publish],
        at head: RevisionCursor,
        _ updatedAt: Timestamp,
        knowing known: inout BatchMemory,
        now: @escaping () -> Timestamp
    ) throws -> [PublishOutcome] {
        var transaction = BatchTransaction(self, knowing: known)
        // Moved out so that the transaction can change it in place.
        known = BatchMemory()
        try transaction.read(for: publishes)
        var committer = PublishCommitter(head: head.revision, updatedAt: updatedAt, now: now)
        let outcomes = try committer.commit(publishes, in: &transaction)
        try transaction.flush()
        (self, known) = (transaction.tables, transaction.known)
        if committer.head > head.revision { try finish(at: committer.head, committer.updatedAt) }
        known.reached(RevisionCursor(epoch: head.epoch, revision: committer.head), committer.updatedAt)
        return outcomes.map(transaction.numbered)
    }
}

extension NewRevision {
    fileprivate func place(of change: Change) -> EntryPlace { EntryPlace(namespace: namespace, key: change.key) }
}

extension Publish {
    /// The keys that it names.
    fileprivate var keys: [String] {
        let edits: [String: EntryValue?] =
            if case .edit(let edits) = change { PublishCommitter.completed(edits) } else { [:] }
        let edited = Array(edits.keys)
        let named = conditions.compactMap(\.key)
        // The value of a key that is the name of a schema must match it.
        let keys = edited.compactMap(EntryKind.schema.name).filter { !$0.hasSuffix("*") }
        let hasRules = edits.contains { EntryKind.rule.name(of: $0) != nil && $1 != nil }
        return edited + keys + named + (hasRules ? [EntryKind.rule.key(of: EntryKind.sharedRules)] : [])
    }
}

extension Publish.Condition {
    /// The key that it names.
    fileprivate var key: String? {
        switch self {
        case .head: nil
        case .absent(let key), .present(let key), .entry(let key, _): key
        }
    }
}

extension SchemaSet {
    /// The schemas among entries. One that this version cannot read, which no server has stored, is left out.
    package init(entries: [String: StoredEntry]) {
        self.init()
        for (key, entry) in entries { update(with: entry, forKey: key) }
    }

    /// Applies a change of an entry, if it is one of a schema.
    package mutating func update(with entry: StoredEntry?, forKey key: String) {
        guard let name = EntryKind.schema.name(of: key) else { return }
        // A schema that cannot be compiled was refused when it was published.
        schemas[name] = entry.flatMap { try? ConfigSchema($0.value) }
        revisions[name] = entry?.revision
    }
}

extension String {
    /// The first text after all that begin with this one, which is ASCII and not empty.
    package var end: String {
        var bytes = Array(utf8)
        bytes[bytes.count - 1] += 1
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Array {
    /// The elements in parts of a maximum size.
    package func parts(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }

    /// The elements, and the last one again until they are a power of two in number: lists of any length then need only a few
    /// different statements, which are prepared once.
    package var paddedToPowerOfTwo: [Element] {
        guard let last else { return [] }
        var size = 1
        while size < count { size *= 2 }
        return self + Array(repeating: last, count: size - count)
    }
}

/// The bulk reads and writes that a database must provide so that a batch of publishes can be committed in one of its
/// transactions. Reads see earlier writes.
package protocol BatchTables: StoreTables where Failure == any Error {
    /// The last revisions of namespaces; none of one that no revision has changed.
    ///
    /// - Parameter namespaces: at least one.
    func revisions(of namespaces: [String]) throws -> [String: UInt64]

    /// The live entries of keys.
    ///
    /// - Parameter keys: at least one.
    func entries(_ keys: [String], in namespace: String) throws -> [String: StoredEntry]

    /// Writes revisions, with their history and the final entries of the changed keys.
    ///
    /// - Returns: the ids of entries by their provisional ids in the batch, where they differ.
    mutating func write(_ batch: RevisionBatch) throws -> [Int64: Int64]

    /// Writes the head of the store, after a batch that has made revisions.
    mutating func finish(at head: UInt64, _ updatedAt: Timestamp) throws
}

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
