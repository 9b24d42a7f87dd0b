// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import ConfigStore
public import Logging
internal import Metrics
internal import Observing
public import ServiceLifecycle
internal import Synchronization

/// The configuration in memory, which answers all reads, and the one way by which writes reach the store.
///
/// It loads the store once and then applies commits, in the order of their revisions. Run it as a service; until it has
/// loaded the store, ``state(of:)`` is `nil` and publishes are refused.
public final class NamespaceHub: Sendable {
    /// The limits of the hub's memory and input.
    public struct Limits: Hashable, Sendable {
        /// The most recent changes of a namespace that are kept in memory for clients that are behind.
        public var recentChanges = 4096
        /// The maximum size of recent changes as events, in bytes.
        public var recentBytes = 8 * 1024 * 1024
        /// The maximum size of recent changes in all namespaces together, in bytes.
        public var allRecentBytes = 64 * 1024 * 1024
        /// The quotas of namespaces.
        public var quotas = NamespaceQuotas()
        /// The maximum number of publishes that wait for the store.
        public var waitingPublishes = 1024
        /// The maximum number of publishes that are committed at once.
        public var batch = 512
        /// The longest time that a client waits for a revision that it has seen elsewhere.
        public var patience = Duration.seconds(1)
        /// The longest time that a write waits for the store before its outcome is reported as unknown: less than the 10 s
        /// that Livery's clients wait for an answer. Large writes have more time.
        public var answerTime = Duration.seconds(8)

        /// The time between two checks of the store.
        /// The time for which drafts that have ended are kept, and the revisions after which they may be removed.
        package var draftRetention = HistoryRetention()
        package var checkInterval = Duration.seconds(5)
        /// The time after which a store that does not answer is not ready.
        package var readinessTime = Duration.seconds(2)

        /// The minimum time for a commit, however long its writes have waited.
        var minimumCommitTime: Duration { answerTime / 4 }

        /// Creates the limits that suit most servers.
        public init() {}
    }

    package let store: any EntryStore
    private let logger: Logger
    private let limits: Limits
    let memory: HubMemory
    let queue: PublishQueue
    let follower: StoreFollower
    let monitor: StoreMonitor
    let writer: PublishWriter
    let checks: PublishChecks
    /// The clock by which drafts are dated and scheduled.
    let clock = HubClock()
    let previews = DraftPreviews()
    let index = DraftIndex()
    let draftMetrics = DraftMetrics()
    /// The derived states of the drafts.
    package let draftBoard = DraftBoard()
    /// Whether approvals still count.
    package let approvals = ApprovalRule()
    private let hasRun = Atomic(false)

    /// Creates a hub, which does nothing until it is run.
    ///
    /// - Parameters:
    ///   - store: the store of the configuration.
    ///   - logger: for failures of the store.
    ///   - limits: how much to keep in memory and to accept.
    public convenience init(store: some EntryStore, logger: Logger, limits: Limits = Limits()) {
        self.init(store: store, logger: logger, limits: limits, pauses: HubPauses())
    }

    /// - Parameter pauses: how the hub waits.
    package init(store: some EntryStore, logger: Logger, limits: Limits = Limits(), pauses: HubPauses) {
        (self.store, self.logger, self.limits) = (store, logger, limits)
        // The check itself, and the commit, need time too.
        checks = PublishChecks(patience: limits.answerTime / 2)
        queue = PublishQueue(maximumCount: limits.waitingPublishes, batchCount: limits.batch)
        let metrics = HubMetrics()
        memory = HubMemory(limits, metrics, pauses)
        let core = HubCore(store: store, memory: memory, queue: queue, limits: limits, pauses: pauses, logger: logger)
        monitor = StoreMonitor(core)
        follower = StoreFollower(core, monitor)
        writer = PublishWriter(core, follower, monitor, metrics)
    }
}

extension NamespaceHub {
    /// The quotas of namespaces.
    public var quotas: NamespaceQuotas { limits.quotas }

    /// A number that changes together with the states and the head: answers made before are out of date then.
    package var version: UInt64 { memory.version.load(ordering: .acquiring) }

    /// The number of publishes that wait for the store.
    package var waitingPublishes: Int { queue.size.count }

    /// The namespace as it is now, empty if it does not exist; `nil` until the store has been loaded.
    public func state(of namespace: String) -> NamespaceState? {
        memory.state(of: namespace)
    }

    /// The state of a namespace, and where memory was at the same moment; `nil` until the store has been loaded.
    ///
    /// Read one after the other, a head may be newer than the state: a client would be given an older state than it has.
    package func stateAndHead(of namespace: String) -> (state: NamespaceState, head: RevisionCursor)? {
        memory.stateAndHead(of: namespace)
    }

    /// The store's epoch and its highest revision of all namespaces; `nil` until the store has been loaded.
    public var head: RevisionCursor? { memory.head }

    /// The namespaces that have entries, by name, and where memory was at the same moment; `nil` until the store has been
    /// loaded.
    package func namespacesAndHead() -> (namespaces: [NamespaceState], head: RevisionCursor)? {
        guard let loaded = memory.present else { return nil }
        let namespaces = loaded.namespaces.values.filter {
            !$0.isEmpty && DraftNamespace.subject(of: $0.namespace) == nil
        }
        return (namespaces.sorted { $0.namespace < $1.namespace }, loaded.head)
    }

    /// The health of the store at the last check, some seconds ago at most; makes no query.
    package var health: StoreHealth { monitor.health }

    /// Whether the store could commit now; the reason if it could not. Concurrent callers share one question to the store, and
    /// an answer counts for 250 ms.
    public func problem() async -> StoreError? { await readiness().problem }

    /// Whether the store could commit now, and the age of the answer.
    package func readiness() async -> (problem: StoreError?, age: Duration) {
        head == nil ? (follower.loadProblem, .zero) : await monitor.readiness()
    }

    /// Changes the configuration. When this returns, the store has the change on disk, and ``state(of:)`` has it too.
    ///
    /// Publishes that arrive during a commit are committed together. Cancelling the caller undoes nothing.
    ///
    /// - Throws: `StoreError`: nothing was committed, unless the code is `uncertain`; with the code `overQuota` if the
    ///   namespace would grow beyond a quota.
    public func publish(_ publish: Publish) async throws(StoreError) -> PublishOutcome {
        var isCaughtUp = false
        for _ in 0..<PublishChecks.maximumRounds {
            // Before the store has been loaded, its policy is unknown.
            guard let state = state(of: publish.namespace) else { throw .notOpen }
            var publish = publish
            publish.gate = gate(for: publish)
            switch await checks.check(publish, by: state) {
            case .valid(let check): publish.check = check
            case .invalid(let violations):
                // Another server may have changed the namespace before this publish was sent.
                if isCaughtUp { return .invalid(violations) }
                await follower.catchUpWithStore()
                isCaughtUp = true
                if self.state(of: publish.namespace)?.revision == state.revision { return .invalid(violations) }
                continue
            case .unfinished: publish.check = PublishCheck.none
            case nil:
                let message =
                    """
                    write queue of the namespace is full: earlier writes are still being validated; send fewer at \
                    once, or try again
                    """
                throw StoreError(.unavailable, message, reason: .busy)
            }
            let outcome = try await queue.publish(publish)
            if case .outdated = outcome { continue }
            return outcome
        }
        let message = "the namespace changed too often while the write was being validated; send fewer writes at once"
        throw StoreError(.unavailable, message, reason: .busy)
    }

    /// Whether no revision can have had this date: it lies between the last one of the store and the time at which that was
    /// loaded. A client that has it has seen another store, of which an older copy was put back.
    package func isUnknown(_ date: Timestamp) -> Bool {
        memory.present.map { $0.lastDate < date && date < $0.loadDate } ?? false
    }

    /// The changes that lead a client from a revision to the present.
    ///
    /// - Parameters:
    ///   - namespace: whose changes.
    ///   - revision: the client's revision, of the present epoch.
    /// - Returns: the current state and the changes that lead to it; no changes if the client needs the whole state.
    package func changes(
        in namespace: String,
        after revision: UInt64,
        charging charge: ReadCharge = .free
    ) async throws(StoreError) -> (state: NamespaceState, changes: Changeset?) {
        guard let state = state(of: namespace) else { throw .notOpen }
        if let changes = state.changes(after: revision) { return (state, changes) }
        guard revision < state.revision,
            let old = try await store.values(in: namespace, at: revision, charging: charge)
        else { return (state, nil) }
        var changes = Changeset(from: revision, to: state.revision, digest: state.digest)
        changes.schemaDigest = state.digests.schemas
        for (key, old) in old {
            let new = state.stored(key)?.value
            if new == old { continue }
            if let name = EntryKind.schema.name(of: key) {
                changes.schemas.set(new, of: name)
            } else {
                changes.values.set(new, of: key)
            }
        }
        return (state, changes)
    }

    /// The changes that lead from the current state of a namespace back to a revision of the current epoch.
    ///
    /// - Returns: the current state, and the values at the revision of all keys, schemas and rules that have changed since; no
    ///   values if the revision does not exist or is no longer available.
    package func contents(
        of namespace: String,
        at revision: UInt64,
        charging charge: ReadCharge = .free
    ) async throws(StoreError) -> (state: NamespaceState, former: [String: EntryValue?]?) {
        guard let (state, head) = stateAndHead(of: namespace) else { throw .notOpen }
        if revision >= state.revision { return (state, revision <= head.revision ? [:] : nil) }
        return (state, try await store.values(in: namespace, at: revision, charging: charge))
    }

    /// The history of a namespace or of one of its keys, schemas or rules, newest first.
    ///
    /// - Parameter charge: Counts what is read.
    public func history(
        _ query: HistoryQuery,
        charging charge: ReadCharge = .free
    ) async throws(StoreError) -> [HistoryRecord] {
        guard head != nil else { throw .notOpen }
        return try await store.history(query, charging: charge).map { record in
            var record = record
            (record.kind, record.key) = EntryKind.named(record.key)
            return record
        }
    }
}

// MARK: Changes

extension NamespaceHub {
    /// Calls a function with the new state of a namespace whenever it has changed, in order.
    ///
    /// One call may follow several commits: ``NamespaceState/changes(after:)`` has all of them. The function
    /// must be short, must not block, and must not wait for a publish: the next commit waits for it.
    ///
    /// - Returns: what ends the observation, also when it is released.
    public func observe(_ body: @escaping @Sendable (NamespaceState) -> Void) -> @Sendable () -> Void {
        memory.latest.observe { if let state = $1 { body(state) } }.end
    }

    /// Waits for a value that depends on a commit or on the loading of the store.
    ///
    /// - Parameters:
    ///   - limit: the longest time to wait.
    ///   - find: looks for the value in the hub's memory.
    /// - Returns: the value, or `nil` if it has not come by then.
    public func wait<Found: Sendable>(
        atMost limit: Duration,
        for find: @escaping @Sendable (NamespaceHub) -> Found?
    ) async -> Found? {
        await memory.waiters.wait(atMost: limit) { find(self) }
    }

    /// Waits until memory has the revision that a client has seen, or until the store reports that it has no such revision.
    package func catchUp(with seen: RevisionCursor) async -> CatchUp { await follower.catchUp(with: seen) }
}

extension NamespaceHub: Service {
    /// Loads the store, then commits publishes and follows the commits of other servers, until a graceful shutdown. Every
    /// accepted publish is committed before the end.
    ///
    /// A store that cannot be reached is retried with a backoff.
    ///
    /// - Throws: `StoreError` with the code `damaged`, where trying again would not help, or `unavailable` if the hub has been
    ///   run before: a hub has one run, and a server runs its own.
    public func run() async throws {
        if hasRun.exchange(true, ordering: .relaxed) {
            let message = "the hub is already running or has ended; create a new hub for each run"
            throw StoreError(.unavailable, message, reason: .inUse)
        }
        try await withTaskCancellationOrGracefulShutdownHandler {
            guard try await follower.loadUntilShutdown() else { return }
            logger.notice("store opened", metadata: ["at": "\(head?.description ?? "-")"])
            await withTaskGroup { group in
                group.addTask { await self.follower.followOthers() }
                group.addTask { await self.monitor.run() }
                group.addTask { await DraftScheduler(self, self.limits.draftRetention, self.logger).run() }
                await writer.run()
                group.cancelAll()
            }
        } onCancelOrGracefulShutdown: {
            self.queue.drain()
        }
    }
}

/// The store and the memory of a hub, and what waits between them: its other parts work on these.
struct HubCore: Sendable {
    let store: any EntryStore
    let memory: HubMemory
    let queue: PublishQueue
    let limits: NamespaceHub.Limits
    let pauses: HubPauses
    let logger: Logger
}

/// How a hub waits between its attempts and for others: by the system's clock, and for random times.
package struct HubPauses: Sendable {
    let clock: any Clock<Duration>
    /// Draws a number from 0 up to but not including 1.
    let jitter: @Sendable () -> Double

    package init(
        clock: any Clock<Duration> = ContinuousClock(),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        (self.clock, self.jitter) = (clock, jitter)
    }

    var backoff: Backoff { Backoff(jitter: jitter) }
}

/// The metrics of reviews.
struct DraftMetrics: Sendable {
    private let approvalTime = Metrics.Timer(label: "livery_draft_approval_seconds")

    /// A draft has got an approval.
    ///
    /// - Parameter time: the time since its last edit.
    func approved(after time: Duration) { approvalTime.record(duration: time) }
}

/// The metrics of commits.
struct HubMetrics: Sendable {
    private let commitDuration = Metrics.Timer(label: "livery_commit_duration_seconds")
    private let batchSize = Recorder(label: "livery_commit_batch_size")
    private let commits = Counter(label: "livery_commits_total")
    private let failures = Counter(label: "livery_commit_failures_total")
    private let revision = Gauge(label: "livery_revision")

    func committed(_ publishes: Int, in duration: Duration) {
        commitDuration.record(duration: duration)
        batchSize.record(publishes)
        commits.increment(by: publishes)
    }

    func failed() { failures.increment() }

    func reached(_ revision: UInt64) { self.revision.record(revision) }
}
