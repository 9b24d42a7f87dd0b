#if Etcd
    internal import ConfigModel
    internal import ConfigStore
    internal import HashTreeCollections

    /// What the store holds at one revision: commits are judged by it, and the log continues it.
    struct EtcdState: Hashable, Sendable {
        /// The head.
        var head: EtcdHead
        /// etcd's revision that wrote the head.
        var headRevision: Int64
        /// The live entries.
        var namespaces: [String: Namespace] = [:]

        /// The live entries of a namespace.
        struct Namespace: Hashable, Sendable {
            var revision: UInt64 = 0
            var digest = ConfigDigest()
            /// By key, so that a copy with a change costs what the change does.
            var entries: TreeDictionary<String, StoredEntry> = [:]
        }

        /// The result of applying a record of the log.
        enum Application: Hashable, Sendable {
            /// The state includes it now, or did already.
            case done
            /// Records before it are missing.
            case gap
            /// It is inconsistent with the state, which has to be loaded again.
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
        /// Applies a record of the log.
        mutating func apply(_ record: EtcdReader.Record) -> Application {
            let batch = record.batch
            if batch.last <= head.cursor.revision { return .done }
            if batch.base > head.cursor.revision { return .gap }
            guard batch.base == head.cursor.revision else { return .contradiction }
            for item in batch.revisions {
                guard item.previous == namespaces[item.namespace]?.revision ?? 0, make(item) == item.digest else {
                    return .contradiction
                }
            }
            head.cursor.revision = batch.last
            head.updatedAt = batch.revisions.last?.updatedAt ?? head.updatedAt
            head.nextID = batch.nextID
            head.logBytes = batch.offset + record.size
            headRevision = record.revision
            return .done
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
                namespace.entries[change.key] = item.entry(of: change)
            }
            namespace.revision = item.revision
            return namespace.digest
        }
    }
#endif
