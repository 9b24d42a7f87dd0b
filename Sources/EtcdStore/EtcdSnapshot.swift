#if Etcd
    internal import ConfigModel
    internal import ConfigStore
    internal import HashTreeCollections

    /// Where the state at one revision is written, so that loading the store does not need the log before it.
    struct EtcdSnapshot: EtcdRecord {
        /// The revision.
        var revision: UInt64 = 0
        /// Drawn at random for each attempt, so that two servers at once do not write the same keys.
        var id: UInt64 = 0
        /// When the revision was made.
        var updatedAt = Timestamp(milliseconds: 0)
        /// The id of the next new entry after it.
        var nextID: Int64 = 1
        /// The bytes of all records of the log up to the revision.
        var logBytes = 0
        /// The number of parts.
        var parts = 0
        /// The bytes of all parts.
        var bytes = 0

        static let members: [EtcdMember<EtcdSnapshot>] = [
            .version,
            .member("revision", \.revision),
            .quoted("id", \.id),
            .member("updated_at", \.updatedAt),
            .member("next_id", \.nextID),
            .member("log_bytes", \.logBytes),
            .member("parts", \.parts),
            .member("bytes", \.bytes),
        ]

        /// The name in the keys of the parts, in the order of the revisions.
        var name: String { revision.hexDigits + "-" + id.hexDigits }
    }

    extension EtcdSnapshot {
        /// A snapshot of a state, which has no parts yet.
        init(of state: EtcdState, id: UInt64) {
            self.init(
                revision: state.head.cursor.revision,
                id: id,
                updatedAt: state.head.updatedAt,
                nextID: state.head.nextID,
                logBytes: state.head.logBytes
            )
        }
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

        /// An entry with its namespace and its key.
        struct Entry: EtcdRecord {
            var namespace = ""
            var key = ""
            var entry = StoredEntry(
                id: 0,
                value: .boolean(false),
                revision: 0,
                createdAt: Timestamp(milliseconds: 0),
                updatedAt: Timestamp(milliseconds: 0)
            )

            static let members: [EtcdMember<Entry>] = [
                .member("namespace", \.namespace),
                .member("key", \.key),
                .member("value", \.entry.value),
                .member("id", \.entry.id),
                .member("revision", \.entry.revision),
                .member("created_at", \.entry.createdAt),
                .member("updated_at", \.entry.updatedAt),
            ]
        }

        var namespaces: [Namespace] = []
        var entries: [Entry] = []

        static let members: [EtcdMember<EtcdPart>] = [
            .member("namespaces", \.namespaces), .member("entries", \.entries),
        ]

        /// A state in parts, as JSON of about so many bytes each.
        static func all(of state: EtcdState, bytes: Int = 512 * 1024) -> [[UInt8]] {
            var parts: [[UInt8]] = []
            var part = EtcdPart()
            var size = 0
            for (name, namespace) in state.namespaces {
                part.namespaces.append(
                    Namespace(name: name, revision: namespace.revision, digest: namespace.digest)
                )
                for (key, entry) in namespace.entries {
                    part.entries.append(Entry(namespace: name, key: key, entry: entry))
                    size += 160 + key.utf8.count + entry.value.canonicalByteCount
                    guard size >= bytes else { continue }
                    parts.append(part.json)
                    (part, size) = (EtcdPart(), 0)
                }
            }
            parts.append(part.json)
            return parts
        }
    }
#endif
