internal import ConfigModel
internal import ConfigStore
internal import GRDB

/// Forgets history that is older than it has to be kept, a little with each commit, so that no commit waits for it.
///
/// The floor is the lowest revision whose state can still be told. It rises first; then what only states below it
/// needed is swept away: of each key, all records up to the floor but the newest, and that too if it is a tombstone.
struct SQLitePruning {
    let db: Database
    let age: Duration
    let revisions: UInt64

    /// So many revisions and records are looked at in one step: more than a commit of one key adds, so that the
    /// sweep catches up.
    private static let revisionsPerStep = 16
    private static let recordsPerStep = 256

    private struct Sweep {
        var head: UInt64
        var floor: UInt64
        var revision: UInt64
        var key: String
    }

    func step(at now: Timestamp) throws {
        let statement = try db.cachedStatement(sql: "SELECT head, floor, swept_revision, swept_key FROM meta")
        guard let row = try Row.fetchOne(statement) else { return }
        var sweep = Sweep(head: row[0], floor: row[1], revision: row[2], key: row[3])
        guard sweep.head > sweep.floor + revisions || sweep.revision < sweep.floor else { return }
        try raise(&sweep.floor, head: sweep.head, now: now)
        try remove(&sweep)
        try db.cachedStatement(sql: "UPDATE meta SET floor = ?, swept_revision = ?, swept_key = ?")
            .execute(arguments: [sweep.floor.stored, sweep.revision.stored, sweep.key])
    }

    /// Forgets the namespaces that have no entries, and no history any more either. Only while nobody has them in memory.
    static func forgetNamespaces(_ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM namespaces WHERE NOT EXISTS (SELECT 1 FROM entries WHERE namespace = name)
                AND NOT EXISTS (SELECT 1 FROM history WHERE namespace = name)
                """
        )
    }

    private func raise(_ floor: inout UInt64, head: UInt64, now: Timestamp) throws {
        guard head > floor + revisions else { return }
        let newest = now.earlier(by: age).milliseconds
        let statement = try db.cachedStatement(
            sql: """
                SELECT revision, updated_at FROM revisions WHERE revision > ? AND revision <= ?
                ORDER BY revision LIMIT ?
                """
        )
        let limit = (head - revisions).stored
        for row in try Row.fetchAll(statement, arguments: [floor.stored, limit, Self.revisionsPerStep]) {
            guard (row[1] as Int64) <= newest else { return }
            floor = row[0]
        }
    }

    private func remove(_ sweep: inout Sweep) throws {
        var budget = Self.recordsPerStep
        while sweep.revision < sweep.floor, budget > 0 {
            let revision = sweep.revision + 1
            let keys = try keys(of: revision, after: sweep.key, limit: budget)
            for key in keys.found { try removeSuperseded(key, in: keys.namespace, revision) }
            budget -= max(1, keys.found.count)
            if let last = keys.found.last, budget <= 0 {
                sweep.key = last
            } else {
                try removeIfBare(revision, namespace: keys.namespace)
                sweep.revision = revision
                sweep.key = ""
            }
        }
    }

    /// The keys that a revision changed and that have not been looked at.
    private func keys(of revision: UInt64, after key: String, limit: Int) throws -> (namespace: String, found: [String])
    {
        let revisions = try db.cachedStatement(sql: "SELECT namespace FROM revisions WHERE revision = ?")
        guard let namespace = try String.fetchOne(revisions, arguments: [revision.stored]) else { return ("", []) }
        let keys = try db.cachedStatement(
            sql: "SELECT key FROM history WHERE namespace = ? AND revision = ? AND key > ? ORDER BY key LIMIT ?"
        )
        return (namespace, try String.fetchAll(keys, arguments: [namespace, revision.stored, key, limit]))
    }

    private func removeSuperseded(_ key: String, in namespace: String, _ revision: UInt64) throws {
        let older = try db.cachedStatement(
            sql: "SELECT revision FROM history WHERE namespace = ? AND key = ? AND revision < ?"
        )
        for old in try UInt64.fetchAll(older, arguments: [namespace, key, revision.stored]) {
            try db.cachedStatement(sql: "DELETE FROM history WHERE namespace = ? AND key = ? AND revision = ?")
                .execute(arguments: [namespace, key, old.stored])
            try removeIfBare(old, namespace: namespace)
        }
        try db.cachedStatement(
            sql: "DELETE FROM history WHERE namespace = ? AND key = ? AND revision = ? AND value IS NULL"
        ).execute(arguments: [namespace, key, revision.stored])
    }

    /// Removes a revision that has no records any more.
    private func removeIfBare(_ revision: UInt64, namespace: String) throws {
        try db.cachedStatement(
            sql: """
                DELETE FROM revisions WHERE revision = ?1 AND NOT EXISTS (
                    SELECT 1 FROM history WHERE namespace = ?2 AND history.revision = ?1
                )
                """
        ).execute(arguments: [revision.stored, namespace])
    }
}
