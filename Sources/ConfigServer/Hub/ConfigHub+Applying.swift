internal import ConfigModel
internal import ConfigStore
internal import Observing
internal import Synchronization

extension ConfigHub {
    enum Application {
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
            guard var next = loaded.withLock({ $0 }) else { return .waiting }
            let (result, changed) = next.apply(&waiting)
            next.trimRings(to: limits.allRecentBytes)
            loaded.withLock { [next] in $0 = next }
            notify(changed.compactMap { next.namespaces[$0] }, head: next.head)
            return result
        }
    }

    /// Replaces memory by the contents of the store, with the changes that lead there from memory.
    func install(_ contents: StoreContents) {
        waitingCommits.withLock { waiting in
            let known = loaded.withLock { $0 }.flatMap { $0.head.epoch == contents.head.epoch ? $0 : nil }
            // Commits that came while the store was read must not be undone by what was read before them.
            if let known, known.head.revision > contents.head.revision { return }
            let ring = RecentChanges(maximumCount: limits.recentChanges, maximumBytes: limits.recentBytes)
            var next = Loaded(head: contents.head, emptyRing: ring)
            var changed: [NamespaceState] = []
            for (name, content) in contents.namespaces {
                let old = known?.namespaces[name]
                let state = old.map { $0.replaced(by: content) } ?? next.state(of: name).loaded(with: content)
                next.namespaces[name] = state
                next.ringBytes += state.recent.bytes
                if state !== old { changed.append(state) }
            }
            loaded.withLock { [next] in $0 = next }
            waiting = waiting.filter { $0.key > contents.head.revision }
            notify(changed, head: next.head)
        }
    }

    private func notify(_ changed: [NamespaceState], head: Cursor) {
        metrics.reached(head.revision)
        for state in changed.sorted(by: { $0.revision < $1.revision }) { observers.send(state) }
        signal()
    }
}

extension ConfigHub.Loaded {
    /// Applies the commits that follow, one after the other.
    ///
    /// - Returns: the outcome, and the namespaces that have changed.
    fileprivate mutating func apply(
        _ waiting: inout [UInt64: Commit]
    ) -> (ConfigHub.Application, changed: Set<String>) {
        var changed: Set<String> = []
        var isContradiction = false
        while let commit = waiting.removeValue(forKey: head.revision + 1) {
            let namespace = commit.namespace
            // No commit is missing here. A namespace that is not in memory is empty, and its history may be pruned.
            let origin = Cursor(epoch: head.epoch, revision: commit.previous)
            let state = namespaces[namespace] ?? NamespaceState(namespace, at: origin, emptyRing)
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
}
