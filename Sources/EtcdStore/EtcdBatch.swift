#if Etcd
    internal import ConfigModel
    internal import ConfigStore

    /// A record of the log: what one transaction made, as revisions that follow each other.
    struct EtcdBatch: Hashable, Sendable {
        /// Drawn at random for the transaction, so that a server that has lost the answer knows its own again.
        var id: UInt64
        /// The bytes of all records before this one.
        var offset: Int
        /// The id that the next new entry gets after it.
        var nextID: Int64
        /// The revisions, at least one.
        var revisions: [EtcdRevision]

        /// The revision before the first one.
        var base: UInt64 { (revisions.first?.revision ?? 1) - 1 }
        /// The last revision.
        var last: UInt64 { revisions.last?.revision ?? 0 }
    }

    /// What a publish made.
    struct EtcdRevision: Hashable, Sendable {
        /// The revision's number.
        var revision: UInt64
        /// When it was made.
        var updatedAt: Timestamp
        /// The namespace that it changed.
        var namespace: String
        /// The namespace's revision before it.
        var previous: UInt64
        /// The namespace's digest after it.
        var digest: ConfigDigest
        /// Who asked for it.
        var author: String?
        /// Why.
        var message: String?
        /// What it did to each key, by key.
        var changes: [EtcdChange]
    }

    /// What a revision did to a key. It can be undone: `old` is what stood there before.
    struct EtcdChange: Hashable, Sendable {
        /// The key.
        var key: String
        /// The new entry's value, id and birth; `nil` if the key was taken away.
        var new: New?
        /// The value before; `nil` if there was none.
        var old: ConfigValue?

        /// What an entry is beside what its revision says.
        struct New: Hashable, Sendable {
            var value: ConfigValue
            var id: Int64
            var createdAt: Timestamp
        }
    }

    extension EtcdChange.New {
        init(_ entry: StoredEntry) {
            self.init(value: entry.value, id: entry.id, createdAt: entry.createdAt)
        }
    }

    extension EtcdRevision {
        /// The revision as the server takes it into memory.
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
            change.new.map { new in
                StoredEntry(
                    id: new.id,
                    value: new.value,
                    revision: revision,
                    createdAt: new.createdAt,
                    updatedAt: updatedAt
                )
            }
        }
    }

    extension EtcdBatch {
        var json: [UInt8] {
            var json = JSONWriter()
            json.object { object in
                object.member("version") { $0.number(EtcdHead.version) }
                object.member("id") { $0.string(String(id)) }
                object.member("offset") { $0.number(offset) }
                object.member("next_id") { $0.number(nextID) }
                object.member("revisions") { member in
                    member.array { array in
                        for revision in revisions { revision.write(to: &array) }
                    }
                }
            }
            return json.bytes
        }

        init(json: [UInt8]) throws(ConfigError) {
            self.init(id: 0, offset: 0, nextID: 0, revisions: [])
            try json.withObject { (name, scanner) throws(ConfigError) in
                switch name {
                case "version":
                    if try scanner.revision() > EtcdHead.version {
                        throw scanner.error(.unsupportedValue, "a newer form")
                    }
                case "id": id = try scanner.quotedNumber()
                case "offset": offset = Int(try scanner.revision())
                case "next_id": nextID = Int64(try scanner.revision())
                case "revisions":
                    try scanner.array { (scanner) throws(ConfigError) in
                        revisions.append(try EtcdRevision(&scanner))
                    }
                default: try scanner.skipValue()
                }
            }
            guard let first = revisions.first, first.revision > 0,
                revisions.enumerated().allSatisfy({ $1.revision == first.revision + UInt64($0) })
            else { throw ConfigError(.syntax, "the revisions do not follow each other") }
        }
    }

    extension EtcdRevision {
        fileprivate func write(to json: inout JSONWriter) {
            json.object { object in
                object.member("revision") { $0.number(revision) }
                object.member("updated_at") { $0.number(updatedAt.milliseconds) }
                object.member("namespace") { $0.string(namespace) }
                object.member("previous") { $0.number(previous) }
                object.member("digest") { $0.string(digest.description) }
                if let author { object.member("author") { $0.string(author) } }
                if let message { object.member("message") { $0.string(message) } }
                object.member("changes") { member in
                    member.array { array in
                        for change in changes { change.write(to: &array) }
                    }
                }
            }
        }

        fileprivate init(_ scanner: inout JSONScanner) throws(ConfigError) {
            self.init(
                revision: 0,
                updatedAt: Timestamp(milliseconds: 0),
                namespace: "",
                previous: 0,
                digest: ConfigDigest(),
                changes: []
            )
            try scanner.object { (name, scanner) throws(ConfigError) in
                switch name {
                case "revision": revision = try scanner.revision()
                case "updated_at": updatedAt.milliseconds = Int64(try scanner.revision())
                case "namespace": namespace = try scanner.text()
                case "previous": previous = try scanner.revision()
                case "digest": digest = try scanner.parsed("digest")
                case "author": author = try scanner.text()
                case "message": message = try scanner.text()
                case "changes":
                    try scanner.array { (scanner) throws(ConfigError) in changes.append(try EtcdChange(&scanner)) }
                default: try scanner.skipValue()
                }
            }
        }
    }

    extension EtcdChange {
        fileprivate func write(to json: inout JSONWriter) {
            json.object { object in
                object.member("key") { $0.string(key) }
                if let new {
                    object.member("value") { $0.value(new.value) }
                    object.member("id") { $0.number(new.id) }
                    object.member("created_at") { $0.number(new.createdAt.milliseconds) }
                }
                if let old { object.member("old") { $0.value(old) } }
            }
        }

        fileprivate init(_ scanner: inout JSONScanner) throws(ConfigError) {
            self.init(key: "")
            var value: ConfigValue?
            var (id, createdAt) = (Int64(0), Timestamp(milliseconds: 0))
            try scanner.object { (name, scanner) throws(ConfigError) in
                switch name {
                case "key": key = try scanner.text()
                case "value": value = try scanner.value()
                case "id": id = Int64(try scanner.revision())
                case "created_at": createdAt.milliseconds = Int64(try scanner.revision())
                case "old": old = try scanner.value()
                default: try scanner.skipValue()
                }
            }
            new = value.map { New(value: $0, id: id, createdAt: createdAt) }
        }
    }
#endif
