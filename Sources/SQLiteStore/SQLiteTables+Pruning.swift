// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import GRDB

/// The history in the database, as it is pruned: a step with each commit, so that no commit waits for it.
extension SQLiteTables: PrunableHistory {
    /// Removes the namespaces that have neither entries nor history. Only while no server has them in memory.
    func forgetNamespaces() throws {
        try run(
            """
            DELETE FROM namespaces WHERE NOT EXISTS (SELECT 1 FROM entries WHERE namespace = name)
            AND NOT EXISTS (SELECT 1 FROM history WHERE namespace = name)
            """
        )
    }

    // The file has the last revision that was swept completely.
    func sweep() throws -> (head: UInt64, sweep: HistoryPruning.Sweep)? {
        guard let row = try rows("SELECT head, floor, swept_revision, swept_key FROM meta").first else { return nil }
        let (floor, swept) = (try row.revision(1, of: "meta.floor"), try row.revision(2, of: "meta.swept_revision"))
        let sweep = (floor: floor, revision: swept + 1, key: try row.decode(String.self, atIndex: 3))
        return (try row.revision(0, of: "meta.head"), sweep)
    }

    func save(_ sweep: HistoryPruning.Sweep) throws {
        let place: StatementArguments = [sweep.floor.stored, (sweep.revision - 1).stored, sweep.key]
        try run("UPDATE meta SET floor = ?, swept_revision = ?, swept_key = ?", place)
    }

    func revisions(after: UInt64, through: UInt64, limit: Int) throws -> [(revision: UInt64, updatedAt: Timestamp)] {
        let filter = "revision > ? AND revision <= ? ORDER BY revision LIMIT ?"
        let sql = "SELECT revision, updated_at FROM revisions WHERE \(filter)"
        return try rows(sql, [after.stored, through.stored, limit]).map {
            (try $0.revision(0, of: "revisions.revision"), try $0.date(1, of: "revisions.updated_at"))
        }
    }

    func records(of sweep: HistoryPruning.Sweep, limit: Int) throws -> [HistoryPruning.Record] {
        // The + keeps SQLite from passing the bounds on to the history, where it would read all of them for each revision.
        let sql = """
            SELECT h.namespace, h.key, h.revision
            FROM revisions AS r CROSS JOIN history AS h INDEXED BY history_by_revision
                ON h.namespace = r.namespace AND h.revision = +r.revision
            WHERE r.revision >= ?1 AND r.revision <= ?2 AND (r.revision > ?1 OR h.key > ?3)
            ORDER BY r.revision, h.key LIMIT ?4
            """
        return try rows(sql, [sweep.revision.stored, sweep.floor.stored, sweep.key, limit])
            .map { row in
                let revision = try row.revision(2, of: "history.revision")
                return (namespace: try row.decode(atIndex: 0), key: try row.decode(atIndex: 1), revision: revision)
            }
    }

    func removeRecords(supersededBy records: [HistoryPruning.Record]) throws {
        let filter = "FROM history WHERE namespace = ? AND key = ? AND revision"
        let removeIfBare = """
            DELETE FROM revisions WHERE revision = ?1 AND NOT EXISTS (
                SELECT 1 FROM history WHERE namespace = ?2 AND history.revision = ?1
            )
            """
        for record in records {
            let place: StatementArguments = [record.namespace, record.key, record.revision.stored]
            let older = try rows("SELECT revision \(filter) < ?", place)
                .map { try $0.revision(0, of: "history.revision") }
            try run("DELETE \(filter) < ?", place)
            try run("DELETE \(filter) = ? AND value IS NULL", place)
            for revision in older + [record.revision] { try run(removeIfBare, [revision.stored, record.namespace]) }
        }
    }
}
