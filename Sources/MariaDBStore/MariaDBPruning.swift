#if MariaDB
    internal import ConfigModel
    internal import ConfigStore

    /// The history is pruned beside the commits, by one server at a time.
    extension MariaDBTables: PrunableHistory {
        func sweep() throws -> (head: UInt64, sweep: HistoryPruning.Sweep)? {
            let sql: SQL = """
                SELECT floor, swept_revision, swept_key FROM livery_pruning WHERE id = 1 FOR UPDATE NOWAIT
                """
            guard let row = try connection.rows(sql).first else { return nil }
            return (try head(), (floor: try row[0], revision: try row[1], key: try row[2]))
        }

        func save(_ sweep: HistoryPruning.Sweep) throws {
            try connection.run(
                """
                UPDATE livery_pruning SET floor = \(sweep.floor), swept_revision = \(sweep.revision),
                    swept_key = \(sweep.key) WHERE id = 1
                """
            )
        }

        func revisions(
            after: UInt64,
            through: UInt64,
            limit: Int
        ) throws -> [(revision: UInt64, updatedAt: Timestamp)] {
            try connection.rows(
                """
                SELECT revision, updated_at FROM livery_revisions WHERE revision > \(after) AND revision <= \(through)
                ORDER BY revision LIMIT \(limit)
                """
            ).map { (try $0[0], try $0[1]) }
        }

        func records(of sweep: HistoryPruning.Sweep, limit: Int) throws -> [HistoryPruning.Record] {
            try connection.rows(
                """
                SELECT h.namespace, h.`key`, h.revision
                FROM livery_revisions AS r JOIN livery_history AS h FORCE INDEX (by_revision)
                    ON h.namespace = r.namespace AND h.revision = r.revision
                WHERE r.revision >= \(sweep.revision) AND r.revision <= \(sweep.floor)
                    AND (r.revision > \(sweep.revision) OR h.`key` > \(sweep.key))
                ORDER BY r.revision, h.`key` LIMIT \(limit)
                """
            ).map { (namespace: try $0[0], key: try $0[1], revision: try $0[2]) }
        }

        func removeRecords(supersededBy record: HistoryPruning.Record) throws -> [UInt64] {
            let records: SQL = "FROM livery_history WHERE namespace = \(record.namespace) AND `key` = \(record.key)"
            let older: SQL = "\(records) AND revision < \(record.revision)"
            let revisions: [UInt64] = try connection.rows("SELECT revision \(older)").map { try $0[0] }
            try connection.run("DELETE \(older)")
            try connection.run("DELETE \(records) AND revision = \(record.revision) AND value IS NULL")
            return revisions
        }

        func removeIfBare(_ revision: UInt64, in namespace: String) throws {
            try connection.run(
                """
                DELETE FROM livery_revisions WHERE revision = \(revision) AND NOT EXISTS (
                    SELECT 1 FROM livery_history AS h FORCE INDEX (by_revision)
                    WHERE h.namespace = \(namespace) AND h.revision = \(revision)
                )
                """
            )
        }
    }
#endif
