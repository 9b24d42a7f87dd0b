#if Etcd
    internal import ConfigModel
    internal import ConfigStore
    internal import HashTreeCollections

    /// A batch of publishes, judged by a state and made into one record of the log.
    struct EtcdTransaction: StoreTransaction {
        typealias Failure = Never

        /// The state after what has been made so far.
        private var state: EtcdState
        /// The revisions after the lowest one that a publish goes back to, up to the state.
        private var past: EtcdPast
        /// What has been made so far.
        private var revisions: [EtcdRevision] = []

        /// - Parameters:
        ///   - state: the state of the store.
        ///   - past: what led to it, as far as publishes go back.
        init(after state: EtcdState, past: EtcdPast) {
            self.state = state
            self.past = past
        }

        func floor() -> UInt64 { past.base }

        func revision(of namespace: String) -> UInt64 { state.namespaces[namespace]?.revision ?? 0 }

        func entry(_ key: String, in namespace: String) -> StoredEntry? {
            state.namespaces[namespace]?.entries[key]
        }

        func values(in namespace: String, at revision: UInt64) -> [String: EntryValue?] {
            past.values(in: namespace, at: revision)
        }

        mutating func write(_ revision: NewRevision) -> [String: StoredEntry?] {
            var made = EtcdRevision(
                revision: revision.revision,
                updatedAt: revision.updatedAt,
                namespace: revision.namespace,
                previous: revision.previous,
                author: revision.author,
                message: revision.message
            )
            for change in revision.changes {
                var item = EtcdChange(key: change.key, value: change.value, old: change.old?.value)
                if change.value != nil {
                    item.id = change.old?.id ?? state.head.nextID
                    item.createdAt = change.old?.createdAt ?? revision.updatedAt
                    if change.old == nil { state.head.nextID += 1 }
                }
                made.changes.append(item)
            }
            made.digest = state.make(made)
            state.head.cursor.revision = revision.revision
            state.head.updatedAt = revision.updatedAt
            past.revisions.append(made)
            revisions.append(made)
            return made.commit.changes
        }

        /// The record of what has been made, and the head after it; `nil` if nothing was.
        func batch(id: UInt64) -> (batch: EtcdBatch, json: [UInt8], head: EtcdHead)? {
            guard !revisions.isEmpty else { return nil }
            var head = state.head
            let batch = EtcdBatch(id: id, offset: head.logBytes, nextID: head.nextID, revisions: revisions)
            let json = batch.json
            head.logBytes += json.count
            return (batch, json, head)
        }
    }
#endif
