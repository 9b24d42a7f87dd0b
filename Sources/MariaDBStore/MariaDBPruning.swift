#if MariaDB
    internal import ConfigModel
    internal import ConfigStore

    /// The history in the database, as it is pruned beside the commits, by one server at a time.
    struct MariaDBPruning: PrunableHistory {
        let connection: MariaDBConnection

        func sweep() throws -> (head: UInt64, sweep: HistoryPruning.Sweep)? {
            let sql: SQL = """
                SELECT floor, swept_revision, swept_key FROM livery_pruning WHERE id = 1 FOR UPDATE NOWAIT
                """
            guard let row = try connection.rows(sql).first else { return nil }
            let sweep = (floor: try row.unsigned(0), revision: try row.unsigned(1), key: try row.text(2))
            return (try MariaDBTables(connection: connection).meta().head, sweep)
        }

        func save(_ sweep: HistoryPruning.Sweep) throws {
            try connection.run(
                "UPDATE livery_pruning SET floor = ?, swept_revision = ?, swept_key = ? WHERE id = 1",
                [.unsigned(sweep.floor), .unsigned(sweep.revision), .text(sweep.key)]
            )
        }

        func revisions(
            after: UInt64,
            through: UInt64,
            limit: Int
        ) throws -> [(revision: UInt64, updatedAt: Timestamp)] {
            try connection.rows(
                """
                SELECT revision, updated_at FROM livery_revisions WHERE revision > ? AND revision <= ?
                ORDER BY revision LIMIT ?
                """,
                [.unsigned(after), .unsigned(through), .integer(Int64(limit))]
            ).map { (try $0.unsigned(0), Timestamp(milliseconds: try $0.integer(1))) }
        }

        func records(of sweep: HistoryPruning.Sweep, limit: Int) throws -> [HistoryPruning.Record] {
            try connection.rows(
                """
                SELECT h.namespace, h.`key`, h.revision
                FROM livery_revisions AS r JOIN livery_history AS h FORCE INDEX (by_revision)
                    ON h.namespace = r.namespace AND h.revision = r.revision
                WHERE r.revision >= ? AND r.revision <= ? AND (r.revision > ? OR h.`key` > ?)
                ORDER BY r.revision, h.`key` LIMIT ?
                """,
                [
                    .unsigned(sweep.revision), .unsigned(sweep.floor), .unsigned(sweep.revision), .text(sweep.key),
                    .integer(Int64(limit)),
                ]
            ).map { (namespace: try $0.text(0), key: try $0.text(1), revision: try $0.unsigned(2)) }
        }

        func removeRecords(supersededBy record: HistoryPruning.Record) throws -> [UInt64] {
            let place: [MariaDBValue] = [.text(record.namespace), .text(record.key), .unsigned(record.revision)]
            let filter: SQL = " FROM livery_history WHERE namespace = ? AND `key` = ? AND revision"
            let older = try connection.rows("SELECT revision" + filter + " < ?", place).map { try $0.unsigned(0) }
            try connection.run("DELETE" + filter + " < ?", place)
            try connection.run("DELETE" + filter + " = ? AND value IS NULL", place)
            return older
        }

        func removeIfBare(_ revision: UInt64, in namespace: String) throws {
            try connection.run(
                """
                DELETE FROM livery_revisions WHERE revision = ? AND NOT EXISTS (
                    SELECT 1 FROM livery_history AS h FORCE INDEX (by_revision) WHERE h.namespace = ? AND h.revision = ?
                )
                """,
                [.unsigned(revision), .text(namespace), .unsigned(revision)]
            )
        }
    }
#endif
