// SPDX-License-Identifier: Apache-2.0

#if Etcd
    internal import ConfigModel
    internal import ConfigSchemas
    internal import ConfigStore
    internal import HashTreeCollections
    internal import Synchronization

    /// The state of the store at one revision, against which commits are checked; the log continues from it.
    struct EtcdState: Sendable {
        var head: EtcdHead
        /// etcd's revision that wrote the head.
        var headRevision: Int64 = 0
        var namespaces: [String: Namespace] = [:]

        struct Namespace: Sendable {
            var revision: UInt64 = 0
            var digest = ConfigDigest()
            /// A tree, so that the cost of a modified copy is that of the change.
            var entries: TreeDictionary<String, StoredEntry> = [:]
            /// The schemas among the entries, ready to check values.
            var schemas = SchemaSet()

            mutating func set(_ entry: StoredEntry?, forKey key: String) {
                entries[key] = entry
                schemas.update(with: entry, forKey: key)
            }
        }

        /// The contents as a server loads them.
        var contents: StoreContents {
            let namespaces = namespaces.mapValues { namespace in
                let entries = Dictionary(uniqueKeysWithValues: namespace.entries.lazy.map { ($0.key, $0.value) })
                return StoreContents.Namespace(revision: namespace.revision, entries: entries)
            }
            return StoreContents(head: head.cursor, updatedAt: head.updatedAt, namespaces: namespaces)
        }

        /// Applies a record of the log, which is read and watched in order.
        ///
        /// - Returns: whether the state includes it now, or did already; if not, it has to be loaded again.
        mutating func apply(_ record: EtcdBatch) -> Bool {
            if record.last <= head.cursor.revision { return true }
            guard record.base == head.cursor.revision else { return false }
            for item in record.revisions {
                guard item.previous == namespaces[item.namespace]?.revision ?? 0, make(item) == item.digest else {
                    return false
                }
            }
            head.cursor.revision = record.last
            head.updatedAt = record.revisions.last?.updatedAt ?? head.updatedAt
            head.nextID = record.nextID
            head.logBytes = record.offset + record.size
            headRevision = record.writtenAt
            return true
        }

        /// Applies the changes of a revision.
        ///
        /// - Returns: the digest of its namespace after them.
        mutating func make(_ item: EtcdRevision) -> ConfigDigest {
            // Removed first, so that it is uniquely referenced and changed in place.
            var namespace = namespaces.removeValue(forKey: item.namespace) ?? Namespace()
            defer { namespaces[item.namespace] = namespace }
            for change in item.changes {
                if let old = namespace.entries[change.key] { namespace.digest.remove(old.value, forKey: change.key) }
                if let value = change.value { namespace.digest.insert(value, forKey: change.key) }
                namespace.set(item.entry(of: change), forKey: change.key)
            }
            namespace.revision = item.revision
            return namespace.digest
        }

        /// Adds a part of a snapshot.
        mutating func add(_ part: EtcdPart) {
            for item in part.namespaces {
                namespaces[item.name, default: Namespace()].revision = item.revision
                namespaces[item.name]?.digest = item.digest
            }
            for item in part.entries {
                namespaces[item.namespace, default: Namespace()].set(item.entry, forKey: item.key)
            }
        }
    }

    /// The state of the store in this server, and the listener for the commits of other servers.
    final class EtcdMirror: Sendable {
        /// The highest revision that the watch has received.
        let watched = Atomic<UInt64>(0)
        private let storage = Mutex(Storage())

        private struct Storage {
            var state: EtcdState?
            var furthest: RevisionCursor?
            var listener: AsyncStream<[Commit]>.Continuation?
            /// The commits since the state was loaded, while there is no listener.
            var pending: [Commit] = []

            mutating func yield(_ commits: [Commit]) {
                guard !commits.isEmpty else { return }
                if let listener { listener.yield(commits) } else { pending += commits }
            }
        }

        /// `nil` until it has been loaded.
        var state: EtcdState? { storage.withLock { $0.state } }
        var cursor: RevisionCursor? { storage.withLock { $0.state?.head.cursor } }
        var revision: UInt64 { cursor?.revision ?? 0 }
        /// The highest head that the store has ever had.
        var furthest: RevisionCursor? { storage.withLock { $0.furthest } }

        /// Installs a loaded state and returns it, or returns the current one if commits have made it newer.
        func install(_ loaded: EtcdState) -> EtcdState {
            storage.withLock { storage in
                let (new, old) = (loaded.head.cursor, storage.state?.head.cursor)
                if let state = storage.state, old?.epoch == new.epoch, state.head.cursor.revision > new.revision {
                    return state
                }
                (storage.state, storage.furthest, storage.pending) = (loaded, new, [])
                return loaded
            }
        }

        /// Drops the state, which is wrong, and the listener.
        func forget() {
            storage.withLock { ($0.state, $0.listener) = (nil, nil) }
        }

        /// Applies records, in the order of their revisions, and yields the commits of other servers.
        ///
        /// - Parameter areOwn: whether this server has written them.
        /// - Returns: whether they continue the state; if not, it has to be loaded again.
        func apply(_ records: [EtcdBatch], areOwn: Bool = false) -> Bool {
            storage.withLock { storage in
                // Removed first, so that it is uniquely referenced and changed in place.
                guard var state = storage.state.take() else { return records.isEmpty }
                var commits: [Commit] = []
                defer {
                    (storage.state, storage.furthest) = (state, state.head.cursor)
                    storage.yield(commits)
                }
                for record in records {
                    let revision = state.head.cursor.revision
                    guard state.apply(record) else { return false }
                    guard !areOwn, state.head.cursor.revision > revision else { continue }
                    commits += record.revisions.map(\.commit)
                }
                return true
            }
        }

        /// Replaces the state by the one that a commit of this server has made of it.
        ///
        /// - Returns: `false` if another commit has intervened, or if the watch has already delivered this one.
        func advance(from base: RevisionCursor, to next: EtcdState) -> Bool {
            storage.withLock { storage in
                guard storage.state?.head.cursor == base else { return false }
                (storage.state, storage.furthest) = (next, next.head.cursor)
                return true
            }
        }

        /// Sets the listener; the sequence of the previous one ends.
        func listen(_ listener: AsyncStream<[Commit]>.Continuation) {
            storage.withLock { storage in
                let (old, commits) = (storage.listener, storage.pending)
                (storage.listener, storage.pending) = (listener, [])
                storage.yield(commits)
                return old
            }?.finish()
        }
    }
#endif
