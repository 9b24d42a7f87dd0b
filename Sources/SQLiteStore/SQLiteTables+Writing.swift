internal import ConfigModel
internal import ConfigStore
internal import GRDB

extension SQLiteTables: StoreTransaction {
    typealias Failure = any Error

    /// Commits publishes in the transaction that the database is in.
    ///
    /// - Parameter now: the clock.
    mutating func commit(_ publishes: [Publish], now: @escaping () -> Timestamp) throws -> [PublishOutcome] {
        let meta = try meta()
        var judge = PublishJudge(head: meta.head, updatedAt: meta.updatedAt, now: now)
        let outcomes = try judge.commit(publishes, in: &self)
        guard judge.head > meta.head else { return outcomes }
        try db.cachedStatement(sql: "UPDATE meta SET head = ?, updated_at = ?")
            .execute(arguments: [judge.head.stored, judge.updatedAt.milliseconds])
        return outcomes
    }

    func revision(of namespace: String) throws -> UInt64 {
        let statement = try db.cachedStatement(sql: "SELECT revision FROM namespaces WHERE name = ?")
        return try UInt64.fetchOne(statement, arguments: [namespace]) ?? 0
    }

    func write(_ revision: NewRevision) throws -> [String: StoredEntry?] {
        var digest = try digest(of: revision.namespace)
        let number = revision.revision.stored
        try db.cachedStatement(sql: "INSERT INTO revisions VALUES (?, ?, ?, ?, ?)").execute(
            arguments: [
                number, revision.namespace, revision.updatedAt.milliseconds, revision.author?.stored,
                revision.message?.stored,
            ]
        )
        var entries: [String: StoredEntry?] = [:]
        for change in revision.changes {
            if let old = change.old { digest.remove(old.value, forKey: change.key) }
            if let value = change.value { digest.insert(value, forKey: change.key) }
            entries[change.key] = .some(revision.entry(change, id: try write(change, of: revision)))
        }
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO namespaces VALUES (?, ?, ?)")
            .execute(arguments: [revision.namespace, number, digest.description])
        return entries
    }

    private func digest(of namespace: String) throws -> ConfigDigest {
        let statement = try db.cachedStatement(sql: "SELECT digest FROM namespaces WHERE name = ?")
        guard let text = try String.fetchOne(statement, arguments: [namespace]) else { return ConfigDigest() }
        guard let digest = ConfigDigest(text) else {
            throw StoreError(.damaged, "the namespace '\(namespace)' has no valid digest; \(OpenedFile.advice)")
        }
        return digest
    }

    /// - Returns: the id of the entry.
    private func write(_ change: NewRevision.Change, of revision: NewRevision) throws -> Int64 {
        let (number, time) = (revision.revision.stored, revision.updatedAt.milliseconds)
        let json = change.value?.canonicalJSON
        try db.cachedStatement(sql: "INSERT INTO history VALUES (?, ?, ?, ?)")
            .execute(arguments: [revision.namespace, change.key, number, json])
        guard let id = change.old?.id else {
            let sql = """
                INSERT INTO entries (namespace, key, value, revision, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)
                """
            try db.cachedStatement(sql: sql)
                .execute(arguments: [revision.namespace, change.key, json, number, time, time])
            return db.lastInsertedRowID
        }
        if json == nil {
            try db.cachedStatement(sql: "DELETE FROM entries WHERE id = ?").execute(arguments: [id])
        } else {
            try db.cachedStatement(sql: "UPDATE entries SET value = ?, revision = ?, updated_at = ? WHERE id = ?")
                .execute(arguments: [json, number, time, id])
        }
        return id
    }
}
