// SPDX-License-Identifier: Apache-2.0

#if Etcd
    public import ConfigModel
    public import ConfigStore
    public import Logging
    internal import Synchronization

    /// A store in etcd, for several servers on several machines: a commit is made when most members have it on disk.
    ///
    /// Servers compete for the head by comparing the revision of etcd that last changed it, so that each revision is made once,
    /// in one transaction, whatever its number of keys; the live state is a snapshot and the log of revisions after it. Each
    /// server keeps the state in memory, follows the log through a watch, and verifies twice a second that the watch has missed
    /// nothing.
    public final class EtcdEntryStore: EntryStore {
        /// The options of the store.
        public struct Options: Sendable {
            /// The retention of the history, unless it takes more than ``historyBytes``.
            public var history = HistoryRetention()
            /// The maximum size of the history, in bytes. By default etcd keeps all its keys in 2 GiB.
            public var historyBytes = 512 * 1024 * 1024
            /// The maximum size of one request to etcd, in bytes: its `--max-request-bytes`.
            public var requestBytes = 1_572_864
            /// The age at which etcd's own revisions are compacted away; `nil` to leave that to others.
            public var compactionAge: Duration? = .seconds(300)
            /// The time without a new part after which an attempt to write a snapshot counts as failed.
            var leftoverAge = Duration.seconds(60)
            /// The minimum growth of the log before a new snapshot is written, in bytes; at least the size of the last
            /// one.
            public var snapshotBytes = 4 * 1024 * 1024
            /// The clock that writes are dated by, in whole milliseconds since 1970.
            public var now: @Sendable () -> Timestamp = WriteClock().now

            /// Creates the options that suit most servers.
            public init() {}
        }

        /// The members and the prefix.
        public let address: EtcdAddress
        private let options: Options
        private let password: StorePassword?
        private let logger: Logger
        private let session = Mutex<EtcdSession?>(nil)
        /// Whether the last commit has failed.
        private let hasFailed = Atomic(false)

        /// Creates a store, which connects when it is loaded.
        ///
        /// - Parameters:
        ///   - address: the members, the user and the prefix.
        ///   - password: the user's.
        ///   - options: how the store behaves.
        ///   - logger: for failures of upkeep.
        public init(
            address: EtcdAddress,
            password: StorePassword? = nil,
            options: Options = Options(),
            logger: Logger = Logger(label: "livery.etcd")
        ) {
            (self.address, self.password, self.options, self.logger) = (address, password, options, logger)
        }

        /// Reads a snapshot of all live entries, and creates the store if it does not exist.
        ///
        /// - Throws: `unavailable` if no member answers, `damaged` if other programs use the prefix.
        public func load() async throws(StoreError) -> StoreContents {
            let session = try open()
            for _ in 0..<4 {
                do throws(StoreError) {
                    return try await load(session)
                } catch  where (error.underlying as? EtcdFailure)?.kind == .compacted {
                    // The moment was compacted away while it was read; read a later one.
                }
            }
            return try await load(session)
        }

        /// Commits all publishes in one transaction, which most members have on disk when this returns.
        public func commit(_ publishes: [Publish]) async throws(StoreError) -> [PublishOutcome] {
            let session = try opened()
            var isCommitted = false
            defer { hasFailed.store(!isCommitted, ordering: .relaxed) }
            let outcomes = try await session.commit(publishes)
            isCommitted = true
            return outcomes
        }

        /// The head of the store, confirmed by most members.
        public func head() async throws(StoreError) -> RevisionCursor? {
            try await opened().head()?.cursor
        }

        /// The commits of other servers since the store was loaded. The sequence ends when the store has to be loaded again.
        public func foreignCommits() -> AsyncStream<[Commit]> {
            let (commits, listener) = AsyncStream.makeStream(of: [Commit].self)
            // A store that is not open has no commits; loading it reports why.
            guard let session = try? opened() else {
                listener.finish()
                return commits
            }
            session.mirror.listen(listener)
            let task = Task {
                await withTaskGroup { group in
                    group.addTask { await session.follow() }
                    group.addTask { await session.runUpkeep() }
                    await group.next()
                    group.cancelAll()
                }
                listener.finish()
            }
            listener.onTermination = { _ in task.cancel() }
            return commits
        }

        /// Reads the history.
        public func history(
            _ query: HistoryQuery,
            charging charge: ReadCharge
        ) async throws(StoreError) -> [HistoryRecord] {
            let session = try opened()
            guard try await session.catchUp() != nil, let state = session.mirror.state else {
                throw EtcdSession.toLoadAgain
            }
            return try await session.history(query, in: state, charging: charge)
        }

        /// Reads values in the history.
        public func values(
            in namespace: String,
            at revision: UInt64,
            charging charge: ReadCharge
        ) async throws(StoreError) -> [String: EntryValue?]? {
            let session = try opened()
            guard let state = session.mirror.state, revision <= state.head.cursor.revision else { return nil }
            if revision == state.head.cursor.revision { return [:] }
            guard let floor = try await session.floor(), floor <= revision else { return nil }
            let target = EtcdPast.Target(namespace: namespace, revision: revision)
            return try await session.values(at: target, in: state, charging: charge)?.values
        }

        /// Ends the connections. ``load()`` opens them again.
        public func close() { session.withLock { $0 = nil } }

        /// The reason why a commit would fail now: checks that most members answer and allow writes, and after a failure that a
        /// write succeeds.
        public func problem() async -> StoreError? {
            _ = options.now()
            do throws(StoreError) {
                let session = try opened()
                let isWriting = hasFailed.load(ordering: .relaxed)
                _ = try await session.ask(session.probe(writing: isWriting), within: .seconds(4))
                if await session.isFull() { return StoreError(EtcdFailure.noSpace, at: session.client.place) }
                if isWriting { hasFailed.store(false, ordering: .relaxed) }
                return nil
            } catch {
                return error
            }
        }

        /// Runs the periodic upkeep now.
        ///
        /// - Throws: the first failure, after all tasks have run.
        package func keepUp() async throws(StoreError) {
            let session = try opened()
            if let failure = await session.upkeep.run(in: session, ignoringPauses: true).first { throw failure }
        }

        private func opened() throws(StoreError) -> EtcdSession {
            if let session = session.withLock({ $0 }) { return session }
            throw .notOpen
        }

        private func open() throws(StoreError) -> EtcdSession {
            try session.withLock { session throws(StoreError) in
                if let session { return session }
                let client = try EtcdClient(address, password: password)
                let opened = EtcdSession(
                    client: client,
                    layout: EtcdLayout(prefix: address.prefix),
                    options: options,
                    upkeep: EtcdUpkeep(options, logger)
                )
                session = opened
                return opened
            }
        }

        private func load(_ session: EtcdSession) async throws(StoreError) -> StoreContents {
            while true {
                let (state, cluster) = try await session.state()
                if let state, !session.isCopy(state, in: cluster) {
                    return session.mirror.install(state).contents
                }
                // The store does not exist yet, or clients have seen other revisions with the same numbers. If another server
                // begins an epoch first, that one applies.
                var head = state?.head ?? EtcdHead()
                (head.cursor.epoch, head.cluster) = (.random(), cluster)
                var request = EtcdRequest(operations: [.put(key: session.layout.head, value: head.json)])
                request.expected = [session.layout.head: state?.headRevision ?? 0]
                _ = try await session.ask(request)
            }
        }
    }
#endif
