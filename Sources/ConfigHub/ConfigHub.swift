// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import ConfigStore
internal import HashTreeCollections
public import Logging
internal import Observing
internal import Synchronization

/// The configuration in memory, which answers all reads, and the one way by which writes reach the store.
///
/// It loads the store once and then applies commits, in the order of their revisions. Run it as a service; until it has
/// loaded the store, ``state(of:)`` is `nil` and publishes are refused.
public final class ConfigHub: Sendable {
    /// How much the hub keeps in memory and accepts.
    public struct Limits: Hashable, Sendable {
        /// The most recent changes of a namespace that are kept in memory for clients that are behind.
        public var recentChanges = 4096
        /// The most bytes of them, as events.
        public var recentBytes = 8 * 1024 * 1024
        /// The most bytes of them in all namespaces together.
        public var allRecentBytes = 64 * 1024 * 1024
        /// How much the namespaces may hold.
        public var quotas = NamespaceQuotas()
        /// The most publishes that wait for the store.
        public var waitingPublishes = 1024
        /// The most publishes that are committed at once.
        public var batch = 512
        /// The longest time that a client waits for a revision that it has seen elsewhere.
        public var patience = Duration.seconds(1)
        /// The longest time that a write waits for the store before its outcome is reported as unknown: less than the 10 s
        /// that Livery's clients wait for an answer. Large writes have more time.
        public var answerTime = Duration.seconds(8)

        /// The time between two checks of the store.
        package var checkInterval = Duration.seconds(5)

        /// The least time that a commit has, however long its publishes have waited for it.
        var leastCommitTime: Duration { answerTime / 4 }

        /// Creates the limits that suit most servers.
        public init() {}
    }

    struct Loaded: Sendable {
        var head: Cursor
        var namespaces: [String: NamespaceState] = [:]
        /// The bytes of all namespaces' recent changes.
        var ringBytes = 0
        /// The recent changes of a namespace that is not in memory.
        let emptyRing: RecentChanges

        func state(of namespace: String) -> NamespaceState {
            namespaces[namespace] ?? NamespaceState(namespace, at: Cursor(epoch: head.epoch, revision: 0), emptyRing)
        }
    }

    package let store: any ConfigStore
    let logger: Logger
    let limits: Limits
    let dates = Mutex(DateWatch())
    let lastCheck = Mutex<StoreHealth.Check?>(nil)
    let queue: PublishQueue
    let checks: PublishChecks
    let watchdog: CommitWatchdog
    let metrics = HubMetrics()
    let headQuestion: HeadQuestion
    let loaded = Mutex<Loaded?>(nil)
    /// Why the last attempt to load the store failed.
    let loadFailure = Mutex<StoreError?>(nil)
    /// See ``version``.
    let versions = Atomic<UInt64>(0)
    /// Commits that came before one with a lower revision. Commits are applied and observers notified under this lock only.
    let waitingCommits = Mutex<[UInt64: Commit]>([:])
    let observers = ObserverList<NamespaceState>()
    /// The tasks that wait for something that a commit, the loading or a signal brings.
    let waiters = ObserverList<Void>()

    /// Creates a hub, which does nothing until it is run.
    ///
    /// - Parameters:
    ///   - store: the store of the configuration.
    ///   - logger: for failures of the store.
    ///   - limits: how much to keep in memory and to accept.
    public init(store: some ConfigStore, logger: Logger, limits: Limits = Limits()) {
        self.store = store
        self.logger = logger
        self.limits = limits
        // The check itself, and the commit, need time too.
        checks = PublishChecks(patience: limits.answerTime / 2)
        watchdog = CommitWatchdog(leastTime: limits.leastCommitTime)
        headQuestion = HeadQuestion(of: store, notifying: waiters)
        queue = PublishQueue(
            maximumCount: limits.waitingPublishes,
            batchCount: limits.batch,
            closedBecause: Self.notLoaded
        )
    }

    static let notLoaded = StoreError(
        .unavailable,
        "the store is not open yet; try again in a moment",
        reason: .starting
    )
}

extension ConfigHub {
    /// How much the namespaces may hold.
    public var quotas: NamespaceQuotas { limits.quotas }

    /// A number that changes together with the states and the head: answers made before are out of date then.
    package var version: UInt64 { versions.load(ordering: .acquiring) }

    /// The number of publishes that wait for the store.
    package var waitingPublishes: Int { queue.size.count }

    /// The namespace as it is now, empty if it does not exist; `nil` until the store has been loaded.
    public func state(of namespace: String) -> NamespaceState? {
        loaded.withLock { $0?.state(of: namespace) }
    }

    /// The state of a namespace, and where memory was at the same moment; `nil` until the store has been loaded.
    ///
    /// Read one after the other, a head may be newer than the state: a client would be given an older state than it has.
    package func stateAndHead(of namespace: String) -> (state: NamespaceState, head: Cursor)? {
        loaded.withLock { loaded in loaded.map { ($0.state(of: namespace), $0.head) } }
    }

    /// The store's epoch and its highest revision of all namespaces; `nil` until the store has been loaded.
    public var head: Cursor? {
        loaded.withLock { $0?.head }
    }

    /// The namespaces that have entries, by name, and where memory was at the same moment; `nil` until the store has been
    /// loaded.
    package func namespacesAndHead() -> (namespaces: [NamespaceState], head: Cursor)? {
        guard let loaded = loaded.withLock({ $0 }) else { return nil }
        let namespaces = loaded.namespaces.values.filter { !$0.isEmpty }
        return (namespaces.sorted { $0.namespace < $1.namespace }, loaded.head)
    }

    /// Whether the store could commit now; the reason if it could not.
    public func problem() async -> StoreError? {
        head == nil ? loadFailure.withLock { $0 } ?? Self.notLoaded : await store.problem()
    }

    /// Changes the configuration. When this returns, the store has the change on disk, and ``state(of:)`` has it too.
    ///
    /// Publishes that arrive during a commit are committed together. Cancelling the caller undoes nothing.
    ///
    /// - Throws: `StoreError`: nothing was committed, unless the code is `uncertain`; with the code `overQuota` if the
    ///   namespace would grow beyond a quota.
    public func publish(_ publish: Publish) async throws(StoreError) -> PublishOutcome {
        try await publishChecked(publish)
    }

    /// The changes that lead a client from a revision to the present.
    ///
    /// - Parameters:
    ///   - namespace: whose changes.
    ///   - revision: the client's revision, of the present epoch.
    /// - Returns: the present state, and the changes that lead to it; no changes if the client needs the whole state.
    public func changes(
        in namespace: String,
        after revision: UInt64
    ) async throws(StoreError) -> (state: NamespaceState, changes: Changeset?) {
        guard let state = state(of: namespace) else { throw Self.notLoaded }
        if let changes = state.changes(after: revision) { return (state, changes) }
        guard revision < state.revision, let old = try await store.values(in: namespace, at: revision) else {
            return (state, nil)
        }
        var changes = Changeset(from: revision, to: state.revision, digest: state.digest)
        for (key, old) in old {
            let new = state.stored(key)?.value
            if let name = EntryKind.schema.name(of: key) {
                if new != old { changes.schemas.set(new, of: name) }
                continue
            }
            if let new, new != old { changes.upserts[key] = new }
            if new == nil, old != nil { changes.deletes.insert(key) }
        }
        return (state, changes)
    }

    /// What leads from the present state of a namespace back to a revision of the present epoch.
    ///
    /// - Returns: the present state, and the values at the revision of all keys, schemas and rules that have changed since;
    ///   no values if there is no such revision, or not any more.
    package func contents(
        of namespace: String,
        at revision: UInt64
    ) async throws(StoreError) -> (state: NamespaceState, former: [String: EntryValue?]?) {
        guard let (state, head) = stateAndHead(of: namespace) else { throw Self.notLoaded }
        if revision >= state.revision { return (state, revision <= head.revision ? [:] : nil) }
        return (state, try await store.values(in: namespace, at: revision))
    }

    /// The history of a namespace or of one of its keys, schemas or rules, newest first.
    public func history(_ query: HistoryQuery) async throws(StoreError) -> [HistoryRecord] {
        guard head != nil else { throw Self.notLoaded }
        return try await store.history(query).map { record in
            var record = record
            (record.kind, record.key) = EntryKind.named(record.key)
            return record
        }
    }
}
