// SPDX-License-Identifier: Apache-2.0

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
            guard let present = loaded.withLock({ $0 }) else { return .waiting }
            return advance(present, changed: [], &waiting)
        }
    }

    /// Replaces memory by the contents of the store, with the changes that lead there from memory, and applies the commits
    /// that follow them: nobody would report those again.
    @discardableResult
    func install(_ contents: StoreContents) -> Application {
        waitingCommits.withLock { waiting in
            let known = loaded.withLock { $0 }.flatMap { $0.head.epoch == contents.head.epoch ? $0 : nil }
            // Commits that came while the store was read must not be undone by what was read before them.
            if let known, known.head.revision > contents.head.revision { return .done }
            // Those of another history do not follow.
            if known == nil { waiting = [:] }
            let ring = RecentChanges(maximumCount: limits.recentChanges, maximumBytes: limits.recentBytes)
            var next = Loaded(head: contents.head, emptyRing: ring)
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

    /// Replaces memory by what the commits that follow make of it, and notifies the observers.
    private func advance(
        _ contents: Loaded,
        changed: Set<String>,
        _ waiting: inout [UInt64: Commit]
    ) -> Application {
        var next = contents
        let (result, committed) = next.apply(&waiting)
        next.trimRings(to: limits.allRecentBytes)
        // Under one lock: whoever has seen the new state also sees the new version, and sends no answer to the old one.
        loaded.withLock { [next] in
            $0 = next
            versions.wrappingAdd(1, ordering: .releasing)
        }
        metrics.reached(next.head.revision)
        let states = changed.union(committed).compactMap { next.namespaces[$0] }
        for state in states.sorted(by: { $0.revision < $1.revision }) { observers.send(state) }
        signal()
        return result
    }
}

extension ConfigHub.Loaded {
    /// Applies the commits that follow, those of a namespace together: nobody sees a state between them.
    ///
    /// - Returns: the outcome, and the namespaces that have changed.
    fileprivate mutating func apply(
        _ waiting: inout [UInt64: Commit]
    ) -> (ConfigHub.Application, changed: Set<String>) {
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
        }
        for (namespace, commits) in runs {
            let origin = Cursor(epoch: head.epoch, revision: commits[0].previous)
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
