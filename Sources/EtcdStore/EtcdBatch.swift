#if Etcd
    internal import ConfigModel
    internal import ConfigStore

    /// The head of the store, which each commit replaces if it is still the expected one.
    struct EtcdHead: EtcdRecord {
        /// The epoch and the highest revision.
        var cursor = Cursor(epoch: Epoch(rawValue: 0), revision: 0)
        /// When the highest revision was made.
        var updatedAt = Timestamp(milliseconds: 0)
        /// The id of the next new entry.
        var nextID: Int64 = 1
        /// The bytes of all records that the log has ever had.
        var logBytes = 0
        /// The cluster of etcd that this was written in: in another one it is a copy.
        var cluster: UInt64 = 0

        static let members: [EtcdMember<EtcdHead>] = [
            .version,
            .member("epoch", \.cursor.epoch),
            .member("revision", \.cursor.revision),
            .member("updated_at", \.updatedAt),
            .member("next_id", \.nextID),
            .member("log_bytes", \.logBytes),
            .quoted("cluster", \.cluster),
        ]

        func check() throws(ConfigError) {
            guard cursor.epoch.rawValue != 0 else { throw ConfigError(.syntax, "the member 'epoch' is missing") }
        }
    }

    extension EtcdHead {
        /// The head of a store that is empty.
        init(epoch: Epoch, cluster: UInt64) {
            self.init(cursor: Cursor(epoch: epoch, revision: 0), cluster: cluster)
        }
    }

    /// A record of the log: what one transaction made, as consecutive revisions.
    struct EtcdBatch: EtcdRecord {
        /// Drawn at random for the transaction, so that a server that lost the answer recognises its own.
        var id: UInt64 = 0
        /// The bytes of all records before this one.
        var offset = 0
        /// The id of the next new entry after it.
        var nextID: Int64 = 0
        /// The revisions, at least one.
        var revisions: [EtcdRevision] = []

        /// The revision before the first one.
        var base: UInt64 { (revisions.first?.revision ?? 1) - 1 }
        /// The last revision.
        var last: UInt64 { revisions.last?.revision ?? 0 }

        static let members: [EtcdMember<EtcdBatch>] = [
            .version,
            .quoted("id", \.id),
            .member("offset", \.offset),
            .member("next_id", \.nextID),
            .member("revisions", \.revisions),
        ]

        func check() throws(ConfigError) {
            guard let first = revisions.first, first.revision > 0,
                revisions.enumerated().allSatisfy({ $1.revision == first.revision + UInt64($0) })
            else { throw ConfigError(.syntax, "the revisions are not consecutive") }
        }
    }

    /// What a publish made.
    struct EtcdRevision: EtcdRecord {
        /// The revision's number.
        var revision: UInt64 = 0
        /// When it was made.
        var updatedAt = Timestamp(milliseconds: 0)
        /// The namespace that it changed.
        var namespace = ""
        /// The revision of the namespace before it.
        var previous: UInt64 = 0
        /// The digest of the namespace after it.
        var digest = ConfigDigest()
        /// The author.
        var author: String?
        /// The reason.
        var message: String?
        /// What it did to each key, by key.
        var changes: [EtcdChange] = []

        static let members: [EtcdMember<EtcdRevision>] = [
            .member("revision", \.revision),
            .member("updated_at", \.updatedAt),
            .member("namespace", \.namespace),
            .member("previous", \.previous),
            .member("digest", \.digest),
            .optional("author", \.author),
            .optional("message", \.message),
            .member("changes", \.changes),
        ]

        /// The revision as a commit.
        var commit: Commit {
            var commit = Commit(
                revision: revision,
                updatedAt: updatedAt,
                namespace: namespace,
                previous: previous,
                changes: [:]
            )
            for change in changes { commit.changes[change.key] = .some(entry(of: change)) }
            return commit
        }

        /// The entry that a change has left.
        func entry(of change: EtcdChange) -> StoredEntry? {
            change.value.map { value in
                StoredEntry(
                    id: change.id ?? 0,
                    value: value,
                    revision: revision,
                    createdAt: change.createdAt ?? updatedAt,
                    updatedAt: updatedAt
                )
            }
        }
    }

    /// What a revision did to a key. It can be undone: `old` is the value before.
    struct EtcdChange: EtcdRecord {
        /// The key.
        var key = ""
        /// The new value; `nil` if the entry was removed.
        var value: EntryValue?
        /// The id of the new entry.
        var id: Int64?
        /// When the new entry was created.
        var createdAt: Timestamp?
        /// The value before; `nil` if there was none.
        var old: EntryValue?

        static let members: [EtcdMember<EtcdChange>] = [
            .member("key", \.key),
            .optional("value", \.value),
            .optional("id", \.id),
            .optional("created_at", \.createdAt),
            .optional("old", \.old),
        ]
    }
#endif
