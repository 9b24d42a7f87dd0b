// SPDX-License-Identifier: Apache-2.0

#if MariaDB
    internal import ConfigModel
    internal import ConfigStore
    internal import Dispatch
    internal import Foundation
    internal import Logging
    internal import Synchronization

    /// Polls for commits of other servers: one row per interval, on a separate thread and connection.
    ///
    /// Commits seldom come alone: after one the interval is short for a while.
    final class MariaDBWatch: Sendable {
        /// The read position, and the revisions to skip.
        struct Position: Sendable {
            var head: RevisionCursor
            /// The date of the head, by which it differs from another revision of the same number in a copy that was put back;
            /// `nil` if it is not known.
            var updatedAt: Timestamp?
            /// The number of changes of invalid rows so far.
            var leftOut: UInt64
            /// This server, whose commits are known already.
            let writer: UInt64
        }

        private let signal = DispatchSemaphore(value: 0)
        /// The time of more frequent polling after a commit.
        private static let busyTime = Duration.seconds(2)
        private let isEnded = Mutex(false)

        /// Starts the watch. If it cannot determine what has happened, it ends the stream, and the store must be loaded again.
        ///
        /// - Parameter onLoss: receives the last position when the watch ends the stream.
        init(
            _ poll: MariaDBPoll,
            connect: @escaping @Sendable () throws -> MariaDBConnection,
            every interval: Duration,
            onLoss: @escaping @Sendable (Position) -> Void,
            yieldingTo continuation: AsyncStream<[Commit]>.Continuation
        ) {
            Thread.detachNewThread { [self] in
                var (poll, backoff) = (poll, Backoff())
                let link = MariaDBLink(connect: connect)
                while !isEnded.withLock(\.self) {
                    switch poll.run(on: link, onCommits: { continuation.yield($0) }) {
                    case .done:
                        backoff.reset()
                        let isBusy = poll.lastCommit.map { .now - $0 < Self.busyTime } ?? false
                        wait(isBusy ? interval / 4 : interval)
                    case .failed: wait(backoff.next())
                    case .lost:
                        onLoss(poll.position)
                        end()
                    }
                }
                continuation.finish()
            }
        }

        /// Polls now.
        func wake() { signal.signal() }

        func end() {
            isEnded.withLock { $0 = true }
            signal.signal()
        }

        private func wait(_ duration: Duration) {
            _ = signal.wait(timeout: .now() + duration / .seconds(1))
            // However often it was woken, it polls once.
            while signal.wait(timeout: .now()) == .success {}
        }
    }

    /// The reads of the commits of other servers, one after the other.
    struct MariaDBPoll: Sendable {
        enum Result { case done, failed, lost }

        let address: MariaDBAddress
        var position: MariaDBWatch.Position
        /// The last revision that this server has committed: it is on disk.
        let acknowledged: @Sendable () -> UInt64
        let logger: Logger
        var lastMessage: String?
        /// The number of revisions that are read at once: fewer after large ones.
        var pace: UInt64 = Self.maximumPace
        /// The time at which a commit of another server was last read.
        var lastCommit: ContinuousClock.Instant?

        private static let maximumPace: UInt64 = 256
        /// The maximum number of bytes of values that are read at once. A single revision may have more.
        private static let maximumBytes = 8 * 1024 * 1024

        mutating func run(on link: MariaDBLink, onCommits: ([Commit]) -> Void) -> Result {
            do {
                let result = try link.read { try advance(in: $0, onCommits: onCommits) }
                lastMessage = nil
                return result
            } catch {
                // Writes report it, too; but there may be none.
                let message = StoreError(error, at: address).message
                if message != lastMessage { logger.warning("cannot read commits of other servers: \(message)") }
                lastMessage = message
                return .failed
            }
        }

        /// Reads on one connection: a database that was killed since its head was read may have lost that head.
        private mutating func advance(in tables: MariaDBTables, onCommits: ([Commit]) -> Void) throws -> Result {
            let meta = try tables.meta()
            guard meta.cursor.epoch == position.head.epoch, meta.head >= position.head.revision else { return .lost }
            let isSameHead = position.updatedAt == nil || position.updatedAt == meta.updatedAt
            if meta.head == position.head.revision, !isSameHead { return .lost }
            while position.head.revision < meta.head {
                let after = position.head.revision
                let last = min(meta.head, after + pace)
                let read = try tables.commits(
                    after: after,
                    of: position.updatedAt,
                    through: last,
                    except: position.writer,
                    atMost: Self.maximumBytes
                )
                // Otherwise the history does not have all of them any more.
                guard let (commits, next) = read else { return .lost }
                pace = next < last ? max(next - after, 1) : min(pace * 2, Self.maximumPace)
                if !commits.isEmpty || acknowledged() < next { try tables.waitForDisk() }
                if !commits.isEmpty {
                    onCommits(commits)
                    lastCommit = .now
                }
                (position.head.revision, position.updatedAt) = (next, nil)
            }
            position.updatedAt = meta.updatedAt
            if meta.leftOut != position.leftOut {
                position.leftOut = meta.leftOut
                logger.leftOut(try tables.rowsWithoutKey())
            }
            return .done
        }
    }

    extension MariaDBTables {
        /// Commits of all writers but one, in the order of their revisions; `nil` if the history does not have all of them.
        ///
        /// One query, so that the commits and the floor of the history are those of one moment.
        ///
        /// - Parameters:
        ///   - date: the date of the revision before them, if it is known: the history does not have it if it is another one.
        ///   - bytes: the maximum number of bytes of their values. The first commit may have more.
        /// - Returns: the commits, and the revision through which there are all of them.
        func commits(
            after: UInt64,
            of date: Timestamp?,
            through: UInt64,
            except writer: UInt64,
            atMost bytes: Int
        ) throws -> (commits: [Commit], through: UInt64)? {
            struct LimitReached: Error {}
            var (commits, isComplete, left) = ([Commit](), false, bytes)
            let query: SQL = """
                SELECT h.entry_id, h.value, h.is_json, r.revision, h.created_at, r.updated_at, r.namespace, r.previous,
                    h.`key`, p.floor, (SELECT b.updated_at FROM livery_revisions AS b WHERE b.revision = \(after))
                FROM livery_pruning AS p LEFT JOIN livery_revisions AS r
                        ON r.revision > \(after) AND r.revision <= \(through)
                        AND (r.writer IS NULL OR r.writer <> \(writer))
                    LEFT JOIN livery_history AS h FORCE INDEX (by_revision)
                        ON h.namespace = r.namespace AND h.revision = r.revision
                WHERE p.id = 1 ORDER BY r.revision
                """
            do {
                try connection.run(query, isStreamed: true) { row in
                    let found = row.columns[10] == nil ? nil : try row.date(10)
                    isComplete = try row.revision(9) <= after && (date == nil || found == nil || found == date)
                    guard row.columns[3] != nil else { return }
                    let revision = try row.revision(3)
                    left -= row.columns[1]?.utf8.count ?? 0
                    let isNew = commits.last?.revision != revision
                    let whole = isNew ? commits.count : commits.count - 1
                    if left < 0, whole > 0 {
                        if !isNew { commits.removeLast() }
                        throw LimitReached()
                    }
                    if isNew {
                        commits.append(
                            Commit(
                                revision: revision,
                                updatedAt: try row.date(5),
                                namespace: try row[6],
                                previous: try row.revision(7),
                                changes: [:]
                            )
                        )
                    }
                    guard let key: String = try row[8] else { return }
                    commits[commits.count - 1].changes[key] = .some(try StoredEntry(row))
                }
            } catch is LimitReached {
                return isComplete ? (commits, commits[commits.count - 1].revision) : nil
            }
            return isComplete ? (commits, through) : nil
        }

        /// Whether the database is not the one that was at a position: it was restored from an older copy.
        ///
        /// - Parameter acknowledged: the last revision that this server has committed.
        func isCopy(of position: MariaDBWatch.Position, acknowledged: UInt64) throws -> Bool {
            let meta = try meta()
            guard meta.cursor.epoch == position.head.epoch else { return false }
            if meta.head < max(position.head.revision, acknowledged) { return true }
            let sql: SQL = "SELECT updated_at FROM livery_revisions WHERE revision = \(position.head.revision)"
            // The revision may have been pruned.
            let date = try connection.rows(sql).first?.date(0)
            return date != nil && position.updatedAt != nil && date != position.updatedAt
        }

        /// Some of the rows of the table `config` whose key is invalid, as `id=key`.
        func rowsWithoutKey() throws -> [String] {
            let isKey = MariaDBSchema.isKey("`key`")
            return try connection.rows(
                "SELECT id, `key` FROM config WHERE `key` IS NULL OR NOT \(isKey) ORDER BY id DESC LIMIT 10"
            ).map { row in
                let (id, key): (String, String?) = (try row[0], try row[1])
                return "\(id)=\(key?.excerpt(ofScalars: 40) ?? "NULL")"
            }
        }
    }

    extension Logger {
        /// Logs which rows of the table `config` are not served.
        func leftOut(_ rows: [String]) {
            guard !rows.isEmpty else { return }
            warning(
                "skipping rows of the table 'config' with an invalid key or value; correct or delete them",
                metadata: ["rows": "\(rows.prefix(10).joined(separator: " "))"]
            )
        }
    }
#endif
