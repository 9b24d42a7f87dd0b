#if MariaDB
    internal import ConfigModel
    internal import ConfigStore
    internal import Foundation

    /// Commits a batch, in as many attempts as it takes, and never twice.
    ///
    /// Before COMMIT, a transaction can simply be repeated: the server rolls it back when its connection is lost. If the
    /// connection is lost during COMMIT, the number of the batch in the database shows the outcome. The transaction holds
    /// the lock of the head until it ends, so that the next holder of the lock sees its final state.
    struct MariaDBCommitter {
        let link: MariaDBLink
        /// The server that writes, and the number of the batch: what the database has of a batch whose answer was lost.
        let batch: (writer: UInt64, number: UInt64)
        let now: @Sendable () -> Timestamp

        /// How long to retry.
        private static let patience = Duration.seconds(12)

        func commit(_ publishes: [Publish]) throws -> [PublishOutcome] {
            let end = ContinuousClock.now + Self.patience
            var backoff = Backoff(from: .milliseconds(4), to: .milliseconds(250))
            var outcomes: [PublishOutcome] = []
            while true {
                do {
                    try link.use { tables in
                        try tables.connection.transaction { outcomes = try commit(publishes, in: tables) }
                    }
                    return outcomes
                } catch let lost as LostAnswer {
                    if outcomes.allSatisfy({ $0.commit == nil }) { return outcomes }
                    if try wasCommitted(lost, until: .now + Self.patience) { return outcomes }
                    guard ContinuousClock.now < end else { throw lost.underlying }
                } catch let error as MariaDBError where error.isConflict || error.isLostConnection {
                    guard ContinuousClock.now < end, !error.isRefusedConnection else { throw error }
                }
                pause(&backoff)
            }
        }

        /// Commits publishes in the transaction that the connection is in.
        ///
        /// It locks the head, so that no other server has a revision between those of the batch.
        private func commit(_ publishes: [Publish], in tables: MariaDBTables) throws -> [PublishOutcome] {
            var tables = tables
            let meta = try tables.lockedMeta()
            tables.writer = batch.writer
            var judge = PublishJudge(head: meta.head, updatedAt: meta.updatedAt, now: now)
            let outcomes = try judge.commit(publishes, in: &tables)
            guard judge.head > meta.head else { return outcomes }
            try tables.connection.run(
                "UPDATE livery_meta SET head = \(judge.head), updated_at = \(judge.updatedAt) WHERE id = 1"
            )
            try tables.connection.run(
                """
                INSERT INTO livery_writers (writer, batch) VALUES (\(batch.writer), \(batch.number))
                ON DUPLICATE KEY UPDATE batch = VALUES(batch)
                """
            )
            return outcomes
        }

        /// - Throws: ``LostAnswer`` if the database does not answer in time.
        private func wasCommitted(_ lost: LostAnswer, until end: ContinuousClock.Instant) throws -> Bool {
            var backoff = Backoff(from: .milliseconds(25), to: .seconds(1))
            while true {
                do {
                    return try link.use { tables in
                        try tables.connection.transaction {
                            _ = try tables.lockedMeta()
                            let sql: SQL = "SELECT batch FROM livery_writers WHERE writer = \(batch.writer)"
                            return try tables.connection.value(sql) == batch.number
                        }
                    }
                } catch {
                    guard ContinuousClock.now < end else { throw lost }
                }
                pause(&backoff)
            }
        }

        private func pause(_ backoff: inout Backoff) {
            Thread.sleep(forTimeInterval: backoff.next() / .seconds(1))
        }
    }

    extension MariaDBError {
        /// Whether there is no server at the address: then writes fail at once.
        fileprivate var isRefusedConnection: Bool { (2001...2005).contains(number) }
    }

    extension MariaDBTables: StoreTransaction {
        typealias Failure = any Error

        func write(_ revision: NewRevision) throws -> [String: StoredEntry?] {
            try connection.run(
                """
                INSERT INTO livery_revisions (revision, namespace, previous, updated_at, writer, author, message)
                VALUES (\(revision.revision), \(revision.namespace), \(revision.previous), \(revision.updatedAt),
                    \(writer), \(revision.author), \(revision.message))
                """
            )
            var entries: [String: StoredEntry?] = [:]
            for change in revision.changes { entries[change.key] = .some(try write(change, of: revision)) }
            try connection.run(
                """
                INSERT INTO livery_namespaces (name, revision) VALUES (\(revision.namespace), \(revision.revision))
                ON DUPLICATE KEY UPDATE revision = VALUES(revision)
                """
            )
            return entries
        }

        private func write(_ change: NewRevision.Change, of revision: NewRevision) throws -> StoredEntry? {
            let (namespace, key) = (revision.namespace, change.key)
            let text = change.value.map { StoredText($0) }
            let id = try writeRow(change, text, in: namespace)
            let createdAt = change.old?.createdAt ?? revision.updatedAt
            try connection.run(
                """
                INSERT INTO livery_history (namespace, `key`, revision, entry_id, created_at, is_json, value)
                VALUES (\(namespace), \(key), \(revision.revision), \(id), \(createdAt), \(text?.isJSON ?? false),
                    \(text?.text))
                """
            )
            guard let entry = revision.entry(change, id: id) else {
                try connection.run("DELETE FROM livery_entries WHERE namespace = \(namespace) AND `key` = \(key)")
                return nil
            }
            try connection.run(
                """
                INSERT INTO livery_entries (namespace, `key`, id, revision, created_at, updated_at)
                VALUES (\(namespace), \(key), \(entry.id), \(entry.revision), \(entry.createdAt), \(entry.updatedAt))
                ON DUPLICATE KEY UPDATE id = VALUES(id), revision = VALUES(revision),
                    created_at = VALUES(created_at), updated_at = VALUES(updated_at)
                """
            )
            return entry
        }

        /// Writes the row that an entry of the namespace `default` has in the table `config`.
        ///
        /// - Returns: the id of the entry, which is that of its row if it has one.
        private func writeRow(_ change: NewRevision.Change, _ text: StoredText?, in namespace: String) throws -> Int64 {
            let isInTable = namespace == NamespaceRule.standard
            guard let text else {
                if isInTable { try connection.run("DELETE FROM config WHERE `key` = \(change.key)") }
                return change.old?.id ?? 0
            }
            if isInTable {
                // A row without a value is not an entry, but has the key.
                let id = try connection.run(
                    """
                    INSERT INTO config (`key`, value, created_at, updated_at)
                    VALUES (\(change.key), \(text.text), CURRENT_TIMESTAMP, CURRENT_TIMESTAMP) ON DUPLICATE KEY UPDATE
                        id = LAST_INSERT_ID(id), value = VALUES(value), updated_at = CURRENT_TIMESTAMP
                    """
                )
                return Int64(clamping: id)
            }
            if let id = change.old?.id { return id }
            try connection.run("UPDATE livery_meta SET next_id = next_id + 1 WHERE id = 1")
            return try connection.value("SELECT next_id - 1 FROM livery_meta WHERE id = 1") ?? 0
        }
    }
#endif
