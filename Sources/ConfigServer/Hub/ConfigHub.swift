public import ConfigModel
public import ConfigStore
internal import HashTreeCollections
public import Logging
internal import Synchronization

/// The configuration in memory: what all reads are answered from, and the one way by which writes reach the store.
///
/// It is filled from the store once and then kept up to date by the commits, in the order of their revisions. Run it as a
/// service; until it has loaded the store, ``state(of:)`` is `nil` and publishes are refused.
public final class ConfigHub: Sendable {
    /// How much the hub keeps and takes.
    public struct Limits: Hashable, Sendable {
        /// At most so many changes of a namespace are kept in memory for clients that are behind.
        public var recentChanges = 4096
        /// At most so many bytes of them, as events.
        public var recentBytes = 8 * 1024 * 1024
        /// At most so many bytes of them in all namespaces together.
        public var allRecentBytes = 64 * 1024 * 1024
        /// How much the namespaces may hold.
        public var quotas = NamespaceQuotas()
        /// At most so many publishes wait for the store.
        public var waitingPublishes = 1024
        /// At most so many publishes are committed at once.
        public var batch = 512
        /// How long a client that has seen more than is in memory waits at most.
        public var patience = Duration.seconds(1)
        /// How long whoever writes waits for the store at most, before being told that the outcome is not known: less than
        /// the 10 s for which Livery's clients wait for an answer. For large writes there is more time.
        public var answerTime = Duration.seconds(8)

        /// Creates the limits that suit most servers.
        public init() {}
    }

    struct Loaded: Sendable {
        var head: Cursor
        var namespaces: [String: NamespaceState]
        /// The bytes of all namespaces' recent changes.
        var ringBytes = 0
    }

    struct Memory: Sendable {
        var loaded: Loaded?
        var observers: [Int: @Sendable (NamespaceState) -> Void] = [:]
        /// Those who wait for something that comes with a commit or with loading.
        var signals: [Int: AsyncStream<Void>.Continuation] = [:]
        private var numbersGiven = 0

        mutating func nextNumber() -> Int {
            numbersGiven += 1
            return numbersGiven
        }
    }

    let store: any ConfigStore
    let logger: Logger
    let ringLimits: RecentChanges.Limits
    let ringBudget: Int
    let patience: Duration
    let answerTime: Duration
    /// How much the namespaces may hold.
    public let quotas: NamespaceQuotas
    let dates = Mutex(DateWatch())
    let queue: PublishQueue
    let metrics = HubMetrics()
    let headQuestion: HeadQuestion
    let memory = Mutex(Memory())
    /// Commits that came before one with a lower revision. Whoever holds this lock applies and tells; nobody else does.
    let waitingCommits = Mutex<[UInt64: Commit]>([:])

    /// Creates a hub, which does nothing until it is run.
    ///
    /// - Parameters:
    ///   - store: where the configuration is kept.
    ///   - logger: for what goes wrong with the store.
    ///   - limits: how much is kept in memory.
    public init(store: some ConfigStore, logger: Logger, limits: Limits = Limits()) {
        self.store = store
        headQuestion = HeadQuestion(of: store)
        self.logger = logger
        patience = limits.patience
        answerTime = limits.answerTime
        quotas = limits.quotas
        ringBudget = limits.allRecentBytes
        ringLimits = RecentChanges.Limits(count: limits.recentChanges, bytes: limits.recentBytes)
        queue = PublishQueue(
            limits: PublishQueue.Limits(count: limits.waitingPublishes, batch: limits.batch),
            closedBecause: Self.notLoaded
        )
    }

    static let notLoaded = StoreError(.unavailable, "the store is not open yet; try again in a moment")
}

extension ConfigHub {
    /// The namespace as it is now: an empty state if it is not known, and `nil` until the store has been loaded.
    public func state(of namespace: String) -> NamespaceState? {
        memory.withLock { memory in
            guard let loaded = memory.loaded else { return nil }
            return loaded.namespaces[namespace]
                ?? NamespaceState(empty: namespace, epoch: loaded.head.epoch, limits: ringLimits)
        }
    }

    /// The store's epoch and its highest revision of all namespaces; `nil` until the store has been loaded.
    public var head: Cursor? {
        memory.withLock { $0.loaded?.head }
    }

    /// The namespaces that have entries, by name.
    public var namespaces: [NamespaceState] {
        memory.withLock { memory in memory.loaded.map { Array($0.namespaces.values) } ?? [] }
            .filter { !$0.entries.isEmpty }
            .sorted { $0.namespace < $1.namespace }
    }

    /// How many publishes wait for the store.
    package var queueLength: Int { queue.length }

    /// Whether the store could commit now; the reason if it could not.
    public func problem() async -> StoreError? {
        head == nil ? Self.notLoaded : await store.problem()
    }

    /// Changes the configuration. When this returns, the store has the change on disk, and ``state(of:)`` tells of it.
    ///
    /// Publishes that come in while others are committed are committed together. Cancelling the caller undoes nothing.
    ///
    /// - Throws: ``StoreError``: nothing was committed, unless the code is `uncertain`; with the code `overQuota` if the
    ///   namespace would grow beyond a quota.
    public func publish(_ publish: Publish) async throws(StoreError) -> PublishOutcome {
        try await queue.publish(publish)
    }

    /// What leads a client from a revision to the present.
    ///
    /// - Parameter revision: the client's revision, of the present epoch.
    /// - Returns: the present state, and the changes that lead to it; no changes if the client needs the whole state.
    public func changes(
        in namespace: String,
        after revision: UInt64
    ) async throws(StoreError) -> (state: NamespaceState, changes: Changeset?) {
        guard let state = state(of: namespace) else { throw Self.notLoaded }
        if let changes = state.changes(after: revision) { return (state, changes) }
        guard revision < state.revision,
            let net = try await store.changes(in: namespace, after: revision, through: state.revision)
        else { return (state, nil) }
        var changes = Changeset(from: revision, to: state.revision, digest: state.digest)
        changes.upserts = net.upserts
        changes.deletes = net.deletes
        return (state, changes)
    }

    /// What happened to a namespace or to one of its keys, newest first.
    ///
    /// - Parameters:
    ///   - key: only this key's, unless `nil`.
    ///   - before: only revisions lower than this one.
    ///   - limit: at most so many records, at least 1.
    public func history(
        of namespace: String,
        key: String? = nil,
        before: UInt64? = nil,
        limit: Int
    ) async throws(StoreError) -> [HistoryRecord] {
        guard head != nil else { throw Self.notLoaded }
        return try await store.history(of: namespace, key: key, before: before, limit: limit)
    }
}
