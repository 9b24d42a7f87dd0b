// SPDX-License-Identifier: Apache-2.0

#if MariaDB
    internal import ConfigModel
    internal import ConfigStore

    /// A batch of publishes, committed in a transaction that has locked the head.
    ///
    /// However many revisions are written, it is one round trip for each kind of row.
    extension MariaDBTables: BatchTables {
        func revisions(of namespaces: [String]) throws -> [String: UInt64] {
            let sql: SQL = "SELECT name, revision FROM livery_namespaces WHERE name IN (\(anyOf: namespaces))"
            return try connection.rows(sql).reduce(into: [:]) { $0[try $1[0]] = try $1.revision(1) }
        }

        func values(in namespace: String, at revision: UInt64) throws -> [String: EntryValue?] {
            try values(in: namespace, at: revision, charging: .free)
        }

        mutating func write(_ batch: RevisionBatch) throws -> [Int64: Int64] {
            try connection.run(each: batch.revisions) { revision in
                """
                INSERT INTO livery_revisions (revision, namespace, previous, updated_at, writer, author, message)
                VALUES (\(revision.revision), \(revision.namespace), \(revision.previous), \(revision.updatedAt),
                    \(self.batch.writer), \(revision.author), \(revision.message))
                """
            }
            let ids = try writeRows(batch).merging(number(batch.upserts)) { $1 }
            try writeHistory(batch.records, ids)
            try writeEntries(batch, ids)
            namespaces.merge(batch.namespaces) { $1 }
            return ids
        }

        /// Writes the head of the store, the last revisions of the changed namespaces, and the number of the batch.
        func finish(at head: UInt64, _ updatedAt: Timestamp) throws {
            if let namespace = namespaces.first, namespaces.count == 1 {
                // Nearly always all three rows are there.
                let affected = try connection.run(
                    """
                    UPDATE livery_meta AS m JOIN livery_namespaces AS n ON n.name = \(namespace.key)
                        JOIN livery_writers AS w ON w.writer = \(batch.writer)
                    SET m.head = \(head), m.updated_at = \(updatedAt), m.next_id = \(nextID),
                        n.revision = \(namespace.value), w.batch = \(batch.number)
                    WHERE m.id = 1
                    """
                )
                if affected == 3 { return }
            }
            try connection.run(each: namespaces.sorted { $0.key < $1.key }) { namespace in
                """
                INSERT INTO livery_namespaces (name, revision) VALUES (\(namespace.key), \(namespace.value))
                ON DUPLICATE KEY UPDATE revision = VALUES(revision)
                """
            }
            try connection.run(
                "UPDATE livery_meta SET head = \(head), updated_at = \(updatedAt), next_id = \(nextID) WHERE id = 1"
            )
            try connection.run(
                """
                INSERT INTO livery_writers (writer, batch) VALUES (\(batch.writer), \(batch.number))
                ON DUPLICATE KEY UPDATE batch = VALUES(batch)
                """
            )
        }

        /// Assigns ids to new entries without rows in the table `config`.
        private mutating func number(_ upserts: [(place: EntryPlace, entry: StoredEntry)]) -> [Int64: Int64] {
            var ids: [Int64: Int64] = [:]
            for (place, entry) in upserts where entry.id < 0 && !place.hasRow {
                ids[entry.id] = nextID
                nextID += 1
            }
            return ids
        }

        /// Writes the rows that the entries of the namespace `default` have in the table `config`.
        ///
        /// - Returns: the ids of the rows, where they are not those of the entries.
        private func writeRows(_ batch: RevisionBatch) throws -> [Int64: Int64] {
            try connection.run(each: batch.removals.filter(\.hasRow)) { place in
                "DELETE FROM config WHERE `key` = \(place.key)"
            }
            let written = batch.upserts.filter(\.place.hasRow)
            let missing = try updateRows(written.filter { $0.entry.id > 0 })
            let new = written.filter { $0.entry.id <= 0 } + missing
            // A row without a value is not an entry, but has the key.
            try connection.run(each: new) { (place, entry) in
                """
                INSERT INTO config (`key`, value, created_at, updated_at)
                VALUES (\(place.key), \(StoredText(entry.value).text), CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)
                ON DUPLICATE KEY UPDATE value = VALUES(value), updated_at = CURRENT_TIMESTAMP
                """
            }
            let rows = try ids(of: new)
            return new.reduce(into: [:]) { ids, item in ids[item.entry.id] = rows[ExactString(item.place.key)] }
        }

        /// Updates the rows of entries. An `INSERT` that updates a row would use up an id.
        ///
        /// - Returns: the entries that have no row with their id.
        private func updateRows(
            _ entries: [(place: EntryPlace, entry: StoredEntry)]
        ) throws -> [(place: EntryPlace, entry: StoredEntry)] {
            let affected = try connection.run(each: entries) { (place, entry) in
                """
                UPDATE config SET value = \(StoredText(entry.value).text), updated_at = CURRENT_TIMESTAMP
                WHERE `key` = \(place.key) AND id = \(entry.id)
                """
            }
            if affected == entries.count { return [] }
            // A row that had the same text in the same second is not affected.
            let rows = try ids(of: entries)
            return entries.filter { rows[ExactString($0.place.key)] != $0.entry.id }
        }

        /// The ids of the rows that some entries have.
        private func ids(of entries: [(place: EntryPlace, entry: StoredEntry)]) throws -> [ExactString: Int64] {
            var ids: [ExactString: Int64] = [:]
            for part in entries.parts(of: 256) {
                let sql: SQL = "SELECT `key`, id FROM config WHERE `key` IN (\(anyOf: part.map(\.place.key)))"
                try connection.run(sql) { row in
                    ids[ExactString(try row[0])] = try row[1] as Int64
                }
            }
            return ids
        }

        private func writeHistory(_ records: [RevisionBatch.Record], _ ids: [Int64: Int64]) throws {
            try connection.run(each: records) { record in
                let (place, text) = (record.place, record.change.value.map { StoredText($0) })
                return """
                    INSERT INTO livery_history (namespace, `key`, revision, entry_id, created_at, is_json, value)
                    VALUES (\(place.namespace), \(place.key), \(record.revision), \(ids[record.id] ?? record.id),
                        \(record.createdAt), \(text?.isJSON ?? false), \(text?.text))
                    """
            }
        }

        private func writeEntries(_ batch: RevisionBatch, _ ids: [Int64: Int64]) throws {
            try connection.run(each: batch.removals) { place in
                "DELETE FROM livery_entries WHERE namespace = \(place.namespace) AND `key` = \(place.key)"
            }
            try connection.run(each: batch.upserts) { (place, entry) in
                """
                INSERT INTO livery_entries (namespace, `key`, id, revision, created_at, updated_at)
                VALUES (\(place.namespace), \(place.key), \(ids[entry.id] ?? entry.id), \(entry.revision),
                    \(entry.createdAt), \(entry.updatedAt))
                ON DUPLICATE KEY UPDATE id = VALUES(id), revision = VALUES(revision),
                    created_at = VALUES(created_at), updated_at = VALUES(updated_at)
                """
            }
        }
    }

    extension EntryPlace {
        /// Whether the entry has a row in the table `config`: values of the namespace `default` have one.
        fileprivate var hasRow: Bool { namespace == NamespaceRule.standard && kind == .value }
    }
#endif
