// SPDX-License-Identifier: Apache-2.0

#if MariaDB
    internal import ConfigModel
    internal import ConfigStore
    internal import Foundation

    /// Commits a batch, in as many attempts as it takes, and never twice.
    ///
    /// Before COMMIT, a transaction can simply be repeated: the server rolls it back when its connection is lost. If the
    /// connection is lost during COMMIT, the number of the batch in the database shows the outcome. The transaction locks the
    /// head until it ends, so that the next holder of the lock sees its final state.
    struct MariaDBCommitter {
        let link: MariaDBLink
        /// The writing server and the number of the batch, by which the database identifies a batch whose answer was lost.
        let batch: Batch
        let now: @Sendable () -> Timestamp

        typealias Batch = (writer: UInt64, number: UInt64)

        /// The maximum time for retries.
        private static let patience = Duration.seconds(12)

        func commit(_ publishes: [Publish]) throws -> [PublishOutcome] {
            let end = ContinuousClock.now + Self.patience
            var backoff = Backoff(from: .milliseconds(4), to: .milliseconds(250))
            var outcomes: [PublishOutcome] = []
            while true {
                let isFromBefore = link.isConnected
                do {
                    link.memory = try link.use { tables in
                        try tables.connection.transaction {
                            let known: BatchMemory
                            (outcomes, known) = try commit(publishes, in: tables)
                            return known
                        }
                    }
                    return outcomes
                } catch let lost as LostCommitResponse {
                    if outcomes.allSatisfy({ $0.commit == nil }) { return outcomes }
                    if try wasCommitted(lost, until: .now + Self.patience) { return outcomes }
                    guard ContinuousClock.now < end else { throw lost.underlying }
                } catch let error as MariaDBError where error.isConflict || error.isLostConnection {
                    guard ContinuousClock.now < end, !error.isRefusedConnection else { throw error }
                } catch let error as MariaDBError where error.isDenied && isFromBefore {
                    // The privilege may have been granted since the connection was opened.
                }
                pause(&backoff)
            }
        }

        /// Commits publishes in the transaction that the connection is in.
        ///
        /// It locks the head, so that no other server has a revision between those of the batch.
        private func commit(
            _ publishes: [Publish],
            in tables: MariaDBTables
        ) throws -> (outcomes: [PublishOutcome], known: BatchMemory) {
            let meta = try tables.lockedMeta()
            var known = link.memory.take(at: meta.cursor, meta.updatedAt)
            var rows = MariaDBTables(connection: tables.connection, batch: batch, nextID: meta.nextID)
            let outcomes = try rows.commit(publishes, at: meta.cursor, meta.updatedAt, knowing: &known, now: now)
            return (outcomes, known)
        }

        /// - Throws: ``LostCommitResponse`` if the database does not answer in time.
        private func wasCommitted(_ lost: LostCommitResponse, until end: ContinuousClock.Instant) throws -> Bool {
            var backoff = Backoff(from: .milliseconds(25), to: .seconds(1))
            while true {
                do {
                    return try link.use { tables in
                        let wasCommitted = try tables.connection.transaction {
                            _ = try tables.lockedMeta()
                            let sql: SQL = "SELECT batch FROM livery_writers WHERE writer = \(batch.writer)"
                            return try tables.connection.value(sql) == batch.number
                        }
                        if wasCommitted { try tables.waitForDisk() }
                        return wasCommitted
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
#endif
