// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Observing
internal import Synchronization

/// The namespaces in memory. Commits are applied in the order of their revisions, and observers are notified of each new state.
final class HubMemory: Sendable {
    /// The state after loading and after each commit.
    struct Loaded: Sendable {
        var head: RevisionCursor
        var namespaces: [String: NamespaceState] = [:]
        /// The bytes of all namespaces' recent changes.
        var ringBytes = 0
        /// The recent changes of a namespace that is not in memory.
        let emptyRing: ChangeRing
        /// The date of the store's head when it was loaded.
        let lastDate: Timestamp
        /// The time at which it was loaded, or the date of the first commit after it if that is earlier.
        var loadDate: Timestamp

        func state(of namespace: String) -> NamespaceState {
            namespaces[namespace]
                ?? NamespaceState(namespace, at: RevisionCursor(epoch: head.epoch, revision: 0), emptyRing)
        }
    }

    enum Application {
        case done
        /// Some wait for a commit with a lower revision.
        case waiting
        /// They contradict memory, which has to be loaded again.
        case contradiction
    }

    private let limits: NamespaceHub.Limits
    private let metrics: HubMetrics
    private let loaded = Mutex<Loaded?>(nil)
    /// A number that changes together with the loaded contents.
    let version = Atomic<UInt64>(0)
    /// Commits that came before one with a lower revision. Commits are applied and observers notified under this lock only.
    private let waitingCommits = Mutex<[UInt64: Commit]>([:])
    /// The namespace that has changed last.
    let latest = Observed<NamespaceState?>(nil)
    let waiters: HubWaiters

    init(_ limits: NamespaceHub.Limits, _ metrics: HubMetrics, _ pauses: HubPauses = HubPauses()) {
        (self.limits, self.metrics, waiters) = (limits, metrics, HubWaiters(pauses.clock))
    }

    /// The current state; `nil` until the store has been loaded.
    var present: Loaded? { loaded.withLock { $0 } }

    /// The store's epoch and its highest revision in memory; `nil` until the store has been loaded.
    var head: RevisionCursor? { loaded.withLock { $0?.head } }

    /// The namespace as it is now; `nil` until the store has been loaded.
    func state(of namespace: String) -> NamespaceState? { loaded.withLock { $0?.state(of: namespace) } }

    /// The state of a namespace, and where memory was at the same moment; `nil` until the store has been loaded.
    ///
    /// Read one after the other, a head may be newer than the state: a client would be given an older state than it has.
    func stateAndHead(of namespace: String) -> (state: NamespaceState, head: RevisionCursor)? {
        loaded.withLock { loaded in loaded.map { ($0.state(of: namespace), $0.head) } }
    }

    /// Whether the head is behind a revision that the store, or a client, has.
    func isBehind(_ seen: RevisionCursor) -> Bool { head?.isBehind(seen) ?? false }

    /// Waits until memory has a revision of the store.
    ///
    /// - Returns: whether it has it.
    @discardableResult
    func wait(for revision: RevisionCursor, atMost limit: Duration) async -> Bool {
        await waiters.wait(atMost: limit) { [self] in isBehind(revision) ? nil : true } ?? false
    }

    /// Applies commits, in the order of their revisions, and notifies the observers.
    ///
    /// Commits that are already in memory are skipped, so that a store may report one twice. Reads continue during the update.
    func apply(_ commits: [Commit]) -> Application {
        waitingCommits.withLock { waiting in
            for commit in commits { waiting[commit.revision] = commit }
            guard let present else { return .waiting }
            return advance(present, changed: [], &waiting)
        }
    }

    /// Replaces memory with the contents of the store and the changes that lead there, and applies the commits that follow,
    /// since the store does not report those again.
    @discardableResult
    func install(_ contents: StoreContents) -> Application {
        waitingCommits.withLock { waiting in
            let known = present.flatMap { $0.head.epoch == contents.head.epoch ? $0 : nil }
            // Commits that arrived during the load must not be undone by older contents.
            if let known, known.head.revision > contents.head.revision { return .done }
            // Commits of another history do not follow.
            if known == nil { waiting = [:] }
            let ring = ChangeRing(maximumCount: limits.recentChanges, maximumBytes: limits.recentBytes)
            var next = Loaded(
                head: contents.head,
                emptyRing: ring,
                lastDate: contents.updatedAt,
                loadDate: .ofClock()
            )
            var changed: Set<String> = []
            for (name, content) in contents.namespaces {
                let old = known?.namespaces[name]
                let state = old.map { $0.replaced(by: content) } ?? next.state(of: name).loaded(with: content)
                next.namespaces[name] = state
                next.ringBytes += state.recent.bytes
                if state !== old { changed.insert(name) }
            }
            return advance(next, changed: changed, &waiting)
        }
    }

    /// Applies the commits that follow, and notifies the observers.
    private func advance(
        _ contents: Loaded,
        changed: Set<String>,
        _ waiting: inout [UInt64: Commit]
    ) -> Application {
        var next = contents
        let (result, committed) = next.apply(&waiting)
        next.trimRings(to: limits.allRecentBytes)
        // Under one lock: a reader that has seen the new state also sees the new version, and sends no response to the old one.
        loaded.withLock { [next] in
            $0 = next
            version.wrappingAdd(1, ordering: .releasing)
        }
        metrics.reached(next.head.revision)
        let states = changed.union(committed).compactMap { next.namespaces[$0] }
        for state in states.sorted(by: { $0.revision < $1.revision }) { latest.replace(with: state) }
        waiters.signal()
        return result
    }
}

extension HubMemory.Loaded {
    /// Applies the commits that follow, per namespace at once, so that no reader sees a state between them.
    ///
    /// - Returns: the outcome, and the namespaces that have changed.
    fileprivate mutating func apply(
        _ waiting: inout [UInt64: Commit]
    ) -> (HubMemory.Application, changed: Set<String>) {
        var runs: [String: [Commit]] = [:]
        var isContradiction = false
        while let commit = waiting.removeValue(forKey: head.revision + 1) {
            // No commit is missing here. A namespace that is not in memory is empty, and its history may be pruned.
            let known = runs[commit.namespace]?.last?.revision ?? namespaces[commit.namespace]?.revision
            guard known ?? commit.previous == commit.previous, commit.previous < commit.revision else {
                isContradiction = true
                break
            }
            runs[commit.namespace, default: []].append(commit)
            head.revision = commit.revision
            loadDate = min(loadDate, commit.updatedAt)
        }
        for (namespace, commits) in runs {
            let origin = RevisionCursor(epoch: head.epoch, revision: commits[0].previous)
            let state = namespaces[namespace] ?? NamespaceState(namespace, at: origin, emptyRing)
            let next = state.applying(commits)
            namespaces[namespace] = next
            ringBytes += next.recent.bytes - state.recent.bytes
        }
        waiting = waiting.filter { $0.key > head.revision }
        return (isContradiction ? .contradiction : waiting.isEmpty ? .done : .waiting, Set(runs.keys))
    }

    /// Drops recent changes until those of all namespaces fit a budget: the oldest ones of the namespace with the most.
    fileprivate mutating func trimRings(to budget: Int) {
        guard ringBytes > budget else { return }
        // To below the budget, so that not every commit has to do it.
        while ringBytes > budget / 10 * 9,
            let largest = namespaces.values.max(by: { $0.recent.bytes < $1.recent.bytes }), largest.recent.bytes > 0
        {
            let trimmed = largest.keeping(recentBytes: largest.recent.bytes / 2)
            ringBytes += trimmed.recent.bytes - largest.recent.bytes
            namespaces[largest.namespace] = trimmed
        }
    }
}
