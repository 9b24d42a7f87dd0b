#if MariaDB
    internal import ConfigModel
    internal import ConfigStore

    /// The server that writes, and the number of the batch: what the database has of a batch whose answer was lost.
    struct MariaDBBatch: Hashable {
        var writer: UInt64
        var number: UInt64
    }

    extension MariaDBTables: StoreTransaction {
        typealias Failure = any Error

        /// Commits publishes in the transaction that the connection is in.
        ///
        /// It locks the head, so that no other server has a revision between those of the batch.
        ///
        /// - Parameter now: the clock.
        mutating func commit(
            _ publishes: [Publish],
            as batch: MariaDBBatch,
            now: @escaping () -> Timestamp
        ) throws -> [PublishOutcome] {
            let meta = try lockedMeta()
            writer = batch.writer
            var judge = PublishJudge(head: meta.head, updatedAt: meta.updatedAt, now: now)
            let outcomes = try judge.commit(publishes, in: &self)
            guard judge.head > meta.head else { return outcomes }
            try connection.run(
                "UPDATE livery_meta SET head = ?, updated_at = ? WHERE id = 1",
                [.unsigned(judge.head), .integer(judge.updatedAt.milliseconds)]
            )
            try connection.run(
                "INSERT INTO livery_writers (writer, batch) VALUES (?, ?) ON DUPLICATE KEY UPDATE batch = VALUES(batch)",
                [.unsigned(batch.writer), .unsigned(batch.number)]
            )
            return outcomes
        }

        func write(_ revision: NewRevision) throws -> [String: StoredEntry?] {
            try connection.run(
                """
                INSERT INTO livery_revisions (revision, namespace, previous, updated_at, writer, author, message)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .unsigned(revision.revision), .text(revision.namespace), .unsigned(revision.previous),
                    .integer(revision.updatedAt.milliseconds), .unsigned(writer), MariaDBValue(revision.author),
                    MariaDBValue(revision.message),
                ]
            )
            var entries: [String: StoredEntry?] = [:]
            for change in revision.changes { entries[change.key] = .some(try write(change, of: revision)) }
            try connection.run(
                """
                INSERT INTO livery_namespaces (name, revision) VALUES (?, ?)
                ON DUPLICATE KEY UPDATE revision = VALUES(revision)
                """,
                [.text(revision.namespace), .unsigned(revision.revision)]
            )
            return entries
        }

        private func write(_ change: NewRevision.Change, of revision: NewRevision) throws -> StoredEntry? {
            let place: [MariaDBValue] = [.text(revision.namespace), .text(change.key)]
            let text = change.value.map { StoredText($0) }
            let id = try writeRow(change, text, in: revision.namespace)
            let createdAt = change.old?.createdAt ?? revision.updatedAt
            try connection.run(
                """
                INSERT INTO livery_history (namespace, `key`, revision, entry_id, created_at, is_json, value)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                place + [
                    .unsigned(revision.revision), .integer(id), .integer(createdAt.milliseconds),
                    .integer(text?.isJSON == true ? 1 : 0), MariaDBValue(text?.text),
                ]
            )
            guard let entry = revision.entry(change, id: id) else {
                try connection.run("DELETE FROM livery_entries WHERE namespace = ? AND `key` = ?", place)
                return nil
            }
            try connection.run(
                """
                INSERT INTO livery_entries (namespace, `key`, id, revision, created_at, updated_at)
                VALUES (?, ?, ?, ?, ?, ?) ON DUPLICATE KEY UPDATE id = VALUES(id), revision = VALUES(revision),
                    created_at = VALUES(created_at), updated_at = VALUES(updated_at)
                """,
                place + [
                    .integer(entry.id), .unsigned(entry.revision), .integer(entry.createdAt.milliseconds),
                    .integer(entry.updatedAt.milliseconds),
                ]
            )
            return entry
        }

        /// Writes the row that an entry of the namespace `default` has in the table `config`.
        ///
        /// - Returns: the id of the entry, which is that of its row if it has one.
        private func writeRow(_ change: NewRevision.Change, _ text: StoredText?, in namespace: String) throws -> Int64 {
            let isInTable = namespace == NamespaceRule.standard
            guard let text else {
                if isInTable { try connection.run("DELETE FROM config WHERE `key` = ?", [.text(change.key)]) }
                return change.old?.id ?? 0
            }
            if isInTable {
                // A row without a value is not an entry, but has the key.
                let id = try connection.run(
                    """
                    INSERT INTO config (`key`, value, created_at, updated_at)
                    VALUES (?, ?, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP) ON DUPLICATE KEY UPDATE
                        id = LAST_INSERT_ID(id), value = VALUES(value), updated_at = CURRENT_TIMESTAMP
                    """,
                    [.text(change.key), .text(text.text)]
                )
                return Int64(clamping: id)
            }
            if let id = change.old?.id { return id }
            try connection.run("UPDATE livery_meta SET next_id = next_id + 1 WHERE id = 1")
            return try connection.rows("SELECT next_id - 1 FROM livery_meta WHERE id = 1").first?.integer(0) ?? 0
        }
    }
#endif
