#if Etcd
    internal import ConfigModel
    internal import ConfigStore
    internal import HashTreeCollections

    /// What the store holds at one revision: what commits are judged by, and what the log leads on from.
    struct EtcdState: Hashable, Sendable {
        /// What the store is at.
        var head: EtcdHead
        /// etcd's revision that has put the head.
        var headRevision: Int64
        /// What is live.
        var namespaces: [String: Namespace] = [:]

        /// The live entries of a namespace.
        struct Namespace: Hashable, Sendable {
            var revision: UInt64 = 0
            var digest = ConfigDigest()
            /// By key, so that a copy with a change costs what the change does.
            var entries: TreeDictionary<String, StoredEntry> = [:]
        }

        /// What became of a record of the log.
        enum Application: Hashable, Sendable {
            /// It follows the state, which has it now.
            case applied([Commit])
            /// The state had it.
            case known
            /// There are others before it.
            case early
            /// It contradicts the state.
            case contradiction
        }

        /// The contents as a server loads them.
        var contents: StoreContents {
            StoreContents(
                head: head.cursor,
                updatedAt: head.updatedAt,
                namespaces: namespaces.mapValues { $0.contents }
            )
        }
    }

    extension EtcdState.Namespace {
        fileprivate var contents: StoreContents.Namespace {
            let entries = Dictionary(uniqueKeysWithValues: entries.lazy.map { ($0.key, $0.value) })
            return StoreContents.Namespace(revision: revision, entries: entries)
        }
    }

    extension EtcdState {
        /// Takes in a record of the log.
        ///
        /// - Parameters:
        ///   - size: the bytes of the record.
        ///   - revision: etcd's revision that has put it.
        mutating func apply(_ batch: EtcdBatch, size: Int, at revision: Int64) -> Application {
            if batch.last <= head.cursor.revision { return .known }
            if batch.base > head.cursor.revision { return .early }
            guard batch.base == head.cursor.revision else { return .contradiction }
            for item in batch.revisions {
                guard item.previous == namespaces[item.namespace]?.revision ?? 0, make(item) == item.digest else {
                    return .contradiction
                }
            }
            head.cursor.revision = batch.last
            head.updatedAt = batch.revisions.last?.updatedAt ?? head.updatedAt
            head.nextID = batch.nextID
            head.logBytes = batch.offset + size
            headRevision = revision
            return .applied(batch.revisions.map(\.commit))
        }

        /// Makes the changes of a revision.
        ///
        /// - Returns: the digest of its namespace after them.
        mutating func make(_ item: EtcdRevision) -> ConfigDigest {
            // Taken out, so that there is one of it and it is changed in its place.
            var namespace = namespaces.removeValue(forKey: item.namespace) ?? Namespace()
            defer { namespaces[item.namespace] = namespace }
            for change in item.changes {
                if let old = namespace.entries[change.key] { namespace.digest.remove(old.value, forKey: change.key) }
                if let value = change.value { namespace.digest.insert(value, forKey: change.key) }
                namespace.entries[change.key] = item.entry(of: change)
            }
            namespace.revision = item.revision
            return namespace.digest
        }
    }
#endif
