#if MariaDB
    internal import ConfigModel
    internal import ConfigStore

    /// The publishes of one batch, made in one transaction of the database.
    struct MariaDBTransaction {
        /// Who writes, and the number of the batch: what is found in the database when its answer was lost.
        struct Batch: Hashable {
            var writer: UInt64
            var number: UInt64
        }

        private let reader: MariaDBReader
        private var connection: MariaDBConnection { reader.connection }
        private let batch: Batch
        private let now: () -> Timestamp
        private var head: UInt64
        private var updatedAt: Timestamp
        private(set) var hasCommitted = false

        /// Locks the head, so that no other server has a revision between those of the batch.
        init(_ connection: MariaDBConnection, batch: Batch, now: @escaping () -> Timestamp) throws {
            reader = MariaDBReader(connection: connection)
            self.batch = batch
            self.now = now
            let meta = try reader.lockedMeta()
            (head, updatedAt) = (meta.head, meta.updatedAt)
        }

        /// Makes one publish, if its conditions hold after the publishes before it.
        mutating func commit(_ publish: Publish) throws -> PublishOutcome {
            let previous = try reader.revision(of: publish.namespace)
            let namespace = publish.namespace
            if let failed = try publish.conditions.first(where: { try !holds($0, in: namespace, at: previous) }) {
                return .conditionFailed(failed)
            }
            let wanted: [String: ConfigValue?]
            switch publish.change {
            case .edit(let edits): wanted = edits
            case .rollback(let revision):
                guard try reader.floor() <= revision, revision <= head else { return .unknownRevision(revision) }
                wanted = try reader.values(of: namespace, at: revision, changedThrough: head)
            }
            var changes: [Change] = []
            for (key, value) in wanted.sorted(by: { $0.key < $1.key }) {
                let old = try reader.entry(of: namespace, key: key)
                if old?.value != value { changes.append(Change(key: key, old: old, value: value)) }
            }
            return changes.isEmpty ? .unchanged : .committed(try make(changes, publish, after: previous))
        }

        /// Writes down how far the store is, and which batch this was.
        func finish() throws {
            guard hasCommitted else { return }
            try connection.run(
                "UPDATE livery_meta SET head = ?, updated_at = ? WHERE id = 1",
                [.unsigned(head), .integer(updatedAt.milliseconds)]
            )
            try connection.run(
                "INSERT INTO livery_writers (writer, batch) VALUES (?, ?) ON DUPLICATE KEY UPDATE batch = VALUES(batch)",
                [.unsigned(batch.writer), .unsigned(batch.number)]
            )
        }

        private struct Change {
            var key: String
            var old: StoredEntry?
            var value: ConfigValue?
        }

        private func holds(_ condition: Publish.Condition, in namespace: String, at head: UInt64) throws -> Bool {
            switch condition {
            case .head(let revision):
                return head == revision
            case .absent(let key):
                return try reader.entry(of: namespace, key: key) == nil
            case .present(let key):
                return try reader.entry(of: namespace, key: key) != nil
            case .entry(let key, let revisions):
                guard let entry = try reader.entry(of: namespace, key: key) else { return false }
                return revisions.contains(entry.revision)
            }
        }

        private mutating func make(_ changes: [Change], _ publish: Publish, after previous: UInt64) throws -> Commit {
            head += 1
            updatedAt = Timestamp(milliseconds: max(now().milliseconds, updatedAt.milliseconds + 1))
            hasCommitted = true
            try connection.run(
                """
                INSERT INTO livery_revisions (revision, namespace, previous, updated_at, writer, author, message)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .unsigned(head), .text(publish.namespace), .unsigned(previous), .integer(updatedAt.milliseconds),
                    .unsigned(batch.writer), MariaDBValue(publish.author), MariaDBValue(publish.message),
                ]
            )
            var entries: [String: StoredEntry?] = [:]
            for change in changes { entries[change.key] = .some(try write(change, in: publish.namespace)) }
            try connection.run(
                """
                INSERT INTO livery_namespaces (name, revision) VALUES (?, ?)
                ON DUPLICATE KEY UPDATE revision = VALUES(revision)
                """,
                [.text(publish.namespace), .unsigned(head)]
            )
            return Commit(
                revision: head,
                updatedAt: updatedAt,
                namespace: publish.namespace,
                previous: previous,
                changes: entries
            )
        }

        private func write(_ change: Change, in namespace: String) throws -> StoredEntry? {
            let rows = MariaDBRows(connection: connection, namespace: namespace)
            guard let value = change.value else {
                if let old = change.old { try rows.remove(change.key, old, at: head) }
                return nil
            }
            let text = StoredText(value)
            let entry = StoredEntry(
                id: try change.old?.id ?? rows.newID(),
                value: value,
                revision: head,
                createdAt: change.old?.createdAt ?? updatedAt,
                updatedAt: updatedAt
            )
            return try rows.put(change.key, entry, text)
        }
    }
#endif
