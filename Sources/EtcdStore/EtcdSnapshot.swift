#if Etcd
    internal import ConfigModel
    internal import ConfigStore
    internal import HashTreeCollections

    /// Where the state at one revision is written down, so that the log before it is not needed to load the store.
    struct EtcdSnapshot: Hashable, Sendable {
        /// The revision.
        var revision: UInt64
        /// Drawn at random for each attempt, so that two servers at once do not write the same keys.
        var id: UInt64
        /// When the revision was made.
        var updatedAt: Timestamp
        /// The id that the next new entry gets after it.
        var nextID: Int64
        /// The bytes of all records of the log up to the revision.
        var logBytes: Int
        /// How many parts there are.
        var parts: Int
        /// The bytes of all parts.
        var bytes: Int

        /// The name that the parts' keys have, in the order of the revisions.
        var name: String { revision.sixteenDigits + "-" + id.sixteenDigits }
    }

    /// A part of a snapshot: some namespaces' revisions, and some entries.
    struct EtcdPart: Sendable {
        /// The namespaces' revisions and digests.
        var namespaces: [String: EtcdState.Namespace] = [:]
        /// The entries, beside their namespaces and keys.
        var entries: [(namespace: String, key: String, entry: StoredEntry)] = []
    }

    extension EtcdSnapshot {
        /// A snapshot of a state, which has no parts yet.
        init(of state: EtcdState, id: UInt64) {
            self.init(
                revision: state.head.cursor.revision,
                id: id,
                updatedAt: state.head.updatedAt,
                nextID: state.head.nextID,
                logBytes: state.head.logBytes,
                parts: 0,
                bytes: 0
            )
        }

        var json: [UInt8] {
            var json = JSONWriter()
            json.object { object in
                object.member("version") { $0.number(EtcdHead.version) }
                object.member("revision") { $0.number(revision) }
                object.member("id") { $0.string(String(id)) }
                object.member("updated_at") { $0.number(updatedAt.milliseconds) }
                object.member("next_id") { $0.number(nextID) }
                object.member("log_bytes") { $0.number(logBytes) }
                object.member("parts") { $0.number(parts) }
                object.member("bytes") { $0.number(bytes) }
            }
            return json.bytes
        }

        init(json: [UInt8]) throws(ConfigError) {
            self.init(
                revision: 0,
                id: 0,
                updatedAt: Timestamp(milliseconds: 0),
                nextID: 1,
                logBytes: 0,
                parts: 0,
                bytes: 0
            )
            try json.withObject { (name, scanner) throws(ConfigError) in
                switch name {
                case "version":
                    if try scanner.revision() > EtcdHead.version {
                        throw scanner.error(.unsupportedValue, "a newer form")
                    }
                case "revision": revision = try scanner.revision()
                case "id": id = try scanner.quotedNumber()
                case "updated_at": updatedAt.milliseconds = Int64(try scanner.revision())
                case "next_id": nextID = Int64(try scanner.revision())
                case "log_bytes": logBytes = Int(try scanner.revision())
                case "parts": parts = Int(try scanner.revision())
                case "bytes": bytes = Int(try scanner.revision())
                default: try scanner.skipValue()
                }
            }
        }
    }

    extension EtcdPart {
        /// A state in parts, as JSON of about so many bytes each.
        static func all(of state: EtcdState, bytes: Int = 512 * 1024) -> [[UInt8]] {
            var parts: [[UInt8]] = []
            var part = EtcdPart()
            var size = 0
            for (name, namespace) in state.namespaces {
                var bare = namespace
                bare.entries = [:]
                part.namespaces[name] = bare
                for (key, entry) in namespace.entries {
                    part.entries.append((name, key, entry))
                    size += 160 + key.utf8.count + entry.value.canonicalJSON.utf8.count
                    guard size >= bytes else { continue }
                    parts.append(part.json)
                    (part, size) = (EtcdPart(), 0)
                }
            }
            parts.append(part.json)
            return parts
        }

        var json: [UInt8] {
            var json = JSONWriter()
            json.object { object in
                object.member("namespaces") { member in
                    member.array { array in
                        for (name, namespace) in namespaces.sorted(by: { $0.key < $1.key }) {
                            array.object { object in
                                object.member("name") { $0.string(name) }
                                object.member("revision") { $0.number(namespace.revision) }
                                object.member("digest") { $0.string(namespace.digest.description) }
                            }
                        }
                    }
                }
                object.member("entries") { member in
                    member.array { array in
                        for item in entries { array.entry(item.entry, item.key, in: item.namespace) }
                    }
                }
            }
            return json.bytes
        }

        init(json: [UInt8]) throws(ConfigError) {
            self.init()
            try json.withObject { (name, scanner) throws(ConfigError) in
                switch name {
                case "namespaces":
                    try scanner.array { (scanner) throws(ConfigError) in try readNamespace(&scanner) }
                case "entries":
                    try scanner.array { (scanner) throws(ConfigError) in entries.append(try scanner.entry()) }
                default: try scanner.skipValue()
                }
            }
        }

        private mutating func readNamespace(_ scanner: inout JSONScanner) throws(ConfigError) {
            var name = ""
            var namespace = EtcdState.Namespace()
            try scanner.object { (member, scanner) throws(ConfigError) in
                switch member {
                case "name": name = try scanner.text()
                case "revision": namespace.revision = try scanner.revision()
                case "digest": namespace.digest = try scanner.parsed("digest")
                default: try scanner.skipValue()
                }
            }
            namespaces[name] = namespace
        }
    }

    extension JSONWriter {
        fileprivate mutating func entry(_ entry: StoredEntry, _ key: String, in namespace: String) {
            object { object in
                object.member("namespace") { $0.string(namespace) }
                object.member("key") { $0.string(key) }
                object.member("value") { $0.value(entry.value) }
                object.member("id") { $0.number(entry.id) }
                object.member("revision") { $0.number(entry.revision) }
                object.member("created_at") { $0.number(entry.createdAt.milliseconds) }
                object.member("updated_at") { $0.number(entry.updatedAt.milliseconds) }
            }
        }
    }

    extension JSONScanner {
        fileprivate mutating func entry() throws(ConfigError) -> (namespace: String, key: String, entry: StoredEntry) {
            var (namespace, key) = ("", "")
            var entry = StoredEntry(
                id: 0,
                value: .boolean(false),
                revision: 0,
                createdAt: Timestamp(milliseconds: 0),
                updatedAt: Timestamp(milliseconds: 0)
            )
            try object { (name, scanner) throws(ConfigError) in
                switch name {
                case "namespace": namespace = try scanner.text()
                case "key": key = try scanner.text()
                case "value": entry.value = try scanner.value()
                case "id": entry.id = Int64(try scanner.revision())
                case "revision": entry.revision = try scanner.revision()
                case "created_at": entry.createdAt.milliseconds = Int64(try scanner.revision())
                case "updated_at": entry.updatedAt.milliseconds = Int64(try scanner.revision())
                default: try scanner.skipValue()
                }
            }
            return (namespace, key, entry)
        }
    }
#endif
