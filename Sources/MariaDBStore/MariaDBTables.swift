// SPDX-License-Identifier: Apache-2.0

#if MariaDB
    internal import ConfigModel
    internal import ConfigStore

    /// The tables of a store, as a connection reads and writes them.
    struct MariaDBTables {
        let connection: MariaDBConnection
        /// The server that writes a batch of publishes, and the number of the batch.
        var batch: MariaDBCommitter.Batch = (writer: 0, number: 0)
        /// The id of the next new entry of the batch that has no row in the table `config`.
        var nextID: Int64 = 0
        /// The namespaces that the batch has changed, with their last revisions.
        var namespaces: [String: UInt64] = [:]

        /// The one row of `livery_meta`.
        struct Meta {
            var cursor: RevisionCursor
            var updatedAt: Timestamp
            /// The number of changes of invalid rows so far.
            var leftOut: UInt64
            /// The id of the next new entry that has no row in the table `config`.
            var nextID: Int64

            var head: UInt64 { cursor.revision }
        }

        func meta() throws -> Meta {
            try Self.meta(connection.rows(Self.metaRow).first)
        }

        /// Begins a new history, unless another server has.
        func beginEpoch(after epoch: Epoch) throws {
            let (new, old) = (Epoch.random().description, epoch.description)
            try connection.run("UPDATE livery_meta SET epoch = \(new) WHERE id = 1 AND epoch = \(old)")
        }

        /// The row, locked until the transaction ends, so that no other server gets a revision before.
        func lockedMeta() throws -> Meta {
            let row = try connection.rows("\(Self.metaRow) FOR UPDATE WAIT 10").first
            // Administrators can write in spite of read_only, and a replica would diverge.
            if let row, Self.isOn(try row[5]) { throw MariaDBError.readOnly }
            return try Self.meta(row)
        }

        /// Whether the server is read-only.
        func isReadOnly() throws -> Bool {
            Self.isOn(try connection.value("SELECT CAST(@@GLOBAL.read_only AS CHAR)") ?? "0")
        }

        /// All live entries, and the keys of rows that have no value.
        func contents() throws -> (contents: StoreContents, leftOut: [String]) {
            let meta = try meta()
            var contents = StoreContents(head: meta.cursor, updatedAt: meta.updatedAt, namespaces: [:])
            var leftOut: [String] = []
            try connection.run("SELECT name, revision FROM livery_namespaces") { row in
                contents.namespaces[try row[0]] = StoreContents.Namespace(revision: try row.revision(1), entries: [:])
            }
            try connection.run(Self.entries) { row in
                let key: String = try row[7]
                if let entry = try StoredEntry(row) {
                    contents.namespaces[try row[6]]?.entries[key] = entry
                } else {
                    leftOut.append(key)
                }
            }
            return (contents, leftOut)
        }

        /// The live entries of some keys, of which there is at least one.
        func entries(_ keys: [String], in namespace: String) throws -> [String: StoredEntry] {
            let sql: SQL = "\(Self.entries) WHERE e.namespace = \(namespace) AND e.`key` IN (\(anyOf: keys))"
            return try connection.rows(sql).reduce(into: [:]) { $0[try $1[7]] = try StoredEntry($1) }
        }

        func entries(in namespace: String, from beginning: String) throws -> [String: StoredEntry] {
            let filter: SQL =
                beginning.isEmpty ? "" : " AND e.`key` >= \(beginning) AND e.`key` < \(beginning.end)"
            return try connection.rows("\(Self.entries) WHERE e.namespace = \(namespace)\(filter)")
                .reduce(into: [:]) { $0[try $1[7]] = try StoredEntry($1) }
        }

        func history(_ query: HistoryQuery, charging charge: ReadCharge) throws -> [HistoryRecord] {
            let index: SQL = query.key == nil ? "by_revision" : "PRIMARY"
            let filter: SQL = if let key = query.key { " AND h.`key` = \(key)" } else { "" }
            var records: [HistoryRecord] = []
            try connection.run(
                """
                SELECT h.revision, h.`key`, h.value, h.is_json, r.author, r.message, r.updated_at
                FROM livery_history AS h FORCE INDEX (\(index)) JOIN livery_revisions AS r ON r.revision = h.revision
                WHERE h.namespace = \(query.namespace) AND h.revision < \(query.before ?? .max)\(filter)
                ORDER BY h.revision DESC, h.`key` DESC LIMIT \(query.limit)
                """,
                isStreamed: true
            ) { row in
                let text: String? = try row[2]
                try charge.row(text?.utf8.count ?? 0)
                records.append(
                    HistoryRecord(
                        revision: try row.revision(0),
                        key: try row[1],
                        value: StoredText.value(text, isJSON: try row[3]),
                        author: try row[4],
                        message: try row[5],
                        updatedAt: try row.date(6)
                    )
                )
            }
            return records
        }

        private static let metaRow: SQL = """
            SELECT epoch, head, updated_at, left_out, next_id, CAST(@@GLOBAL.read_only AS CHAR)
            FROM livery_meta WHERE id = 1
            """

        private static let entries: SQL = """
            SELECT e.id, h.value, h.is_json, e.revision, e.created_at, e.updated_at, e.namespace, e.`key`
            FROM livery_entries AS e LEFT JOIN livery_history AS h
                ON h.namespace = e.namespace AND h.`key` = e.`key` AND h.revision = e.revision
            """

        private static func isOn(_ variable: String) -> Bool { !["0", "OFF"].contains(variable) }

        private static func meta(_ row: MariaDBRow?) throws -> Meta {
            guard let row, let epoch = Epoch(try row[0]) else {
                throw StoreError(.damaged, "the database has no epoch; restore a backup of the database")
            }
            let cursor = RevisionCursor(epoch: epoch, revision: try row.revision(1))
            let nextID = Int64(try row.revision(4))
            return Meta(cursor: cursor, updatedAt: try row.date(2), leftOut: try row[3], nextID: nextID)
        }
    }

    extension MariaDBTables {
        /// Waits until everything that has been read on this connection is on the database's disk.
        ///
        /// InnoDB shows a commit to others before its log is on disk, and if it is killed in between, it starts without that
        /// commit. The log is written in order, so when a commit of our own is on disk, those before it are too. Not to be
        /// called in a transaction.
        func waitForDisk() throws {
            // A replica receives lost data from its primary again.
            if try isReadOnly() { return }
            try connection.run(
                """
                INSERT INTO livery_writers (writer, batch) VALUES (\(Self.reader), 0)
                ON DUPLICATE KEY UPDATE batch = batch + 1
                """
            )
        }

        /// Does what commits and pruning do, except that it changes no row: the database checks the permissions, the tables and
        /// whether it may be written to.
        ///
        /// - Parameter isWriting: whether to commit a row as well, for which there must be space.
        func probe(writing isWriting: Bool) throws {
            try connection.transaction {
                for command in MariaDBSchema.probes { try connection.run(command) }
                _ = try lockedMeta()
            }
            if isWriting { try waitForDisk() }
        }

        /// The number of the row that this process changes for that.
        private static let reader = UInt64.random(in: .min ... .max)

        func floor() throws -> UInt64 {
            try connection.rows("SELECT floor FROM livery_pruning").first?.revision(0) ?? 0
        }

        /// The values at a revision of the keys that later ones have changed; `nil` if the history does not have it.
        func knownValues(
            in namespace: String,
            at revision: UInt64,
            charging charge: ReadCharge
        ) throws -> [String: EntryValue?]? {
            guard try floor() <= revision, try revision <= meta().cursor.revision else { return nil }
            return try values(in: namespace, at: revision, charging: charge)
        }

        /// One query, however many keys have changed: each would take as long as a message takes to the database and back.
        func values(
            in namespace: String,
            at revision: UInt64,
            charging charge: ReadCharge
        ) throws -> [String: EntryValue?] {
            var values: [String: EntryValue?] = [:]
            try connection.run(
                """
                SELECT k.`key`, h.value, h.is_json
                FROM (
                    SELECT DISTINCT `key` FROM livery_history FORCE INDEX (by_revision)
                    WHERE namespace = \(namespace) AND revision > \(revision)
                ) AS k LEFT JOIN livery_history AS h FORCE INDEX (PRIMARY)
                    ON h.namespace = \(namespace) AND h.`key` = k.`key` AND h.revision = (
                        SELECT p.revision FROM livery_history AS p FORCE INDEX (PRIMARY)
                        WHERE p.namespace = \(namespace) AND p.`key` = k.`key` AND p.revision <= \(revision)
                        ORDER BY p.revision DESC LIMIT 1
                    )
                """,
                isStreamed: true
            ) { row in
                let (text, isJSON): (String?, Bool?) = (try row[1], try row[2])
                try charge.row(text?.utf8.count ?? 0)
                values.updateValue(StoredText.value(text, isJSON: isJSON ?? false), forKey: try row[0])
            }
            return values
        }
    }

    /// The history is pruned concurrently with commits, by one server at a time.
    extension MariaDBTables: PrunableHistory {
        func sweep() throws -> (head: UInt64, sweep: HistoryPruning.Sweep)? {
            let sql: SQL = """
                SELECT floor, swept_revision, swept_key FROM livery_pruning WHERE id = 1 FOR UPDATE NOWAIT
                """
            guard let row = try connection.rows(sql).first else { return nil }
            return (
                try meta().cursor.revision, (floor: try row.revision(0), revision: try row.revision(1), key: try row[2])
            )
        }

        func save(_ sweep: HistoryPruning.Sweep) throws {
            try connection.run(
                """
                UPDATE livery_pruning SET floor = \(sweep.floor), swept_revision = \(sweep.revision),
                    swept_key = \(sweep.key) WHERE id = 1
                """
            )
        }

        func revisions(
            after: UInt64,
            through: UInt64,
            limit: Int
        ) throws -> [(revision: UInt64, updatedAt: Timestamp)] {
            try connection.rows(
                """
                SELECT revision, updated_at FROM livery_revisions WHERE revision > \(after) AND revision <= \(through)
                ORDER BY revision LIMIT \(limit)
                """
            ).map { (try $0.revision(0), try $0.date(1)) }
        }

        func records(of sweep: HistoryPruning.Sweep, limit: Int) throws -> [HistoryPruning.Record] {
            try connection.rows(
                """
                SELECT h.namespace, h.`key`, h.revision
                FROM livery_revisions AS r JOIN livery_history AS h FORCE INDEX (by_revision)
                    ON h.namespace = r.namespace AND h.revision = r.revision
                WHERE r.revision >= \(sweep.revision) AND r.revision <= \(sweep.floor)
                    AND (r.revision > \(sweep.revision) OR h.`key` > \(sweep.key))
                ORDER BY r.revision, h.`key` LIMIT \(limit)
                """
            ).map { (namespace: try $0[0], key: try $0[1], revision: try $0.revision(2)) }
        }

        func removeRecords(supersededBy records: [HistoryPruning.Record]) throws {
            var revisions = records.map { (namespace: $0.namespace, revision: $0.revision) }
            for part in records.parts(of: 64) {
                let older = part.paddedToPowerOfTwo.reduce("FALSE" as SQL) { filter, record in
                    """
                    \(filter) OR (namespace = \(record.namespace) AND `key` = \(record.key)
                        AND revision < \(record.revision))
                    """
                }
                try connection.run(
                    "SELECT namespace, revision FROM livery_history FORCE INDEX (PRIMARY) WHERE \(older)"
                ) {
                    revisions.append((namespace: try $0[0], revision: try $0.revision(1)))
                }
            }
            try connection.run(each: records) { record in
                """
                DELETE FROM livery_history
                WHERE namespace = \(record.namespace) AND `key` = \(record.key) AND revision < \(record.revision)
                """
            }
            try connection.run(each: records) { record in
                """
                DELETE FROM livery_history WHERE namespace = \(record.namespace) AND `key` = \(record.key)
                    AND revision = \(record.revision) AND value IS NULL
                """
            }
            try connection.run(each: revisions) { revision in
                """
                DELETE FROM livery_revisions WHERE revision = \(revision.revision) AND NOT EXISTS (
                    SELECT 1 FROM livery_history AS h FORCE INDEX (by_revision)
                    WHERE h.namespace = \(revision.namespace) AND h.revision = \(revision.revision)
                )
                """
            }
        }
    }

    extension StoredEntry {
        /// Reads id, value, whether it is JSON, revision and the two times; `nil` if there is no value.
        init?(_ row: MariaDBRow) throws {
            guard let text: String = try row[1], let value = StoredText.value(text, isJSON: try row[2]) else {
                return nil
            }
            self.init(
                id: try row[0],
                value: value,
                revision: try row.revision(3),
                createdAt: try row.date(4),
                updatedAt: try row.date(5)
            )
        }
    }

    /// A value as the table `config` has it: a string is its own text, and everything else is JSON, which a flag marks.
    ///
    /// Texts written by hand are strings, unless the entry was JSON before and the new text is valid JSON: so a number
    /// that is edited by hand stays a number.
    struct StoredText {
        var text: String
        var isJSON: Bool

        init(_ value: EntryValue) {
            switch value {
            case .string(let text): (self.text, isJSON) = (text, false)
            default: (text, isJSON) = (value.canonicalJSON, true)
            }
        }

        /// - Returns: `nil` for NULL, and for a value that is too large.
        static func value(_ text: String?, isJSON: Bool) -> EntryValue? {
            guard let text else { return nil }
            // Anything but JSON is a string.
            let json = isJSON ? try? EntryValue(stored: Array(text.utf8)) : nil
            let value = json ?? .string(text)
            // A text may have been written by other programs; JSON was read with a limit.
            return json == nil && value.canonicalByteCount > EntryValue.maximumBytes ? nil : value
        }
    }
#endif
