internal import ConfigModel
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
    /// Commits that are in memory already are passed over, so that a store may tell of one twice.
    func apply(_ commits: [Commit]) -> Application {
        waitingCommits.withLock { waiting in
            for commit in commits { waiting[commit.revision] = commit }
            let (result, changed) = memory.withLock { memory in memory.apply(&waiting, ringLimits) }
            tell(changed)
            return result
        }
    }

    /// Puts what the store holds into memory.
    func install(_ contents: StoreContents) {
        waitingCommits.withLock { waiting in
            let changed = memory.withLock { memory in memory.install(contents, ringLimits) }
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

extension ConfigHub.Memory {
    fileprivate mutating func apply(
        _ waiting: inout [UInt64: Commit],
        _ limits: RecentChanges.Limits
    ) -> (ConfigHub.Application, changed: [NamespaceState]) {
        guard var loaded else { return (.waiting, []) }
        var changed: Set<String> = []
        var isContradiction = false
        while let commit = waiting.removeValue(forKey: loaded.head.revision + 1) {
            let namespace = commit.namespace
            let state =
                loaded.namespaces[namespace]
                ?? NamespaceState(empty: namespace, epoch: loaded.head.epoch, limits: limits)
            guard let next = state.applying(commit) else {
                isContradiction = true
                break
            }
            loaded.namespaces[namespace] = next
            loaded.head.revision = commit.revision
            changed.insert(namespace)
        }
        waiting = waiting.filter { $0.key > loaded.head.revision }
        self.loaded = loaded
        let states = changed.compactMap { loaded.namespaces[$0] }.sorted { $0.revision < $1.revision }
        return (isContradiction ? .contradiction : waiting.isEmpty ? .done : .waiting, states)
    }

    fileprivate mutating func install(
        _ contents: StoreContents,
        _ limits: RecentChanges.Limits
    ) -> [NamespaceState] {
        let known = loaded.flatMap { $0.head.epoch == contents.head.epoch ? $0 : nil }
        // Commits that came in while the store was read are not undone by what it had to say before them.
        if let known, known.head.revision > contents.head.revision { return [] }
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
        loaded = ConfigHub.Loaded(head: contents.head, namespaces: namespaces)
        return changed.sorted { $0.revision < $1.revision }
    }
}
