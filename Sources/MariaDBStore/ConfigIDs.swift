// SPDX-License-Identifier: Apache-2.0

#if MariaDB
    /// The ids of the rows of the table `config`, which MariaDB assigns in ascending order and never again.
    struct ConfigIDs: Sendable {
        /// The type of the column, such as `smallint`.
        var type: String
        var isUnsigned: Bool
        /// The next id.
        var next: UInt64

        /// The command that makes room.
        static let repair = "ALTER TABLE config MODIFY id INT UNSIGNED NOT NULL AUTO_INCREMENT"

        /// The highest id that the column can have.
        var last: UInt64 {
            let bits: [String: UInt64] = ["tinyint": 8, "smallint": 16, "mediumint": 24]
            return (1 << ((bits[type] ?? 32) - (isUnsigned ? 0 : 1))) - 1
        }

        /// Whether new rows are refused.
        var isUsedUp: Bool { next > last }

        /// A message for the operator, if the ids could run out.
        var warning: String? {
            guard type != "int" || next > last / 5 * 4 else { return nil }
            let used = "\(next - min(1, next)) of \(last)"
            return """
                the table 'config' has used \(used) ids (\(type.uppercased())); new keys fail once the ids are \
                exhausted; run \(Self.repair)
                """
        }
    }

    extension ConfigIDs {
        /// Reads the current value of the table; `nil` if it has no such column.
        init?(_ connection: MariaDBConnection) throws {
            let sql: SQL = """
                SELECT LOWER(c.DATA_TYPE), c.COLUMN_TYPE LIKE '%unsigned%', COALESCE(t.AUTO_INCREMENT, 1)
                FROM information_schema.COLUMNS AS c JOIN information_schema.TABLES AS t
                    ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME
                WHERE c.TABLE_SCHEMA = DATABASE() AND c.TABLE_NAME = 'config' AND c.COLUMN_NAME = 'id'
                """
            guard let row = try connection.rows(sql).first else { return nil }
            self.init(type: try row[0], isUnsigned: try row[1], next: try row[2])
        }
    }
#endif
