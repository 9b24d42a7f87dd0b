internal import ConfigModel
internal import ConfigStore
internal import GRDB

/// The publishes of one batch, made in one transaction of the database.
struct SQLiteTransaction {
    private let reader: SQLiteReader
    private var db: Database { reader.db }
    private let now: () -> Timestamp
    private var head: UInt64
    private var updatedAt: Timestamp
    private let floor: UInt64
    private var hasCommitted = false

    private struct Namespace {
        var name: String
        var revision: UInt64 = 0
        var digest = ConfigDigest()
    }

    /// - Parameter now: the clock.
    init(db: Database, now: @escaping () -> Timestamp) throws {
        reader = SQLiteReader(db: db)
        self.now = now
        let meta = try reader.meta()
        (head, updatedAt, floor) = (meta.head, meta.updatedAt, meta.floor)
    }

    /// Makes one publish, if its conditions hold after the publishes before it.
    mutating func commit(_ publish: Publish) throws -> PublishOutcome {
        let namespace = try namespace(publish.namespace)
        if let failed = try publish.conditions.first(where: { try !holds($0, in: namespace) }) {
            return .conditionFailed(failed)
        }
        let wanted: [String: ConfigValue?]
        switch publish.change {
        case .edit(let edits): wanted = edits
        case .rollback(let revision):
            guard floor <= revision, revision <= head else { return .unknownRevision(revision) }
            wanted = try reader.values(of: namespace.name, at: revision, changedThrough: head)
        }
        var changes: [Change] = []
        for (key, value) in wanted.sorted(by: { $0.key < $1.key }) {
            let old = try reader.entry(of: namespace.name, key: key)
            if old?.value != value { changes.append(Change(key: key, old: old, value: value)) }
        }
        return changes.isEmpty ? .unchanged : .committed(try make(changes, publish, namespace))
    }

    /// Writes down how far the store is.
    func finish() throws {
        guard hasCommitted else { return }
        try db.cachedStatement(sql: "UPDATE meta SET head = ?, updated_at = ?")
            .execute(arguments: [head.stored, updatedAt.milliseconds])
    }

    private struct Change {
        var key: String
        var old: StoredEntry?
        var value: ConfigValue?
    }

    private func namespace(_ name: String) throws -> Namespace {
        let statement = try db.cachedStatement(sql: "SELECT revision, digest FROM namespaces WHERE name = ?")
        guard let row = try Row.fetchOne(statement, arguments: [name]) else { return Namespace(name: name) }
        guard let digest = ConfigDigest(row[1] as String) else {
            throw StoreError(.damaged, "the namespace '\(name)' has lost its digest; \(OpenedFile.advice)")
        }
        return Namespace(name: name, revision: row[0], digest: digest)
    }

    private func holds(_ condition: Publish.Condition, in namespace: Namespace) throws -> Bool {
        switch condition {
        case .head(let revision):
            return namespace.revision == revision
        case .absent(let key):
            return try reader.entry(of: namespace.name, key: key) == nil
        case .present(let key):
            return try reader.entry(of: namespace.name, key: key) != nil
        case .entry(let key, let revisions):
            guard let entry = try reader.entry(of: namespace.name, key: key) else { return false }
            return revisions.contains(entry.revision)
        }
    }

    private mutating func make(_ changes: [Change], _ publish: Publish, _ old: Namespace) throws -> Commit {
        head += 1
        updatedAt = Timestamp(milliseconds: max(now().milliseconds, updatedAt.milliseconds + 1))
        hasCommitted = true
        var namespace = old
        namespace.revision = head
        try db.cachedStatement(sql: "INSERT INTO revisions VALUES (?, ?, ?, ?, ?)").execute(
            arguments: [
                head.stored, namespace.name, updatedAt.milliseconds, publish.author?.stored, publish.message?.stored,
            ]
        )
        var entries: [String: StoredEntry?] = [:]
        for change in changes {
            if let old = change.old { namespace.digest.remove(old.value, forKey: change.key) }
            if let value = change.value { namespace.digest.insert(value, forKey: change.key) }
            entries[change.key] = .some(try write(change, in: namespace.name))
        }
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO namespaces VALUES (?, ?, ?)")
            .execute(arguments: [namespace.name, head.stored, namespace.digest.description])
        return Commit(
            revision: head,
            updatedAt: updatedAt,
            namespace: namespace.name,
            previous: old.revision,
            changes: entries
        )
    }

    private func write(_ change: Change, in namespace: String) throws -> StoredEntry? {
        let json = change.value?.canonicalJSON
        try db.cachedStatement(sql: "INSERT INTO history VALUES (?, ?, ?, ?)")
            .execute(arguments: [namespace, change.key, head.stored, json])
        guard let value = change.value else {
            try db.cachedStatement(sql: "DELETE FROM entries WHERE id = ?").execute(arguments: [change.old?.id])
            return nil
        }
        guard var entry = change.old else {
            let sql = """
                INSERT INTO entries (namespace, key, value, revision, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)
                """
            let time = updatedAt.milliseconds
            try db.cachedStatement(sql: sql)
                .execute(arguments: [namespace, change.key, json, head.stored, time, time])
            return StoredEntry(
                id: db.lastInsertedRowID,
                value: value,
                revision: head,
                createdAt: updatedAt,
                updatedAt: updatedAt
            )
        }
        (entry.value, entry.revision, entry.updatedAt) = (value, head, updatedAt)
        try db.cachedStatement(sql: "UPDATE entries SET value = ?, revision = ?, updated_at = ? WHERE id = ?")
            .execute(arguments: [json, head.stored, updatedAt.milliseconds, entry.id])
        return entry
    }
}
