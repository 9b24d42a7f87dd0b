#if MariaDB
    internal import ConfigModel
    internal import ConfigStore

    /// Forgets history that is older than it has to be kept, a little at a time and beside the commits.
    ///
    /// The floor is the lowest revision whose state can still be told. It rises first; then what only states below it
    /// needed is swept away: of each key, all records up to the floor but the newest, and that too if it is a tombstone.
    struct MariaDBPruning {
        let connection: MariaDBConnection
        let age: Duration
        let revisions: UInt64

        private static let revisionsPerStep = 256
        private static let recordsPerStep = 256

        private struct Sweep {
            var floor: UInt64
            var revision: UInt64
            var key: String
        }

        private struct Record {
            var namespace: String
            var key: String
            var revision: UInt64
        }

        /// Does a step, unless another server is at it.
        ///
        /// - Returns: whether there is more to do.
        func step(at now: Timestamp) throws -> Bool {
            try connection.transaction {
                let row = try connection.rows(Self.state).first
                guard let row else { return false }
                var sweep = Sweep(floor: try row.unsigned(0), revision: try row.unsigned(1), key: try row.text(2))
                let before = sweep.floor
                try raise(&sweep.floor, now: now)
                let isSwept = try remove(&sweep)
                try connection.run(
                    "UPDATE livery_pruning SET floor = ?, swept_revision = ?, swept_key = ? WHERE id = 1",
                    [.unsigned(sweep.floor), .unsigned(sweep.revision), .text(sweep.key)]
                )
                return !isSwept || sweep.floor > before
            }
        }

        private static let state: SQL = """
            SELECT floor, swept_revision, swept_key FROM livery_pruning WHERE id = 1 FOR UPDATE NOWAIT
            """

        private func raise(_ floor: inout UInt64, now: Timestamp) throws {
            let head = try MariaDBReader(connection: connection).meta().head
            guard head > floor + revisions else { return }
            let newest = now.earlier(by: age).milliseconds
            // Times rise with the revisions.
            let risen = try connection.rows(
                """
                SELECT CAST(COALESCE(MAX(revision), 0) AS UNSIGNED) FROM (
                    SELECT revision FROM livery_revisions WHERE revision > ? AND revision <= ? AND updated_at <= ?
                    ORDER BY revision LIMIT ?
                ) AS old
                """,
                [
                    .unsigned(floor), .unsigned(head - revisions), .integer(newest),
                    .integer(Int64(Self.revisionsPerStep)),
                ]
            ).first?.unsigned(0)
            floor = max(floor, risen ?? 0)
        }

        /// - Returns: whether everything up to the floor has been looked at.
        private func remove(_ sweep: inout Sweep) throws -> Bool {
            let records = try connection.rows(
                """
                SELECT h.namespace, h.`key`, h.revision
                FROM livery_revisions AS r JOIN livery_history AS h FORCE INDEX (by_revision)
                    ON h.namespace = r.namespace AND h.revision = r.revision
                WHERE r.revision >= ? AND r.revision <= ? AND (r.revision > ? OR h.`key` > ?)
                ORDER BY r.revision, h.`key` LIMIT ?
                """,
                [
                    .unsigned(sweep.revision), .unsigned(sweep.floor), .unsigned(sweep.revision), .text(sweep.key),
                    .integer(Int64(Self.recordsPerStep)),
                ]
            ).map { Record(namespace: try $0.text(0), key: try $0.text(1), revision: try $0.unsigned(2)) }
            for record in records { try removeSuperseded(by: record) }
            if let last = records.last { (sweep.revision, sweep.key) = (last.revision, last.key) }
            return records.count < Self.recordsPerStep
        }

        private func removeSuperseded(by record: Record) throws {
            let place: [MariaDBValue] = [.text(record.namespace), .text(record.key), .unsigned(record.revision)]
            let older = try connection.rows(
                "SELECT revision FROM livery_history WHERE namespace = ? AND `key` = ? AND revision < ?",
                place
            ).map { try $0.unsigned(0) }
            try connection.run("DELETE FROM livery_history WHERE namespace = ? AND `key` = ? AND revision < ?", place)
            for revision in older { try removeIfBare(revision, record.namespace) }
            try connection.run(
                "DELETE FROM livery_history WHERE namespace = ? AND `key` = ? AND revision = ? AND value IS NULL",
                place
            )
            try removeIfBare(record.revision, record.namespace)
        }

        /// Removes a revision that has no records any more.
        private func removeIfBare(_ revision: UInt64, _ namespace: String) throws {
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
