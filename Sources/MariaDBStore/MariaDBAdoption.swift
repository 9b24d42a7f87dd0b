#if MariaDB
    internal import ConfigModel
    internal import ConfigStore

    /// Makes one revision of the differences between the table `config` and the store: of the whole table after the upgrade,
    /// and later of changes that bypassed the triggers, such as a TRUNCATE or a restored copy without them.
    struct MariaDBAdoption {
        let connection: MariaDBConnection
        let now: () -> Timestamp

        /// - Returns: the number of keys that were changed.
        func adopt() throws -> UInt64 {
            guard try differences() > 0 else { return 0 }
            return try connection.transaction {
                let tables = MariaDBTables(connection: connection)
                let meta = try tables.lockedMeta()
                let count = try differences()
                guard count > 0 else { return 0 }
                try make(meta.head + 1, now().following(meta.updatedAt).milliseconds, tables)
                return count
            }
        }

        private func differences() throws -> UInt64 {
            try connection.rows(Self.count).reduce(0) { try $0 + $1.unsigned(0) }
        }

        private func make(_ revision: UInt64, _ time: Int64, _ tables: MariaDBTables) throws {
            let number = MariaDBValue.unsigned(revision)
            let previous = try tables.revision(of: NamespaceRule.standard)
            try connection.run(Self.recordNew, [number, .integer(time), .integer(time)])
            try connection.run(Self.recordRemoved, [number])
            try connection.run(Self.deleteRemoved)
            try connection.run(Self.enterNew, [.integer(time), number])
            try connection.run(
                """
                INSERT INTO livery_revisions (revision, namespace, previous, updated_at, message)
                VALUES (?, 'default', ?, ?, 'found in the table config')
                """,
                [number, .unsigned(previous), .integer(time)]
            )
            try connection.run(
                """
                INSERT INTO livery_namespaces (name, revision) VALUES ('default', ?)
                ON DUPLICATE KEY UPDATE revision = VALUES(revision)
                """,
                [number]
            )
            try connection.run(
                "UPDATE livery_meta SET head = ?, updated_at = ? WHERE id = 1",
                [number, .integer(time)]
            )
        }

        // Invalid keys never become entries, so they do not count as differences.
        private static let rowsThatDiffer: SQL =
            """

            FROM config AS c
                LEFT JOIN livery_entries AS e ON e.namespace = 'default' AND e.`key` = c.`key`
                LEFT JOIN livery_history AS h
                    ON h.namespace = e.namespace AND h.`key` = e.`key` AND h.revision = e.revision
            WHERE (e.`key` IS NULL OR NOT (h.value <=> c.value AND e.id = c.id)) AND
            """ + " " + MariaDBSchema.isKey("c.`key`")

        private static let entriesWithoutRow: SQL = """

            FROM livery_entries AS e LEFT JOIN config AS c ON c.`key` = e.`key`
            WHERE e.namespace = 'default' AND c.id IS NULL
            """

        private static let count: SQL =
            "SELECT CAST(COUNT(*) AS UNSIGNED) " + rowsThatDiffer + " UNION ALL SELECT CAST(COUNT(*) AS UNSIGNED) "
            + entriesWithoutRow

        private static let recordNew: SQL =
            """
            INSERT INTO livery_history (namespace, `key`, revision, entry_id, created_at, is_json, value)
            SELECT 'default', c.`key`, ?, c.id,
                COALESCE(e.created_at, LEAST(NULLIF(CAST(UNIX_TIMESTAMP(c.created_at) AS SIGNED), 0) * 1000, ?), ?),
                COALESCE(h.is_json, 0), c.value
            """ + rowsThatDiffer

        private static let recordRemoved: SQL =
            """
            INSERT INTO livery_history (namespace, `key`, revision, entry_id, created_at, is_json, value)
            SELECT 'default', e.`key`, ?, e.id, e.created_at, 0, NULL
            """ + entriesWithoutRow

        private static let deleteRemoved: SQL = "DELETE e " + entriesWithoutRow

        private static let enterNew: SQL = """
            INSERT INTO livery_entries (namespace, `key`, id, revision, created_at, updated_at)
            SELECT h.namespace, h.`key`, h.entry_id, h.revision, h.created_at, ?
            FROM livery_history AS h JOIN config AS c ON c.`key` = h.`key`
            WHERE h.namespace = 'default' AND h.revision = ?
            ON DUPLICATE KEY UPDATE id = VALUES(id), revision = VALUES(revision), updated_at = VALUES(updated_at)
            """
    }
#endif
