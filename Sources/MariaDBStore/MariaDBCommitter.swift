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
        let batch: MariaDBBatch
        let now: @Sendable () -> Timestamp
        /// How long to retry.
        var patience = Duration.seconds(12)

        func commit(_ publishes: [Publish]) throws -> [PublishOutcome] {
            let end = ContinuousClock.now + patience
            var backoff = Backoff(from: .milliseconds(4), to: .milliseconds(250))
            var outcomes: [PublishOutcome] = []
            while true {
                do {
                    try link.use { connection in
                        try connection.transaction {
                            var tables = MariaDBTables(connection: connection)
                            outcomes = try tables.commit(publishes, as: batch, now: now)
                        }
                    }
                    return outcomes
                } catch let lost as LostAnswer {
                    if outcomes.allSatisfy({ $0.commit == nil }) { return outcomes }
                    if try wasCommitted(lost, until: .now + patience) { return outcomes }
                    guard ContinuousClock.now < end else { throw lost.underlying }
                } catch let error as MariaDBError where error.isConflict || error.isLostConnection {
                    guard ContinuousClock.now < end, !error.isRefusedConnection else { throw error }
                }
                pause(&backoff)
            }
        }

        /// - Throws: ``LostAnswer`` if the database does not answer in time.
        private func wasCommitted(_ lost: LostAnswer, until end: ContinuousClock.Instant) throws -> Bool {
            var backoff = Backoff(from: .milliseconds(25), to: .seconds(1))
            while true {
                do {
                    return try link.use { connection in
                        try connection.transaction {
                            _ = try MariaDBTables(connection: connection).lockedMeta()
                            let sql: SQL = "SELECT batch FROM livery_writers WHERE writer = ?"
                            let found = try connection.rows(sql, [.unsigned(batch.writer)]).first
                            return try found?.unsigned(0) == batch.number
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
#endif
