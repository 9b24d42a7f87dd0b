#if MariaDB
    internal import ConfigModel
    internal import ConfigStore

    /// The table `config` as it is found: the legacy one, of the server before Livery, or another program's.
    struct LegacyTable {
        struct Column: Hashable {
            var name: String
            var type: String
            var length: UInt64
            var collation: String?
            var isUnique: Bool
            var numbersItself: Bool
        }

        /// What to change in the table.
        enum Upgrade: Hashable {
            /// Nothing.
            case none
            /// Collate texts by their bytes; the values stay TEXT.
            case exact
            /// Collate texts by their bytes, and make the values LONGTEXT.
            case exactAndLong
        }

        var columns: [Column]
        var isInnoDB: Bool
        /// The bytes of the longest value in UTF-8.
        var longestValue: UInt64

        /// What to change in the table.
        ///
        /// - Throws: ``StoreError`` if the table is another program's.
        func upgrade() throws(StoreError) -> Upgrade {
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
                throw foreign("created_at and updated_at are not times")
            }
            let isLong = ["mediumtext", "longtext"].contains(value.type)
            let hasRoom = isLong || value.type == "text"
            if isInnoDB, hasRoom, [key, value].allSatisfy({ $0.collation == "utf8mb4_nopad_bin" }) { return .none }
            return isLong || longestValue > 65_535 ? .exactAndLong : .exact
        }

        private func column(_ name: String) -> Column? {
            columns.first { $0.name == name }
        }

        private func foreign(_ reason: String) -> StoreError {
            StoreError(
                .unavailable,
                "the database has a table 'config' of another program (\(reason)); use a database of its own"
            )
        }
    }

    extension LegacyTable {
        /// Creates the table, or upgrades an existing one so that it keeps apart keys that differ in case, and stores
        /// emoji. Rows, ids and times stay as they are, and its readers keep working.
        static func upgrade(_ connection: MariaDBConnection) throws {
            try connection.execute(create)
            switch try found(connection).upgrade() {
            case .none: break
            case .exact: try connection.execute(exact + "MODIFY value TEXT" + texts)
            case .exactAndLong: try connection.execute(exact + "MODIFY value LONGTEXT" + texts)
            }
            try connection.execute("CREATE INDEX IF NOT EXISTS livery_updated_at ON config (updated_at)")
        }

        private static func found(_ connection: MariaDBConnection) throws -> LegacyTable {
            let columns = try connection.rows(
                """
                SELECT LOWER(COLUMN_NAME), LOWER(DATA_TYPE), CAST(COALESCE(CHARACTER_MAXIMUM_LENGTH, 0) AS UNSIGNED),
                    COLLATION_NAME, COLUMN_KEY IN ('PRI', 'UNI'), EXTRA LIKE '%auto_increment%'
                FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'config'
                """
            ).map { row in
                Column(
                    name: try row.text(0),
                    type: try row.text(1),
                    length: try row.unsigned(2),
                    collation: try row.optionalText(3),
                    isUnique: try row.integer(4) == 1,
                    numbersItself: try row.integer(5) == 1
                )
            }
            let engine = try connection.rows(
                """
                SELECT COALESCE(ENGINE, '') FROM information_schema.TABLES
                WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'config'
                """
            )
            var table = LegacyTable(
                columns: columns,
                isInnoDB: try engine.first?.text(0) == "InnoDB",
                longestValue: 0
            )
            guard table.column("value") != nil else { return table }
            let longest = try connection.rows(
                "SELECT CAST(COALESCE(MAX(LENGTH(CONVERT(value USING utf8mb4))), 0) AS UNSIGNED) FROM config"
            )
            table.longestValue = try longest.first?.unsigned(0) ?? 0
            return table
        }

        private static let create: SQL = """
            CREATE TABLE IF NOT EXISTS config (
                id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
                `key` VARCHAR(128) NULL UNIQUE,
                value TEXT NULL,
                created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
                updated_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP
            ) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin
            """

        private static let exact: SQL =
            "ALTER TABLE config ENGINE = InnoDB, ROW_FORMAT = DYNAMIC, MODIFY `key` VARCHAR(128)" + texts + ", "
        private static let texts: SQL = " CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NULL"
    }
#endif
