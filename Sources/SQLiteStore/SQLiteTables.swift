internal import ConfigModel
internal import ConfigStore
internal import GRDB

/// The tables of a store, as they are read.
struct SQLiteTables {
    let db: Database

    /// The one row of `meta`.
    struct Meta {
        var epoch: Epoch
        var head: UInt64
        var updatedAt: Timestamp
        var floor: UInt64
    }

    func meta() throws -> Meta {
        let statement = try db.cachedStatement(sql: "SELECT epoch, head, updated_at, floor FROM meta")
        guard let row = try Row.fetchOne(statement), let epoch = Epoch(row[0] as String) else {
            throw StoreError(.damaged, "the database has no epoch; \(OpenedFile.advice)")
        }
        return Meta(epoch: epoch, head: row[1], updatedAt: Timestamp(milliseconds: row[2]), floor: row[3])
    }

    /// All live entries, checked against the digests that the commits have written.
    func contents() throws -> StoreContents {
        let meta = try meta()
        var namespaces: [String: StoreContents.Namespace] = [:]
        var digests: [String: String] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT name, revision, digest FROM namespaces") {
            namespaces[row[0]] = StoreContents.Namespace(revision: row[1], entries: [:])
            digests[row[0]] = row[2]
        }
        let sql = "SELECT namespace, key, id, value, revision, created_at, updated_at FROM entries"
        let rows = try Row.fetchCursor(db, sql: sql)
        while let row = try rows.next() {
            namespaces[row[0], default: .init(revision: 0, entries: [:])].entries[row[1]] = try StoredEntry(
                row,
                from: 2
            )
        }
        for (name, namespace) in namespaces {
            let digest = ConfigDigest(namespace.entries.lazy.map { ($0.key, $0.value.value) })
            guard digest.description == digests[name] else {
                let message = "the entries of the namespace '\(name)' do not match their digest; \(OpenedFile.advice)"
                throw StoreError(.damaged, message)
            }
        }
        let head = ConfigModel.Cursor(epoch: meta.epoch, revision: meta.head)
        return StoreContents(head: head, updatedAt: meta.updatedAt, namespaces: namespaces)
    }

    func entry(_ key: String, in namespace: String) throws -> StoredEntry? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT id, value, revision, created_at, updated_at FROM entries WHERE namespace = ? AND key = ?
                """
        )
        return try Row.fetchOne(statement, arguments: [namespace, key]).map { try StoredEntry($0, from: 0) }
    }

    func history(of namespace: String, key: String?, before: UInt64?, limit: Int) throws -> [HistoryRecord] {
        let filter = key == nil ? "" : "AND h.key = :key"
        let order = key == nil ? "h.revision DESC, h.key DESC" : "h.revision DESC"
        let statement = try db.cachedStatement(
            sql: """
                SELECT h.revision, h.key, h.value, r.author, r.message, r.updated_at
                FROM history AS h CROSS JOIN revisions AS r ON r.revision = h.revision
                WHERE h.namespace = :namespace \(filter) AND h.revision < :before
                ORDER BY \(order) LIMIT :limit
                """
        )
        var arguments: StatementArguments = [
            "namespace": namespace, "before": (before ?? .max).stored, "limit": max(1, limit),
        ]
        if let key { arguments += ["key": key] }
        return try Row.fetchAll(statement, arguments: arguments).map { row in
            HistoryRecord(
                revision: row[0],
                key: row[1],
                value: try (row[2] as String?).map { try EntryValue(stored: $0) },
                author: try String(stored: row[3]),
                message: try String(stored: row[4]),
                updatedAt: Timestamp(milliseconds: row[5])
            )
        }
    }
}

extension SQLiteTables: KeyHistory {
    func floor() throws -> UInt64 { try meta().floor }

    func head() throws -> UInt64 { try meta().head }

    func keysChanged(in namespace: String, after: UInt64, through: UInt64) throws -> [String] {
        let statement = try db.cachedStatement(
            sql: "SELECT DISTINCT key FROM history WHERE namespace = ? AND revision > ? AND revision <= ?"
        )
        return try String.fetchAll(statement, arguments: [namespace, after.stored, through.stored])
    }

    func value(of key: String, in namespace: String, at revision: UInt64) throws -> EntryValue? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT value FROM history WHERE namespace = ? AND key = ? AND revision <= ?
                ORDER BY revision DESC LIMIT 1
                """
        )
        // NULL is a tombstone, which reads as no value.
        return try String.fetchOne(statement, arguments: [namespace, key, revision.stored])
            .map { try EntryValue(stored: $0) }
    }
}

extension StoredEntry {
    /// Reads id, value, revision and the two times from consecutive columns.
    fileprivate init(_ row: Row, from column: Int) throws {
        self.init(
            id: row[column],
            value: try EntryValue(stored: row[column + 1]),
            revision: row[column + 2],
            createdAt: Timestamp(milliseconds: row[column + 3]),
            updatedAt: Timestamp(milliseconds: row[column + 4])
        )
    }
}
