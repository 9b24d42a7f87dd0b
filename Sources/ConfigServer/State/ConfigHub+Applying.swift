internal import ConfigModel
internal import ConfigStore
internal import Synchronization

extension ConfigHub {
    /// What became of commits that the store has told of.
    enum Application {
        /// They are in memory.
        case done
        /// Some wait for a commit with a lower revision.
        case waiting
        /// They contradict what is in memory, which has to be loaded anew.
        case contradiction
    }

    /// Takes commits into memory, in the order of their revisions, and tells the observers.
    ///
    /// Commits that are in memory already are passed over, so that a store may tell of one twice. Reads go on while the new
    /// state is made.
    func apply(_ commits: [Commit]) -> Application {
        waitingCommits.withLock { waiting in
            for commit in commits { waiting[commit.revision] = commit }
            guard var loaded = memory.withLock(\.loaded) else { return .waiting }
            let (result, changed) = loaded.apply(&waiting, ringLimits)
            loaded.trimRings(to: ringBudget)
            memory.withLock { [loaded] memory in memory.loaded = loaded }
            tell(changed.compactMap { loaded.namespaces[$0] }.sorted { $0.revision < $1.revision })
            return result
        }
    }

    /// Puts what the store holds into memory.
    func install(_ contents: StoreContents) {
        waitingCommits.withLock { waiting in
            let known = memory.withLock(\.loaded)
            guard let (loaded, changed) = Loaded.installing(contents, over: known, ringLimits) else { return }
            memory.withLock { [loaded] memory in memory.loaded = loaded }
            waiting = waiting.filter { $0.key > contents.head.revision }
            tell(changed)
        }
    }

    private func tell(_ changed: [NamespaceState]) {
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
    /// Takes the commits that follow, each after the one before it.
    ///
    /// - Returns: what became of them, and the namespaces that have changed.
    fileprivate mutating func apply(
        _ waiting: inout [UInt64: Commit],
        _ limits: RecentChanges.Limits
    ) -> (ConfigHub.Application, changed: Set<String>) {
        var changed: Set<String> = []
        var isContradiction = false
        while let commit = waiting.removeValue(forKey: head.revision + 1) {
            let namespace = commit.namespace
            // No commit is missing here. A namespace that is not known is empty, and its history may be forgotten.
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

    /// Drops recent changes until those of all namespaces fit a budget: the oldest of those that have most.
    fileprivate mutating func trimRings(to budget: Int) {
        guard ringBytes > budget else { return }
        // With some room to spare, so that not each commit has to do it.
        while ringBytes > budget / 10 * 9,
            let largest = namespaces.values.max(by: { $0.recent.bytes < $1.recent.bytes }), largest.recent.bytes > 0
        {
            let trimmed = largest.keeping(recentBytes: largest.recent.bytes / 2)
            ringBytes += trimmed.recent.bytes - largest.recent.bytes
            namespaces[largest.namespace] = trimmed
        }
    }

    /// What the store holds, with the changes that lead there from what was known.
    ///
    /// - Returns: `nil` if more is known than the store had to say.
    fileprivate static func installing(
        _ contents: StoreContents,
        over known: ConfigHub.Loaded?,
        _ limits: RecentChanges.Limits
    ) -> (ConfigHub.Loaded, changed: [NamespaceState])? {
        let known = known.flatMap { $0.head.epoch == contents.head.epoch ? $0 : nil }
        // Commits that came in while the store was read are not undone by what it had to say before them.
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
