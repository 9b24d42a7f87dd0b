#if MariaDB
    internal import ConfigModel
    internal import ConfigStore

    /// The rows of a namespace's entries, as they are written. Those of `default` are also in the table `config`.
    struct MariaDBRows {
        let connection: MariaDBConnection
        let namespace: String

        private var isInTable: Bool { namespace == ConfigNamespace.standard }

        /// Writes an entry that is new or has a new value.
        ///
        /// - Returns: the entry with the id that it has in the table.
        func put(_ key: String, _ entry: StoredEntry, _ text: StoredText) throws -> StoredEntry {
            var entry = entry
            if isInTable {
                // The row may be there without being an entry, where it has no value.
                let id = try connection.run(
                    """
                    INSERT INTO config (`key`, value, created_at, updated_at)
                    VALUES (?, ?, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP) ON DUPLICATE KEY UPDATE
                        id = LAST_INSERT_ID(id), value = VALUES(value), updated_at = CURRENT_TIMESTAMP
                    """,
                    [.text(key), .text(text.text)]
                )
                entry.id = Int64(clamping: id)
            }
            try record(key, entry, text: .text(text.text), isJSON: text.isJSON)
            try connection.run(
                """
                INSERT INTO livery_entries (namespace, `key`, id, revision, created_at, updated_at)
                VALUES (?, ?, ?, ?, ?, ?) ON DUPLICATE KEY UPDATE id = VALUES(id), revision = VALUES(revision),
                    created_at = VALUES(created_at), updated_at = VALUES(updated_at)
                """,
                [
                    .text(namespace), .text(key), .integer(entry.id), .unsigned(entry.revision),
                    .integer(entry.createdAt.milliseconds), .integer(entry.updatedAt.milliseconds),
                ]
            )
            return entry
        }

        /// Takes an entry away, and leaves a tombstone.
        func remove(_ key: String, _ entry: StoredEntry, at revision: UInt64) throws {
            var tombstone = entry
            tombstone.revision = revision
            if isInTable { try connection.run("DELETE FROM config WHERE `key` = ?", [.text(key)]) }
            try record(key, tombstone, text: .null, isJSON: false)
            try connection.run(
                "DELETE FROM livery_entries WHERE namespace = ? AND `key` = ?",
                [.text(namespace), .text(key)]
            )
        }

        /// An id for an entry that is not in the table, which gives its own.
        func newID() throws -> Int64 {
            if isInTable { return 0 }
            try connection.run("UPDATE livery_meta SET next_id = next_id + 1 WHERE id = 1")
            return try connection.rows("SELECT next_id - 1 FROM livery_meta WHERE id = 1").first?.integer(0) ?? 0
        }

        private func record(_ key: String, _ entry: StoredEntry, text: MariaDBValue, isJSON: Bool) throws {
            try connection.run(
                """
                INSERT INTO livery_history (namespace, `key`, revision, entry_id, created_at, is_json, value)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .text(namespace), .text(key), .unsigned(entry.revision), .integer(entry.id),
                    .integer(entry.createdAt.milliseconds), .integer(isJSON ? 1 : 0), text,
                ]
            )
        }
    }
#endif
