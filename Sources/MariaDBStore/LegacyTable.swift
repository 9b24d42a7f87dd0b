// SPDX-License-Identifier: Apache-2.0

#if MariaDB
    internal import ConfigModel
    internal import ConfigStore

    /// The table `config` as it is found: the legacy one, of the server before Livery, or another program's.
    struct LegacyTable {
        struct Column {
            var name: String
            var type: String
            var length: UInt64
            var collation: String?
            var isUnique: Bool
            var numbersItself: Bool
        }

        var columns: [Column]
        var isInnoDB: Bool
        /// The bytes of the longest value in UTF-8.
        var longestValue: UInt64 = 0

        /// The change that collates texts by their bytes, so that the table keeps apart keys that differ in case, and stores
        /// emoji; `nil` if it is not needed.
        ///
        /// - Throws: ``StoreError`` if the table is another program's.
        func upgrade() throws(StoreError) -> SQL? {
            guard let id = column("id"), let key = column("key"), let value = column("value") else {
                throw foreign("columns are missing")
            }
            guard id.type.hasSuffix("int"), id.type != "bigint", id.isUnique, id.numbersItself else {
                throw foreign("id is not an AUTO_INCREMENT number")
            }
            guard key.type == "varchar", key.length <= UInt64(KeyRule.maximumLength), key.isUnique else {
                throw foreign("key is not a unique VARCHAR of at most \(KeyRule.maximumLength) characters")
            }
            guard value.type.hasSuffix("text") || value.type == "varchar" else { throw foreign("value is not a TEXT") }
            guard ["created_at", "updated_at"].allSatisfy({ ["timestamp", "datetime"].contains(column($0)?.type) })
            else {
                throw foreign("created_at and updated_at are not TIMESTAMP or DATETIME")
            }
            let isLong = ["mediumtext", "longtext"].contains(value.type)
            let hasRoom = isLong || value.type == "text"
            if isInnoDB, hasRoom, [key, value].allSatisfy({ $0.collation == "utf8mb4_nopad_bin" }) { return nil }
            let type: SQL = isLong || longestValue > 65_535 ? "LONGTEXT" : "TEXT"
            return """
                ALTER TABLE config ENGINE = InnoDB, ROW_FORMAT = DYNAMIC,
                    MODIFY `key` VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NULL,
                    MODIFY value \(type) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NULL
                """
        }

        private func column(_ name: String) -> Column? { columns.first { $0.name == name } }

        private func foreign(_ reason: String) -> StoreError {
            StoreError(
                .unavailable,
                "the table 'config' in the database belongs to another program (\(reason)); use a separate database",
                reason: .foreign
            )
        }
    }

    extension LegacyTable {
        /// Creates the table, or upgrades an existing one. Rows, ids and times stay as they are, and its readers keep working.
        static func upgrade(_ connection: MariaDBConnection) throws {
            try connection.execute(
                """
                CREATE TABLE IF NOT EXISTS config (
                    id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
                    `key` VARCHAR(128) NULL UNIQUE,
                    value TEXT NULL,
                    created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
                    updated_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP
                ) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin
                """
            )
            if let upgrade = try found(connection).upgrade() { try connection.execute(upgrade) }
            try connection.execute("CREATE INDEX IF NOT EXISTS livery_updated_at ON config (updated_at)")
        }

        private static func found(_ connection: MariaDBConnection) throws -> LegacyTable {
            let columns = try connection.rows(
                """
                SELECT LOWER(COLUMN_NAME), LOWER(DATA_TYPE), COALESCE(CHARACTER_MAXIMUM_LENGTH, 0), COLLATION_NAME,
                    COLUMN_KEY IN ('PRI', 'UNI'), EXTRA LIKE '%auto_increment%'
                FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'config'
                """
            ).map { row in
                Column(
                    name: try row[0],
                    type: try row[1],
                    length: try row[2],
                    collation: try row[3],
                    isUnique: try row[4],
                    numbersItself: try row[5]
                )
            }
            let engine: String? = try connection.value(
                """
                SELECT COALESCE(ENGINE, '') FROM information_schema.TABLES
                WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'config'
                """
            )
            var table = LegacyTable(columns: columns, isInnoDB: engine == "InnoDB")
            guard table.column("value") != nil else { return table }
            table.longestValue =
                try connection.value("SELECT COALESCE(MAX(LENGTH(CONVERT(value USING utf8mb4))), 0) FROM config") ?? 0
            return table
        }
    }

    extension MariaDBTables {
        /// Makes one revision of the differences between the table `config` and the store: of the whole table after the
        /// upgrade, and later of changes that bypassed the triggers, such as a TRUNCATE or a restored copy without them.
        ///
        /// - Returns: the number of keys that were changed.
        func adopt(now: () -> Timestamp) throws -> UInt64 {
            guard try differences() > 0 else { return 0 }
            return try connection.transaction {
                let meta = try lockedMeta()
                let count = try differences()
                if count > 0 { try adoptDifferences(as: meta.head + 1, at: now().following(meta.updatedAt)) }
                return count
            }
        }

        private func differences() throws -> UInt64 {
            try connection.rows("SELECT COUNT(*) \(Self.newRows) UNION ALL SELECT COUNT(*) \(Self.removedRows)")
                .reduce(0) { try $0 + $1[0] }
        }

        private func adoptDifferences(as revision: UInt64, at time: Timestamp) throws {
            let previousRow = try connection.rows("SELECT revision FROM livery_namespaces WHERE name = 'default'").first
            let previous = try previousRow?.revision(0) ?? 0
            let commands: [SQL] = [
                """
                INSERT INTO livery_history (namespace, `key`, revision, entry_id, created_at, is_json, value)
                SELECT 'default', c.`key`, \(revision), c.id, COALESCE(e.created_at,
                    LEAST(NULLIF(CAST(UNIX_TIMESTAMP(c.created_at) AS SIGNED), 0) * 1000, \(time)), \(time)),
                    COALESCE(h.is_json, 0), c.value \(Self.newRows)
                """,
                """
                INSERT INTO livery_history (namespace, `key`, revision, entry_id, created_at, is_json, value)
                SELECT 'default', e.`key`, \(revision), e.id, e.created_at, 0, NULL \(Self.removedRows)
                """,
                "DELETE e \(Self.removedRows)",
                """
                INSERT INTO livery_entries (namespace, `key`, id, revision, created_at, updated_at)
                SELECT h.namespace, h.`key`, h.entry_id, h.revision, h.created_at, \(time)
                FROM livery_history AS h JOIN config AS c ON c.`key` = h.`key`
                WHERE h.namespace = 'default' AND h.revision = \(revision)
                ON DUPLICATE KEY UPDATE id = VALUES(id), revision = VALUES(revision), updated_at = VALUES(updated_at)
                """,
                """
                INSERT INTO livery_revisions (revision, namespace, previous, updated_at, message)
                VALUES (\(revision), 'default', \(previous), \(time), 'found in the table config')
                """,
                """
                INSERT INTO livery_namespaces (name, revision) VALUES ('default', \(revision))
                ON DUPLICATE KEY UPDATE revision = VALUES(revision)
                """,
                "UPDATE livery_meta SET head = \(revision), updated_at = \(time) WHERE id = 1",
            ]
            for command in commands { try connection.run(command) }
        }

        // Invalid keys never become entries, so they do not count as differences.
        private static let newRows: SQL = """
            FROM config AS c
                LEFT JOIN livery_entries AS e ON e.namespace = 'default' AND e.`key` = c.`key`
                LEFT JOIN livery_history AS h
                    ON h.namespace = e.namespace AND h.`key` = e.`key` AND h.revision = e.revision
            WHERE (e.`key` IS NULL OR NOT (h.value <=> c.value AND e.id = c.id)) AND \(MariaDBSchema.isKey("c.`key`"))
            """

        private static let removedRows: SQL = """
            FROM livery_entries AS e LEFT JOIN config AS c ON c.`key` = e.`key`
            WHERE e.namespace = 'default' AND e.`key` NOT LIKE '%:%' AND c.id IS NULL
            """
    }
#endif
