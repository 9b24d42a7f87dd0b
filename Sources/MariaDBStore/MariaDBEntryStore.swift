// SPDX-License-Identifier: Apache-2.0

#if MariaDB
    public import ConfigModel
    public import ConfigStore
    public import Logging
    internal import Synchronization

    /// A store in a MariaDB database, which several servers share.
    ///
    /// Every commit is one transaction. It locks the one row that has the highest revision, so that revisions are
    /// committed in their order, by all servers and by people who change the table `config` with SQL.
    public final class MariaDBEntryStore: EntryStore {
        /// The options of the store.
        public struct Options: Sendable {
            /// The retention of the history.
            public var history = HistoryRetention()
            /// The polling interval for commits of other servers while there are none; a quarter of it while there are.
            public var pollInterval = Duration.milliseconds(20)
            /// The clock that writes are dated by, in whole milliseconds since 1970.
            public var now: @Sendable () -> Timestamp = WriteClock().now

            /// Creates the options that suit most servers.
            public init() {}
        }

        private struct State {
            var pool: MariaDBPool?
            /// The loaded position.
            var position: MariaDBWatch.Position?
            var watch: MariaDBWatch?
            var batches: UInt64 = 0
            /// The last revision that was committed here.
            var lastRevision: UInt64 = 0
            /// Whether the last commit or probe has failed.
            var hasFailed = false
            /// The time at which a commit or a probe last showed that the database can be written to.
            var lastSuccess: ContinuousClock.Instant?
            var isPruning = false
        }

        /// The database.
        public let address: MariaDBAddress
        private let password: StorePassword?
        private let options: Options
        private let logger: Logger
        private let report: UpkeepReport
        /// The time for which a success shows that the database can be written to.
        private static let probeInterval = Duration.seconds(4)
        /// The random number of this server among the writers.
        private let writer = UInt64.random(in: .min ... .max)
        private let state = Mutex(State())

        /// Creates a store, which connects when it is loaded.
        ///
        /// - Parameters:
        ///   - address: the database, which must exist.
        ///   - password: the user's password, if it has one.
        ///   - options: how the store behaves.
        ///   - logger: for rows that cannot be served, and for connections that are lost.
        public init(
            _ address: MariaDBAddress,
            password: StorePassword? = nil,
            options: Options = Options(),
            logger: Logger = Logger(label: "livery.mariadb")
        ) {
            (self.address, self.password, self.options, self.logger) = (address, password, options, logger)
            report = UpkeepReport(of: ["pruning"], logger)
        }

        deinit { close() }

        /// Connects, upgrades the tables, and reads the live entries.
        ///
        /// - Throws: `unavailable` if the server cannot be reached, refuses the user or is not suitable, `readOnly` if it is
        ///   read-only and has no tables yet, `damaged` if the tables are of another version.
        public func load() async throws(StoreError) -> StoreContents {
            let pool = state.withLock { state in
                let pool = state.pool ?? MariaDBPool(address, password: password)
                state.pool = pool
                return pool
            }
            let (position, acknowledged) = state.withLock { ($0.position, $0.lastRevision) }
            try await perform(on: pool.writer) { [self] link in
                try link.read { tables in
                    try prepare(tables)
                    guard let position, try tables.isCopy(of: position, acknowledged: acknowledged) else { return }
                    // Clients have seen other revisions with the same numbers.
                    if try !tables.isReadOnly() { try tables.beginEpoch(after: position.head.epoch) }
                }
            }
            let (contents, leftOut, leftOutCount) = try await perform(on: pool.own) { link in
                try link.read { tables in
                    let read = try tables.connection.snapshot {
                        let (contents, leftOut) = try tables.contents()
                        return (contents, try tables.rowsWithoutKey() + leftOut, try tables.meta().leftOut)
                    }
                    try tables.waitForDisk()
                    return read
                }
            }
            logger.leftOut(leftOut)
            state.withLock { state in
                state.position = .init(
                    head: contents.head,
                    updatedAt: contents.updatedAt,
                    leftOut: leftOutCount,
                    writer: writer
                )
                state.lastRevision = contents.head.revision
            }
            return contents
        }

        /// Commits all publishes in one transaction.
        public func commit(_ publishes: [Publish]) async throws(StoreError) -> [PublishOutcome] {
            let pool = try opened()
            let batch = state.withLock { state in
                state.batches += 1
                return (writer: writer, number: state.batches)
            }
            var isCommitted = false
            defer { if !isCommitted { state.withLock { $0.hasFailed = true } } }
            let outcomes = try await perform(on: pool.writer) { [options] link in
                try MariaDBCommitter(link: link, batch: batch, now: options.now).commit(publishes)
            }
            isCommitted = true
            succeeded(outcomes, pool)
            return outcomes
        }

        /// The commits of other servers. The stream ends if some cannot be determined, for example after the database was
        /// replaced by a copy, and when another stream is requested.
        public func foreignCommits() -> AsyncStream<[Commit]> {
            let (stream, continuation) = AsyncStream.makeStream(of: [Commit].self)
            state.withLock { state in
                guard let pool = state.pool, let position = state.position else { return continuation.finish() }
                let poll = MariaDBPoll(
                    address: address,
                    position: position,
                    acknowledged: { [weak self] in self?.state.withLock(\.lastRevision) ?? 0 },
                    logger: logger
                )
                let watch = MariaDBWatch(
                    poll,
                    connect: pool.connect,
                    every: options.pollInterval,
                    onLoss: { [weak self] position in self?.state.withLock { $0.position = position } },
                    yieldingTo: continuation
                )
                continuation.onTermination = { _ in watch.end() }
                state.watch?.end()
                state.watch = watch
            }
            return stream
        }

        /// The head of the store. The caller expects a commit that has not been yielded yet, so the watch polls at once.
        public func head() async throws(StoreError) -> RevisionCursor? {
            state.withLock { $0.watch }?.wake()
            // Not behind what clients read.
            return try await perform(on: try opened().own) { try $0.snapshot { try $0.meta().cursor } }
        }

        /// Reads the history.
        public func history(
            _ query: HistoryQuery,
            charging charge: ReadCharge
        ) async throws(StoreError) -> [HistoryRecord] {
            try await read { try $0.history(query, charging: charge) }
        }

        /// Reads values in the history.
        public func values(
            in namespace: String,
            at revision: UInt64,
            charging charge: ReadCharge
        ) async throws(StoreError) -> [String: EntryValue?]? {
            try await read { try $0.knownValues(in: namespace, at: revision, charging: charge) }
        }

        /// The time of the database.
        public func now() async throws(StoreError) -> Timestamp? {
            try await read { tables in
                let sql: SQL = "SELECT CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS UNSIGNED)"
                let milliseconds: UInt64? = try tables.connection.value(sql)
                return milliseconds.map { Timestamp(milliseconds: Int64(clamping: $0)) }
            }
        }

        /// The reason why a commit would fail now: checked by the steps of a commit, unless one has just succeeded.
        public func problem() async -> StoreError? {
            _ = options.now()
            do throws(StoreError) {
                let pool = try opened()
                let isReadOnly = try await perform(on: pool.own) { link in try link.read { try $0.isReadOnly() } }
                if isReadOnly { throw StoreError(MariaDBError.readOnly, at: address) }
                let (hasFailed, last) = state.withLock { ($0.hasFailed, $0.lastSuccess) }
                if !hasFailed, let last, .now - last < Self.probeInterval { return nil }
                let ids = try await perform(on: pool.writer) { link in
                    try link.read { tables in
                        try tables.probe(writing: hasFailed)
                        return hasFailed ? try ConfigIDs(tables.connection) : nil
                    }
                }
                if let ids, ids.isUsedUp { throw StoreError(MariaDBError.outOfIDs, at: address) }
                state.withLock { ($0.hasFailed, $0.lastSuccess) = (false, .now) }
                return nil
            } catch {
                state.withLock { $0.hasFailed = true }
                return error
            }
        }

        /// Closes the connections. ``load()`` opens them again.
        public func close() {
            let watch = state.withLock { state in
                defer { (state.pool, state.position, state.watch, state.lastSuccess) = (nil, nil, nil, nil) }
                return state.watch
            }
            watch?.end()
        }

        private func opened() throws(StoreError) -> MariaDBPool {
            let (pool, position) = state.withLock { ($0.pool, $0.position) }
            if position != nil, let pool { return pool }
            throw .notOpen
        }

        private func perform<Value: Sendable>(
            on worker: MariaDBWorker,
            _ body: @escaping @Sendable (MariaDBLink) throws -> Value
        ) async throws(StoreError) -> Value {
            do {
                return try await worker.perform(body)
            } catch {
                throw StoreError(error, at: address)
            }
        }

        private func read<Value: Sendable>(
            _ body: @escaping @Sendable (MariaDBTables) throws -> Value
        ) async throws(StoreError) -> Value {
            try await perform(on: try opened().reader) { try $0.snapshot(body) }
        }

        /// Creates the tables where they are missing, and imports what bypassed the triggers.
        private func prepare(_ tables: MariaDBTables) throws {
            let connection = tables.connection
            if try tables.isReadOnly() {
                // Then it can only be read as it is.
                guard try MariaDBSchema.isMigrated(connection) else { throw MariaDBError.readOnly }
                return
            }
            try MariaDBSchema.migrate(connection)
            if try connection.value("SELECT @@innodb_flush_log_at_trx_commit") != "1" {
                logger.warning(
                    "MariaDB may lose commits in a crash; set innodb_flush_log_at_trx_commit = 1"
                )
            }
            if let warning = try ConfigIDs(connection)?.warning { logger.warning("\(warning)") }
            let count = try tables.adopt(now: options.now)
            if count > 0 { logger.notice("imported the table 'config'", metadata: ["keys": "\(count)"]) }
            // Of servers that ended long ago.
            let old: SQL = "SELECT writer FROM livery_writers WHERE written_at < NOW() - INTERVAL 1 DAY"
            // One by one, which locks no row of a server that is at work.
            try connection.run(each: connection.rows(old).map { try $0[0] as UInt64 }) { writer in
                "DELETE FROM livery_writers WHERE writer = \(writer)"
            }
        }

        private func succeeded(_ outcomes: [PublishOutcome], _ pool: MariaDBPool) {
            let revisions = outcomes.compactMap(\.commit?.revision)
            guard let first = revisions.first, let last = revisions.last else { return }
            let (watch, prunes) = state.withLock { state in
                defer { (state.lastRevision, state.hasFailed, state.lastSuccess) = (last, false, .now) }
                let prunes = !state.isPruning && last / 128 != state.lastRevision / 128
                if prunes { state.isPruning = true }
                // Others committed before, and the hub waits for their commits.
                return (first == state.lastRevision + 1 ? nil : state.watch, prunes)
            }
            watch?.wake()
            if prunes { Task { await prune(pool) } }
        }

        private func prune(_ pool: MariaDBPool) async {
            let (pruning, now) = (HistoryPruning(options.history, revisionsPerStep: 256), options.now)
            do {
                var hasMore = true
                while hasMore {
                    hasMore = try await pool.reader.perform { link in
                        try link.use { tables in
                            try tables.connection.transaction { try pruning.step(in: tables, at: now()) }
                        }
                    }
                }
                report.succeeded("pruning")
            } catch {
                // The next commits begin it again; another server may be pruning.
                if (error as? MariaDBError)?.isConflict != true {
                    report.failed("pruning", StoreError(error, at: address))
                }
            }
            state.withLock { $0.isPruning = false }
        }
    }
#endif
