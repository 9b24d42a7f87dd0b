#if MariaDB
    internal import ConfigModel
    internal import ConfigStore
    internal import Dispatch
    internal import Foundation
    internal import Logging
    internal import Synchronization

    /// Polls for commits of others: one row at an interval, on a thread and a connection of its own.
    final class MariaDBWatch: Sendable {
        /// Where the watch begins, and what it skips.
        struct Start: Sendable {
            /// The head that is known already.
            var head: Cursor
            /// The number of changes of invalid rows so far.
            var leftOut: UInt64
            /// This server, whose commits are known already.
            var writer: UInt64
        }

        private let signal = DispatchSemaphore(value: 0)
        private let isEnded = Mutex(false)

        /// Starts the watch. If it cannot find out what has happened, it ends the stream, and the store has to be loaded
        /// again.
        init(
            pool: MariaDBPool,
            from start: Start,
            every interval: Duration,
            logger: Logger,
            yieldingTo continuation: AsyncStream<Commit>.Continuation
        ) {
            Thread.detachNewThread { [self] in
                var poll = MariaDBPoll(link: pool.link(), start: start, logger: logger)
                var backoff = Backoff()
                while !isEnded.withLock(\.self) {
                    switch poll.run(onCommit: { continuation.yield($0) }) {
                    case .done:
                        backoff = Backoff()
                        wait(interval)
                    case .failed: wait(backoff.next())
                    case .lost: end()
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

    /// The polling of a watch.
    private struct MariaDBPoll {
        enum Result { case done, failed, lost }

        let link: MariaDBLink
        let logger: Logger
        private let epoch: Epoch
        private let writer: UInt64
        private var position: UInt64
        private var leftOut: UInt64
        private var lastMessage: String?

        /// The most revisions that are read at once.
        private static let page: UInt64 = 256

        init(link: MariaDBLink, start: MariaDBWatch.Start, logger: Logger) {
            self.link = link
            self.logger = logger
            (epoch, position) = (start.head.epoch, start.head.revision)
            (writer, leftOut) = (start.writer, start.leftOut)
        }

        mutating func run(onCommit: (Commit) -> Void) -> Result {
            do {
                let meta = try link.read { try MariaDBTables(connection: $0).meta() }
                lastMessage = nil
                guard meta.epoch == epoch, meta.head >= position else { return .lost }
                while position < meta.head {
                    let next = min(meta.head, position + Self.page)
                    guard let commits = try read(through: next) else { return .lost }
                    for commit in commits { onCommit(commit) }
                    position = next
                }
                if meta.leftOut != leftOut {
                    leftOut = meta.leftOut
                    let rows = try link.read { try MariaDBTables(connection: $0).rowsWithoutKey() }
                    logger.leftOut(rows)
                }
                return .done
            } catch {
                // Writes report it, too; but there may be none.
                let message = "\(error)"
                if message != lastMessage { logger.warning("commits of other servers cannot be read: \(message)") }
                lastMessage = message
                return .failed
            }
        }

        /// - Returns: `nil` if the history does not have all of the commits any more.
        private func read(through next: UInt64) throws -> [Commit]? {
            try link.read { connection in
                try connection.snapshot {
                    let tables = MariaDBTables(connection: connection)
                    guard try tables.floor() <= position else { return nil }
                    return try tables.commits(after: position, through: next, except: writer)
                }
            }
        }
    }

    extension MariaDBTables {
        /// Commits of all writers but one, in the order of their revisions.
        func commits(after: UInt64, through: UInt64, except writer: UInt64) throws -> [Commit] {
            var commits: [Commit] = []
            try connection.run(
                """
                SELECT h.entry_id, h.value, h.is_json, r.revision, h.created_at, r.updated_at, r.namespace, r.previous,
                    h.`key`
                FROM livery_revisions AS r LEFT JOIN livery_history AS h FORCE INDEX (by_revision)
                    ON h.namespace = r.namespace AND h.revision = r.revision
                WHERE r.revision > ? AND r.revision <= ? AND (r.writer IS NULL OR r.writer <> ?) ORDER BY r.revision
                """,
                [.unsigned(after), .unsigned(through), .unsigned(writer)]
            ) { row in
                if try row.unsigned(3) != commits.last?.revision { commits.append(try Commit(row)) }
                guard let key = try row.optionalText(8) else { return }
                commits[commits.count - 1].changes[key] = .some(try StoredEntry(row))
            }
            return commits
        }

        /// Some of the rows of the table `config` whose key is invalid, as `id=key`.
        func rowsWithoutKey() throws -> [String] {
            let isNoKey: SQL = "`key` IS NULL OR NOT "
            return try connection.rows(
                "SELECT id, `key` FROM config WHERE " + isNoKey + MariaDBSchema.isKey("`key`")
                    + " ORDER BY id DESC LIMIT 10"
            ).map { row in
                "\(try row.integer(0))=\(try row.optionalText(1)?.excerpt(ofScalars: 40) ?? "NULL")"
            }
        }
    }

    extension Commit {
        /// A commit without its changes, from a row that has the revision as its fourth column.
        fileprivate init(_ row: MariaDBRow) throws {
            self.init(
                revision: try row.unsigned(3),
                updatedAt: Timestamp(milliseconds: try row.integer(5)),
                namespace: try row.text(6),
                previous: try row.unsigned(7),
                changes: [:]
            )
        }
    }

    extension Logger {
        /// Logs which rows of the table `config` are not served.
        func leftOut(_ rows: [String]) {
            guard !rows.isEmpty else { return }
            warning(
                "rows of the table 'config' are left out, since their key or value is invalid; correct or delete them",
                metadata: ["rows": "\(rows.prefix(10).joined(separator: " "))"]
            )
        }
    }
#endif
