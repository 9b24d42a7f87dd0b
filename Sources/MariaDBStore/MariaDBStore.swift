#if MariaDB
    public import ConfigModel
    public import ConfigStore
    public import Logging
    internal import Synchronization

    /// A store in a MariaDB database, which several servers share.
    ///
    /// Every commit is one transaction. It locks the one row that has the highest revision, so that revisions are
    /// committed in their order, by all servers and by people who change the table `config` with SQL.
    public final class MariaDBStore: ConfigStore {
        /// How the store behaves.
        public struct Options: Sendable {
            /// How long history is kept.
            public var history = HistoryRetention()
            /// How often to look for commits of others.
            public var pollInterval = Duration.milliseconds(50)
            /// The clock that writes are dated by, in whole milliseconds since 1970.
            public var now: @Sendable () -> Timestamp = WriteClock().now

            /// Creates the options that suit most servers.
            public init() {}
        }

        private struct State {
            var pool: MariaDBPool?
            var start: MariaDBWatch.Start?
            var watches: [MariaDBWatch] = []
            var batches: UInt64 = 0
            /// The last revision that was committed here.
            var lastRevision: UInt64 = 0
            var lastFailure: StoreError?
            var isPruning = false
        }

        /// The database.
        public let address: MariaDBAddress
        private let password: StorePassword?
        private let options: Options
        private let logger: Logger
        /// The number of this server among those that write.
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
            self.address = address
            self.password = password
            self.options = options
            self.logger = logger
        }

        deinit { end() }

        /// Connects, upgrades the tables, and reads the live entries.
        ///
        /// - Throws: `unavailable` if the server cannot be reached, refuses the user or is not suitable, `readOnly` if it is
        ///   read-only and has no tables yet, `damaged` if the tables are of a newer version.
        public func load() async throws(StoreError) -> StoreContents {
            let pool = state.withLock { state in
                let pool = state.pool ?? MariaDBPool(address, password: password)
                state.pool = pool
                return pool
            }
            try await perform(on: pool.writer) { [self] link in try link.read { try prepare($0) } }
            let (contents, leftOut, rows, leftOutCount) = try await perform(on: pool.reader) { link in
                try link.read { connection in
                    try connection.snapshot {
                        let tables = MariaDBTables(connection: connection)
                        let (contents, leftOut) = try tables.contents()
                        return (contents, leftOut, try tables.rowsWithoutKey(), try tables.meta().leftOut)
                    }
                }
            }
            logger.leftOut(rows + leftOut)
            let start = MariaDBWatch.Start(head: contents.head, leftOut: leftOutCount, writer: writer)
            state.withLock { state in
                state.start = start
                state.lastRevision = contents.head.revision
            }
            return contents
        }

        /// Commits all publishes in one transaction.
        public func commit(_ publishes: [Publish]) async throws(StoreError) -> [PublishOutcome] {
            let (pool, number) = try state.withLock { state throws(StoreError) in
                state.batches += 1
                return (try opened(state), state.batches)
            }
            let (batch, now) = (MariaDBBatch(writer: writer, number: number), options.now)
            do throws(StoreError) {
                let outcomes = try await perform(on: pool.writer) { link in
                    try MariaDBCommitter(link: link, batch: batch, now: now).commit(publishes)
                }
                succeeded(outcomes, pool)
                return outcomes
            } catch {
                state.withLock { $0.lastFailure = error }
                throw error
            }
        }

        /// The commits of others. The stream ends if some cannot be found out, as after the database was replaced by another
        /// copy.
        public func foreignCommits() -> AsyncStream<Commit> {
            let (stream, continuation) = AsyncStream.makeStream(of: Commit.self)
            state.withLock { state in
                guard let pool = state.pool, let start = state.start else { return continuation.finish() }
                let watch = MariaDBWatch(
                    pool: pool,
                    from: start,
                    every: options.pollInterval,
                    logger: logger,
                    yieldingTo: continuation
                )
                state.watches.append(watch)
                continuation.onTermination = { [weak self] _ in
                    watch.end()
                    self?.state.withLock { state in state.watches.removeAll { $0 === watch } }
                }
            }
            return stream
        }

        /// The head of the store. The caller expects a commit that has not been yielded yet, so the watch polls at once.
        public func head() async throws(StoreError) -> Cursor? {
            for watch in state.withLock(\.watches) { watch.wake() }
            return try await read { tables in
                let meta = try tables.meta()
                return Cursor(epoch: meta.epoch, revision: meta.head)
            }
        }

        /// Reads the history.
        public func history(_ query: HistoryQuery) async throws(StoreError) -> [HistoryRecord] {
            try await read { try $0.history(query) }
        }

        /// Reads values in the history.
        public func values(
            in namespace: String,
            at revision: UInt64
        ) async throws(StoreError) -> [String: EntryValue?]? {
            try await read { try $0.knownValues(in: namespace, at: revision) }
        }

        /// Why a commit would fail now; after one that failed, found out by a write.
        public func problem() async -> StoreError? {
            _ = options.now()
            do throws(StoreError) {
                let pool = try state.withLock { state throws(StoreError) in try opened(state) }
                let isReadOnly = try await perform(on: pool.reader) { link in
                    try link.read { try MariaDBTables(connection: $0).isReadOnly() }
                }
                if isReadOnly { throw StoreError(MariaDBError.readOnly, at: address) }
                guard state.withLock({ $0.lastFailure != nil }) else { return nil }
                try await perform(on: pool.writer) { link in
                    try link.read { connection in
                        try connection.transaction {
                            _ = try MariaDBTables(connection: connection).lockedMeta()
                            try connection.run("UPDATE livery_meta SET head = head WHERE id = 1")
                        }
                    }
                }
                state.withLock { $0.lastFailure = nil }
                return nil
            } catch {
                return error
            }
        }

        /// Closes the connections. ``load()`` opens them again.
        public func close() {
            end()
        }
    }

    extension MariaDBStore {
        private func opened(_ state: borrowing State) throws(StoreError) -> MariaDBPool {
            if state.start != nil, let pool = state.pool { return pool }
            throw StoreError(.unavailable, "the database is not open yet; try again in a moment")
        }

        private func end() {
            let (pool, watches) = state.withLock { state in
                defer { (state.pool, state.start) = (nil, nil) }
                return (state.pool, state.watches)
            }
            for watch in watches { watch.end() }
            pool?.close()
        }

        private func perform<Value: Sendable>(
            on worker: MariaDBWorker,
            _ body: @escaping @Sendable (MariaDBLink) throws -> Value
        ) async throws(StoreError) -> Value {
            let result: Result<Value, any Error>
            do {
                result = .success(try await worker.perform(body))
            } catch {
                result = .failure(error)
            }
            return try result.orStoreError(at: address)
        }

        private func read<Value: Sendable>(
            _ body: @escaping @Sendable (MariaDBTables) throws -> Value
        ) async throws(StoreError) -> Value {
            let pool = try state.withLock { state throws(StoreError) in try opened(state) }
            return try await perform(on: pool.reader) { link in
                try link.read { connection in
                    try connection.snapshot { try body(MariaDBTables(connection: connection)) }
                }
            }
        }

        /// Upgrades the tables, and imports what bypassed the triggers.
        private func prepare(_ connection: MariaDBConnection) throws {
            if try MariaDBTables(connection: connection).isReadOnly() {
                // Then it can only be read as it is.
                guard try MariaDBSchema.isMigrated(connection) else { throw MariaDBError.readOnly }
                return
            }
            try MariaDBSchema.migrate(connection)
            if try connection.rows("SELECT @@innodb_flush_log_at_trx_commit").first?.integer(0) != 1 {
                logger.warning(
                    "MariaDB may lose commits when its machine fails; set innodb_flush_log_at_trx_commit = 1"
                )
            }
            let count = try MariaDBAdoption(connection: connection, now: options.now).adopt()
            if count > 0 { logger.notice("imported the table 'config'", metadata: ["keys": "\(count)"]) }
            // Of servers that ended long ago.
            try connection.run("DELETE FROM livery_writers WHERE written_at < NOW() - INTERVAL 1 DAY")
        }

        private func succeeded(_ outcomes: [PublishOutcome], _ pool: MariaDBPool) {
            let revisions = outcomes.compactMap(\.commit?.revision)
            guard let first = revisions.first, let last = revisions.last else { return }
            let (watches, prunes) = state.withLock { state in
                defer { (state.lastRevision, state.lastFailure) = (last, nil) }
                let prunes = !state.isPruning && last / 128 != state.lastRevision / 128
                if prunes { state.isPruning = true }
                // Others committed before, and the hub waits for their commits.
                return (first == state.lastRevision + 1 ? [] : state.watches, prunes)
            }
            for watch in watches { watch.wake() }
            if prunes { Task { await prune(pool) } }
        }

        private func prune(_ pool: MariaDBPool) async {
            let now = options.now
            let pruning = HistoryPruning(options.history, revisionsPerStep: 256)
            var hasMore = true
            while hasMore {
                do {
                    hasMore = try await pool.reader.perform { link in
                        try link.use { connection in
                            try connection.transaction {
                                try pruning.step(in: MariaDBPruning(connection: connection), at: now())
                            }
                        }
                    }
                } catch {
                    // The next commits begin it again; another server may be pruning.
                    hasMore = false
                    if (error as? MariaDBError)?.isConflict != true {
                        logger.warning("old history was not removed: \(StoreError(error, at: address))")
                    }
                }
            }
            state.withLock { $0.isPruning = false }
        }
    }
#endif
