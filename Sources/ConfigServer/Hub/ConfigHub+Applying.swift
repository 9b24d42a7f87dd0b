internal import ConfigModel
internal import ConfigStore
internal import Synchronization

extension ConfigHub {
    /// The outcome of applying commits.
    enum Application {
        /// They are in memory.
        case done
        /// Some wait for a commit with a lower revision.
        case waiting
        /// They contradict memory, which has to be loaded again.
        case contradiction
    }

    /// Applies commits to memory, in the order of their revisions, and notifies the observers.
    ///
    /// Commits that are in memory already are skipped, so that a store may report one twice. Reads continue meanwhile.
    func apply(_ commits: [Commit]) -> Application {
        waitingCommits.withLock { waiting in
            for commit in commits { waiting[commit.revision] = commit }
            guard var loaded = memory.withLock(\.loaded) else { return .waiting }
            let (result, changed) = loaded.apply(&waiting, ringLimits)
            loaded.trimRings(to: ringBudget)
            memory.withLock { [loaded] memory in memory.loaded = loaded }
            notify(changed.compactMap { loaded.namespaces[$0] }.sorted { $0.revision < $1.revision })
            return result
        }
    }

    /// Replaces memory by the contents of the store.
    func install(_ contents: StoreContents) {
        waitingCommits.withLock { waiting in
            let known = memory.withLock(\.loaded)
            guard let (loaded, changed) = Loaded.installing(contents, over: known, ringLimits) else { return }
            memory.withLock { [loaded] memory in memory.loaded = loaded }
            waiting = waiting.filter { $0.key > contents.head.revision }
            notify(changed)
        }
    }

    private func notify(_ changed: [NamespaceState]) {
        let (observers, signals, head) = memory.withLock { memory in
            (memory.observers.sorted { $0.key < $1.key }.map(\.value), memory.signals.values, memory.loaded?.head)
        }
        if let head { metrics.reached(head.revision) }
        defer { for signal in signals { signal.yield() } }
        for state in changed {
            for observer in observers { observer(state) }
        }
    }
}

extension ConfigHub.Loaded {
    /// Applies the commits that follow, one after the other.
    ///
    /// - Returns: the outcome, and the namespaces that have changed.
    fileprivate mutating func apply(
        _ waiting: inout [UInt64: Commit],
        _ limits: RecentChanges.Limits
    ) -> (ConfigHub.Application, changed: Set<String>) {
        var changed: Set<String> = []
        var isContradiction = false
        while let commit = waiting.removeValue(forKey: head.revision + 1) {
            let namespace = commit.namespace
            // No commit is missing here. A namespace that is not in memory is empty, and its history may be pruned.
            let state =
                namespaces[namespace]
                ?? NamespaceState(empty: namespace, epoch: head.epoch, revision: commit.previous, limits: limits)
            guard let next = state.applying(commit) else {
                isContradiction = true
                break
            }
            namespaces[namespace] = next
            ringBytes += next.recent.bytes - state.recent.bytes
            head.revision = commit.revision
            changed.insert(namespace)
        }
        waiting = waiting.filter { $0.key > head.revision }
        return (isContradiction ? .contradiction : waiting.isEmpty ? .done : .waiting, changed)
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

    /// The contents of the store, with the changes that lead there from memory.
    ///
    /// - Returns: `nil` if memory is ahead of the contents.
    fileprivate static func installing(
        _ contents: StoreContents,
        over known: ConfigHub.Loaded?,
        _ limits: RecentChanges.Limits
    ) -> (ConfigHub.Loaded, changed: [NamespaceState])? {
        let known = known.flatMap { $0.head.epoch == contents.head.epoch ? $0 : nil }
        // Commits that came while the store was read must not be undone by what was read before them.
        if let known, known.head.revision > contents.head.revision { return nil }
        var namespaces: [String: NamespaceState] = [:]
        var changed: [NamespaceState] = []
        for (name, content) in contents.namespaces {
            let old = known?.namespaces[name]
            if let old, old.revision == content.revision {
                namespaces[name] = old
                continue
            }
            let epoch = contents.head.epoch
            let state =
                old?.replaced(by: content)
                ?? NamespaceState(
                    namespace: name,
                    contents: content,
                    epoch: epoch,
                    recent: RecentChanges(limits: limits)
                )
            namespaces[name] = state
            changed.append(state)
        }
        let ringBytes = namespaces.values.reduce(0) { $0 + $1.recent.bytes }
        let loaded = ConfigHub.Loaded(head: contents.head, namespaces: namespaces, ringBytes: ringBytes)
        return (loaded, changed.sorted { $0.revision < $1.revision })
    }
}
