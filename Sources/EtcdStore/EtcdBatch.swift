// SPDX-License-Identifier: Apache-2.0

#if Etcd
    internal import ConfigModel
    internal import ConfigStore
    internal import HashTreeCollections

    /// The head of the store, which each commit replaces if it is still the expected one.
    struct EtcdHead: EtcdRecord {
        var cursor = RevisionCursor(epoch: Epoch(rawValue: 0), revision: 0)
        /// The time of the highest revision.
        var updatedAt = Timestamp.zero
        /// The id of the next new entry.
        var nextID: Int64 = 1
        /// The bytes of all records that the log has ever had.
        var logBytes = 0
        /// The cluster of etcd that this was written in: in another one it is a copy.
        var cluster: UInt64 = 0

        static let members: [EtcdMember<EtcdHead>] = [
            // Former formats had 1 to 3.
            .version(4), .member("epoch", \.cursor.epoch), .member("revision", \.cursor.revision),
            .member("updated_at", \.updatedAt), .member("next_id", \.nextID), .member("log_bytes", \.logBytes),
            .quoted("cluster", \.cluster),
        ]

        func check() throws(ConfigError) {
            guard cursor.epoch.rawValue != 0 else { throw ConfigError(.syntax, "the member 'epoch' is missing") }
            // The next commits continue from these.
            for (name, number) in [
                ("revision", Int64(cursor.revision)), ("next_id", nextID), ("log_bytes", Int64(logBytes)),
            ] where number > 1 << 52 {
                throw ConfigError(.damaged, "'\(name)' is out of range: \(number)")
            }
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
        /// At least one.
        var revisions: [EtcdRevision] = []
        /// Its bytes in etcd.
        var size = 0
        /// etcd's revision that wrote it.
        var writtenAt: Int64 = 0

        /// The revision before the first one.
        var base: UInt64 { (revisions.first?.revision ?? 1) - 1 }
        /// The last revision.
        var last: UInt64 { revisions.last?.revision ?? 0 }

        static let members: [EtcdMember<EtcdBatch>] = [
            .version(1), .quoted("id", \.id), .member("offset", \.offset), .member("next_id", \.nextID),
            .member("revisions", \.revisions),
        ]

        func check() throws(ConfigError) {
            guard let first = revisions.first, first.revision > 0,
                revisions.enumerated().allSatisfy({ $1.revision == first.revision + UInt64($0) })
            else { throw ConfigError(.syntax, "the revisions are not consecutive") }
        }
    }

    /// A revision made by a publish.
    struct EtcdRevision: EtcdRecord {
        var revision: UInt64 = 0
        var updatedAt = Timestamp.zero
        var namespace = ""
        /// The revision of the namespace before it.
        var previous: UInt64 = 0
        /// The digest of the namespace after it.
        var digest = ConfigDigest()
        var author: String?
        var message: String?
        /// By key.
        var changes: [EtcdChange] = []

        static let members: [EtcdMember<EtcdRevision>] = [
            .member("revision", \.revision), .member("updated_at", \.updatedAt), .member("namespace", \.namespace),
            .member("previous", \.previous), .member("digest", \.digest), .optional("author", \.author),
            .optional("message", \.message), .member("changes", \.changes),
        ]

        var commit: Commit {
            Commit(
                revision: revision,
                updatedAt: updatedAt,
                namespace: namespace,
                previous: previous,
                changes: Dictionary(changes.map { ($0.key, entry(of: $0)) }) { $1 }
            )
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

    /// A change that a revision made to a key. It can be undone: `old` is the value before.
    struct EtcdChange: EtcdRecord {
        var key = ""
        /// The new value; `nil` if the entry was removed, which then has no id and no time either.
        var value: EntryValue?
        var id: Int64?
        var createdAt: Timestamp?
        /// The value before; `nil` if there was none.
        var old: EntryValue?

        static let members: [EtcdMember<EtcdChange>] = [
            .member("key", \.key), .optional("value", \.value), .optional("id", \.id),
            .optional("created_at", \.createdAt), .optional("old", \.old),
        ]
    }

    /// The place of the state at one revision, so that loading the store does not need the log before it.
    struct EtcdSnapshot: EtcdRecord {
        /// The head at the revision, without its epoch and its cluster.
        var head = EtcdHead()
        /// Drawn at random for each attempt, so that two servers at once do not write the same keys.
        var id: UInt64 = 0
        /// The number of parts.
        var parts = 0
        /// The bytes of all parts.
        var bytes = 0

        static let members: [EtcdMember<EtcdSnapshot>] = [
            .version(1), .member("revision", \.head.cursor.revision), .quoted("id", \.id),
            .member("updated_at", \.head.updatedAt), .member("next_id", \.head.nextID),
            .member("log_bytes", \.head.logBytes), .member("parts", \.parts), .member("bytes", \.bytes),
        ]

        var revision: UInt64 { head.cursor.revision }
        /// The name in the keys of the parts, in the order of the revisions.
        var name: String { revision.hexDigits + "-" + id.hexDigits }
    }

    /// A part of a snapshot: some namespaces, and some entries.
    struct EtcdPart: EtcdRecord {
        /// A namespace without its entries.
        struct Namespace: EtcdRecord {
            var name = ""
            var revision: UInt64 = 0
            var digest = ConfigDigest()

            static let members: [EtcdMember<Namespace>] = [
                .member("name", \.name), .member("revision", \.revision), .member("digest", \.digest),
            ]
        }

        struct Entry: EtcdRecord {
            var namespace = ""
            var key = ""
            var entry = StoredEntry(id: 0, value: .boolean(false), revision: 0, createdAt: .zero, updatedAt: .zero)

            static let members: [EtcdMember<Entry>] = [
                .member("namespace", \.namespace), .member("key", \.key), .member("value", \.entry.value),
                .member("id", \.entry.id), .member("revision", \.entry.revision),
                .member("created_at", \.entry.createdAt), .member("updated_at", \.entry.updatedAt),
            ]
        }

        var namespaces: [Namespace] = []
        var entries: [Entry] = []

        static let members: [EtcdMember<EtcdPart>] = [
            .member("namespaces", \.namespaces), .member("entries", \.entries),
        ]
    }

    /// The parts of a state, as JSON of an approximate size in bytes each, made one by one.
    struct EtcdParts: Sequence, IteratorProtocol {
        private let bytes: Int
        private var namespaces: Dictionary<String, EtcdState.Namespace>.Iterator
        /// The namespace whose entries are next.
        private var name = ""
        private var entries = TreeDictionary<String, StoredEntry>().makeIterator()

        init(of state: EtcdState, bytes: Int) {
            self.bytes = bytes
            namespaces = state.namespaces.makeIterator()
        }

        mutating func next() -> [UInt8]? {
            var (part, size) = (EtcdPart(), 0)
            // The members' names and the numbers take at most 80 bytes of a namespace, and 160 of an entry.
            while size < bytes {
                if let (key, entry) = entries.next() {
                    part.entries.append(EtcdPart.Entry(namespace: name, key: key, entry: entry))
                    size += 160 + name.utf8.count + key.utf8.count + entry.value.canonicalByteCount
                } else if let (name, namespace) = namespaces.next() {
                    (self.name, entries) = (name, namespace.entries.makeIterator())
                    part.namespaces.append(
                        EtcdPart.Namespace(name: name, revision: namespace.revision, digest: namespace.digest)
                    )
                    size += 80 + name.utf8.count
                } else {
                    break
                }
            }
            return size == 0 ? nil : part.json
        }
    }

    extension Timestamp {
        fileprivate static let zero = Timestamp(milliseconds: 0)
    }
#endif
