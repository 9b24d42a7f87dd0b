#if MariaDB
    internal import ConfigModel
    internal import ConfigStore

    /// The tables of a store, as they are read.
    struct MariaDBTables {
        let connection: MariaDBConnection
        /// The server that writes, in a transaction that does.
        var writer: UInt64 = 0

        /// The one row of `livery_meta`.
        struct Meta {
            var epoch: Epoch
            var head: UInt64
            var updatedAt: Timestamp
            var leftOut: UInt64
        }

        func meta() throws -> Meta {
            guard let row = try connection.rows(Self.metaRow).first else { throw Self.lostMeta }
            return try Self.meta(row)
        }

        /// The row, locked until the transaction ends, so that no other server gets a revision before.
        func lockedMeta() throws -> Meta {
            guard let row = try connection.rows(Self.metaRow + " FOR UPDATE WAIT 10").first else { throw Self.lostMeta }
            // Administrators can write in spite of read_only, and a replica would diverge.
            if try Self.isReadOnly(row, 4) { throw MariaDBError.readOnly }
            return try Self.meta(row)
        }

        /// Whether the server is read-only.
        func isReadOnly() throws -> Bool {
            try connection.rows("SELECT CAST(@@GLOBAL.read_only AS CHAR)").first.map { try Self.isReadOnly($0, 0) }
                ?? false
        }

        /// All live entries, and the keys of rows that have no value.
        func contents() throws -> (contents: StoreContents, leftOut: [String]) {
            let meta = try meta()
            var namespaces: [String: StoreContents.Namespace] = [:]
            var leftOut: [String] = []
            try connection.run("SELECT name, revision FROM livery_namespaces") { row in
                namespaces[try row.text(0)] = StoreContents.Namespace(revision: try row.unsigned(1), entries: [:])
            }
            try connection.run(Self.entries) { row in
                let key = try row.text(7)
                if let entry = try StoredEntry(row) {
                    namespaces[try row.text(6)]?.entries[key] = entry
                } else {
                    leftOut.append(key)
                }
            }
            let head = Cursor(epoch: meta.epoch, revision: meta.head)
            return (StoreContents(head: head, updatedAt: meta.updatedAt, namespaces: namespaces), leftOut)
        }

        func revision(of namespace: String) throws -> UInt64 {
            let rows = try connection.rows("SELECT revision FROM livery_namespaces WHERE name = ?", [.text(namespace)])
            return try rows.first?.unsigned(0) ?? 0
        }

        func entry(_ key: String, in namespace: String) throws -> StoredEntry? {
            let sql = Self.entries + " WHERE e.namespace = ? AND e.`key` = ?"
            return try connection.rows(sql, [.text(namespace), .text(key)]).first.flatMap { try StoredEntry($0) }
        }

        func history(_ query: HistoryQuery) throws -> [HistoryRecord] {
            let index: SQL = query.key == nil ? "by_revision" : "PRIMARY"
            let filter: SQL = query.key == nil ? "" : " AND h.`key` = ?"
            let order: SQL = " ORDER BY h.revision DESC, h.`key` DESC LIMIT ?"
            let parameters: [MariaDBValue] =
                [.text(query.namespace), .unsigned(query.before ?? .max)] + (query.key.map { [.text($0)] } ?? [])
                + [.integer(Int64(query.limit))]
            return try connection.rows(Self.records(by: index) + filter + order, parameters).map { row in
                HistoryRecord(
                    revision: try row.unsigned(0),
                    key: try row.text(1),
                    value: StoredText.value(try row.optionalText(2), isJSON: try row.integer(3) != 0),
                    author: try row.optionalText(4),
                    message: try row.optionalText(5),
                    updatedAt: Timestamp(milliseconds: try row.integer(6))
                )
            }
        }
    }

    extension MariaDBTables {
        func floor() throws -> UInt64 {
            try connection.rows("SELECT floor FROM livery_pruning").first?.unsigned(0) ?? 0
        }

        /// The values at a revision of the keys that later ones have changed; `nil` if the history does not have it.
        func knownValues(in namespace: String, at revision: UInt64) throws -> [String: EntryValue?]? {
            guard try floor() <= revision, try revision <= meta().head else { return nil }
            return try values(in: namespace, at: revision)
        }

        func values(in namespace: String, at revision: UInt64) throws -> [String: EntryValue?] {
            try keysChanged(in: namespace, after: revision).reduce(into: [:]) { values, key in
                values[key] = .some(try value(of: key, in: namespace, at: revision))
            }
        }

        private func keysChanged(in namespace: String, after revision: UInt64) throws -> [String] {
            try connection.rows(
                """
                SELECT DISTINCT `key` FROM livery_history FORCE INDEX (by_revision)
                WHERE namespace = ? AND revision > ?
                """,
                [.text(namespace), .unsigned(revision)]
            ).map { try $0.text(0) }
        }

        private func value(of key: String, in namespace: String, at revision: UInt64) throws -> EntryValue? {
            let rows = try connection.rows(
                """
                SELECT value, is_json FROM livery_history FORCE INDEX (PRIMARY)
                WHERE namespace = ? AND `key` = ? AND revision <= ? ORDER BY revision DESC LIMIT 1
                """,
                [.text(namespace), .text(key), .unsigned(revision)]
            )
            return try rows.first.flatMap { row in
                StoredText.value(try row.optionalText(0), isJSON: try row.integer(1) != 0)
            }
        }
    }

    extension MariaDBTables {
        private static let metaRow: SQL = """
            SELECT epoch, head, updated_at, left_out, CAST(@@GLOBAL.read_only AS CHAR) FROM livery_meta WHERE id = 1
            """

        private static func isReadOnly(_ row: MariaDBRow, _ column: Int) throws -> Bool {
            !["0", "OFF"].contains(try row.text(column))
        }

        private static let lostMeta = StoreError(
            .damaged,
            "the database has no epoch; restore a backup of the database"
        )

        private static func meta(_ row: MariaDBRow) throws -> Meta {
            guard let epoch = Epoch(try row.text(0)) else { throw lostMeta }
            return Meta(
                epoch: epoch,
                head: try row.unsigned(1),
                updatedAt: Timestamp(milliseconds: try row.integer(2)),
                leftOut: try row.unsigned(3)
            )
        }

        private static let entries: SQL = """
            SELECT e.id, h.value, h.is_json, e.revision, e.created_at, e.updated_at, e.namespace, e.`key`
            FROM livery_entries AS e LEFT JOIN livery_history AS h
                ON h.namespace = e.namespace AND h.`key` = e.`key` AND h.revision = e.revision
            """

        private static func records(by index: SQL) -> SQL {
            """
            SELECT h.revision, h.`key`, h.value, h.is_json, r.author, r.message, r.updated_at
            FROM livery_history AS h FORCE INDEX (
            """ + index + """
                ) JOIN livery_revisions AS r ON r.revision = h.revision
                WHERE h.namespace = ? AND h.revision < ?
                """
        }
    }

    extension StoredEntry {
        /// Reads id, value, whether it is JSON, revision and the two times; `nil` if there is no value.
        init?(_ row: MariaDBRow) throws {
            guard let text = try row.optionalText(1),
                let value = StoredText.value(text, isJSON: try row.integer(2) != 0)
            else { return nil }
            self.init(
                id: try row.integer(0),
                value: value,
                revision: try row.unsigned(3),
                createdAt: Timestamp(milliseconds: try row.integer(4)),
                updatedAt: Timestamp(milliseconds: try row.integer(5))
            )
        }
    }
#endif
