// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import GRDB

/// The tables of a store.
struct SQLiteTables {
    let db: Database

    func rows(_ sql: String, _ arguments: StatementArguments = []) throws -> [Row] {
        try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
    }

    func run(_ sql: String, _ arguments: StatementArguments = []) throws {
        try db.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// The one row of `meta`.
    struct Meta {
        var head: RevisionCursor
        var updatedAt: Timestamp
        var floor: UInt64
    }

    func meta() throws -> Meta {
        let row = try rows("SELECT epoch, head, updated_at, floor FROM meta").first
        guard let row, let epoch = Epoch(try row.decode(String.self, atIndex: 0)) else {
            throw StoreError(.damaged, "the database has no epoch; \(OpenedFile.advice)")
        }
        return Meta(
            head: RevisionCursor(epoch: epoch, revision: try row.revision(1, of: "meta.head")),
            updatedAt: try row.date(2, of: "meta.updated_at"),
            floor: try row.revision(3, of: "meta.floor")
        )
    }

    /// All live entries, checked against the digests that the commits have written.
    func contents() throws -> StoreContents {
        let meta = try meta()
        // An error that concerns pruning alone must not fail the first commit.
        _ = try sweep()
        var namespaces: [String: StoreContents.Namespace] = [:]
        var digests: [String: String] = [:]
        for row in try rows("SELECT name, revision, digest FROM namespaces") {
            let revision = try row.revision(1, of: "namespaces.revision")
            let name = try row.decode(String.self, atIndex: 0)
            namespaces[name] = StoreContents.Namespace(revision: revision, entries: [:])
            digests[name] = try row.decode(atIndex: 2)
        }
        let sql = "SELECT namespace, key, id, value, revision, created_at, updated_at FROM entries"
        let rows = try Row.fetchCursor(db, sql: sql)
        while let row = try rows.next() {
            let entry = try StoredEntry(row, from: 2)
            let (name, key) = (try row.decode(String.self, atIndex: 0), try row.decode(String.self, atIndex: 1))
            namespaces[name, default: .init(revision: 0, entries: [:])].entries[key] = entry
        }
        for (name, namespace) in namespaces {
            let digest = ConfigDigest(namespace.entries.lazy.map { ($0.key, $0.value.value) })
            guard digest.description == digests[name] else {
                let message = "the entries of the namespace '\(name)' do not match their digest; \(OpenedFile.advice)"
                throw StoreError(.damaged, message)
            }
        }
        return StoreContents(head: meta.head, updatedAt: meta.updatedAt, namespaces: namespaces)
    }

    func history(_ query: HistoryQuery, charging charge: ReadCharge) throws -> [HistoryRecord] {
        let filter = query.key == nil ? "" : "AND h.key = :key"
        let order = query.key == nil ? "h.revision DESC, h.key DESC" : "h.revision DESC"
        let sql = """
            SELECT h.revision, h.key, h.value, r.author, r.message, r.updated_at
            FROM history AS h CROSS JOIN revisions AS r ON r.revision = h.revision
            WHERE h.namespace = :namespace \(filter) AND h.revision < :before
            ORDER BY \(order) LIMIT :limit
            """
        var arguments: StatementArguments = [
            "namespace": query.namespace, "before": (query.before ?? .max).stored, "limit": query.limit,
        ]
        if let key = query.key { arguments += ["key": key] }
        let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
        var records: [HistoryRecord] = []
        while let row = try rows.next() {
            let value = try row.decode(String?.self, atIndex: 2)
            try charge.row(value?.utf8.count ?? 0)
            records.append(
                HistoryRecord(
                    revision: try row.revision(0, of: "history.revision"),
                    key: try row.decode(atIndex: 1),
                    value: try value.map { try EntryValue(stored: $0) },
                    author: try String(stored: row.decode(atIndex: 3)),
                    message: try String(stored: row.decode(atIndex: 4)),
                    updatedAt: try row.date(5, of: "revisions.updated_at")
                )
            )
        }
        return records
    }

    /// The values at a revision of the keys that later ones have changed; `nil` if the history does not have it.
    func knownValues(
        in namespace: String,
        at revision: UInt64,
        charging charge: ReadCharge
    ) throws -> [String: EntryValue?]? {
        let meta = try meta()
        let isKnown = meta.floor <= revision && revision <= meta.head.revision
        return isKnown ? try values(in: namespace, at: revision, charging: charge) : nil
    }
}

extension SQLiteTables: BatchTables {
    func finish(at head: UInt64, _ updatedAt: Timestamp) throws {
        try run("UPDATE meta SET head = ?, updated_at = ?", [head.stored, updatedAt.milliseconds])
    }

    /// Writes the rows of a commit, and rolls back. SQLite would not write an unchanged row.
    func probe() throws {
        let revision = try meta().head.revision + 1
        try run("INSERT INTO revisions VALUES (?, '', 0, NULL, NULL)", [revision.stored])
        try run("INSERT INTO history VALUES ('', '', ?, NULL)", [revision.stored])
        try run("INSERT INTO namespaces VALUES ('', ?, '')", [revision.stored])
        try run("INSERT INTO entries VALUES (NULL, '', '', '', ?, 0, 0)", [revision.stored])
        for table in ["history", "entries"] { try run("DELETE FROM \(table) WHERE namespace = ''") }
        try run("DELETE FROM namespaces WHERE name = ''")
        try run("DELETE FROM revisions WHERE revision = ?", [revision.stored])
    }

    func floor() throws -> UInt64 { try meta().floor }

    func revisions(of namespaces: [String]) throws -> [String: UInt64] {
        let names = namespaces.paddedToPowerOfTwo
        let sql = "SELECT name, revision FROM namespaces WHERE name IN (\(databaseQuestionMarks(count: names.count)))"
        return try rows(sql, StatementArguments(names)).reduce(into: [:]) {
            $0[try $1.decode(atIndex: 0)] = try $1.revision(1, of: "namespaces.revision")
        }
    }

    func entries(_ keys: [String], in namespace: String) throws -> [String: StoredEntry] {
        let keys = keys.paddedToPowerOfTwo
        let sql = """
            SELECT key, id, value, revision, created_at, updated_at FROM entries
            WHERE namespace = ? AND key IN (\(databaseQuestionMarks(count: keys.count)))
            """
        return try entries(sql, StatementArguments([namespace] + keys))
    }

    func entries(in namespace: String, from beginning: String) throws -> [String: StoredEntry] {
        let columns = "SELECT key, id, value, revision, created_at, updated_at FROM entries WHERE namespace = ?"
        if beginning.isEmpty { return try entries(columns, [namespace]) }
        return try entries("\(columns) AND key >= ? AND key < ?", [namespace, beginning, beginning.end])
    }

    private func entries(_ sql: String, _ arguments: StatementArguments) throws -> [String: StoredEntry] {
        // One row at a time: an array would have a copy of each.
        let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
        var entries: [String: StoredEntry] = [:]
        while let row = try rows.next() { entries[try row.decode(atIndex: 0)] = try StoredEntry(row, from: 1) }
        return entries
    }

    func values(in namespace: String, at revision: UInt64) throws -> [String: EntryValue?] {
        try values(in: namespace, at: revision, charging: .free)
    }

    private func values(
        in namespace: String,
        at revision: UInt64,
        charging charge: ReadCharge
    ) throws -> [String: EntryValue?] {
        let sql = """
            SELECT key, (
                SELECT value FROM history AS old
                WHERE old.namespace = ?1 AND old.key = new.key AND old.revision <= ?2
                ORDER BY old.revision DESC LIMIT 1
            ) FROM (SELECT DISTINCT key FROM history WHERE namespace = ?1 AND revision > ?2) AS new
            """
        // NULL is a tombstone or no record, which both mean no value.
        let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: [namespace, revision.stored])
        var values: [String: EntryValue?] = [:]
        while let row = try rows.next() {
            let value = try row.decode(String?.self, atIndex: 1)
            try charge.row(value?.utf8.count ?? 0)
            values[try row.decode(atIndex: 0)] = .some(try value.map { try EntryValue(stored: $0) })
        }
        return values
    }

    func write(_ batch: RevisionBatch) throws -> [Int64: Int64] {
        let revisions = batch.revisions.map { revision -> StatementArguments in
            let (author, message) = (revision.author?.stored, revision.message?.stored)
            let (number, time) = (revision.revision.stored, revision.updatedAt.milliseconds)
            return [number, revision.namespace, time, author, message]
        }
        try insert(revisions, as: "(?, ?, ?, ?, ?)", into: "revisions")
        let history = batch.records.map { record -> StatementArguments in
            let (place, json) = (record.place, record.change.value?.canonicalJSON)
            return [place.namespace, place.key, record.revision.stored, json]
        }
        try insert(history, as: "(?, ?, ?, ?)", into: "history")
        try writeNamespaces(batch)
        return try writeEntries(batch)
    }

    /// Inserts rows by few statements: each has a power of two of them, so that few are prepared.
    private func insert(_ rows: [StatementArguments], as row: String, into table: String) throws {
        var rest = rows[...]
        while !rest.isEmpty {
            var size = 1
            while size < 64, size * 2 <= rest.count { size *= 2 }
            var arguments = StatementArguments()
            for row in rest.prefix(size) { arguments += row }
            // A failure ends the transaction in any case. So nothing is kept to undo this statement alone.
            let sql = "INSERT OR ROLLBACK INTO \(table) VALUES \(String(repeating: row + ", ", count: size - 1))\(row)"
            try run(sql, arguments)
            rest = rest.dropFirst(size)
        }
    }

    private func writeNamespaces(_ batch: RevisionBatch) throws {
        let records = Dictionary(grouping: batch.records, by: \.place.namespace)
        for (namespace, revision) in batch.namespaces {
            var digest = try digest(of: namespace)
            for record in records[namespace] ?? [] {
                let (key, change) = (record.place.key, record.change)
                if let old = change.old { digest.remove(old.value, forKey: key) }
                if let value = change.value { digest.insert(value, forKey: key) }
            }
            let row: StatementArguments = [namespace, revision.stored, digest.description]
            try run("INSERT OR REPLACE INTO namespaces VALUES (?, ?, ?)", row)
        }
    }

    private func digest(of namespace: String) throws -> ConfigDigest {
        let row = try rows("SELECT digest FROM namespaces WHERE name = ?", [namespace]).first
        guard let row else { return ConfigDigest() }
        guard let digest = ConfigDigest(try row.decode(String.self, atIndex: 0)) else {
            throw StoreError(.damaged, "the namespace '\(namespace)' has no valid digest; \(OpenedFile.advice)")
        }
        return digest
    }

    /// - Returns: the ids of the new entries.
    private func writeEntries(_ batch: RevisionBatch) throws -> [Int64: Int64] {
        var ids: [Int64: Int64] = [:]
        for place in batch.removals {
            try run("DELETE FROM entries WHERE namespace = ? AND key = ?", [place.namespace, place.key])
        }
        for (place, entry) in batch.upserts {
            let (json, number, time) = (entry.value.canonicalJSON, entry.revision.stored, entry.updatedAt.milliseconds)
            if entry.id > 0 {
                let sql = "UPDATE entries SET value = ?, revision = ?, updated_at = ? WHERE id = ?"
                try run(sql, [json, number, time, entry.id])
            } else {
                try run(
                    """
                    INSERT INTO entries (namespace, key, value, revision, created_at, updated_at)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                    [place.namespace, place.key, json, number, entry.createdAt.milliseconds, time]
                )
                ids[entry.id] = db.lastInsertedRowID
            }
        }
        return ids
    }
}

extension StoredEntry {
    /// Reads id, value, revision and the two times from consecutive columns.
    fileprivate init(_ row: Row, from column: Int) throws {
        self.init(
            id: try row.decode(atIndex: column),
            value: try EntryValue(stored: row.decode(atIndex: column + 1)),
            revision: try row.revision(column + 2, of: "entries.revision"),
            createdAt: try row.date(column + 3, of: "entries.created_at"),
            updatedAt: try row.date(column + 4, of: "entries.updated_at")
        )
    }
}

extension Row {
    /// Reads a revision, which may be any number if something else has written it.
    ///
    /// - Parameter name: the table and the column.
    func revision(_ column: Int, of name: String) throws -> UInt64 {
        try UInt64(storedRevision: try decode(atIndex: column), in: name)
    }

    /// Reads a date.
    ///
    /// - Parameter name: the table and the column.
    func date(_ column: Int, of name: String) throws -> Timestamp {
        try Timestamp(storedMilliseconds: try decode(atIndex: column), in: name)
    }
}
