/// An entry as `GET /v1/{namespace}/entries` lists it.
public struct EntryMessage: Hashable, Sendable {
    /// The key.
    public var key: String
    /// The value.
    public var value: EntryValue
    /// The revision of the value.
    public var revision: UInt64
    /// When the entry was created.
    public var createdAt: Timestamp
    /// When the value was set.
    public var updatedAt: Timestamp

    /// Creates an entry from its parts.
    public init(key: String, value: EntryValue, revision: UInt64, createdAt: Timestamp, updatedAt: Timestamp) {
        self.key = key
        self.value = value
        self.revision = revision
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

extension EntryMessage {
    /// Reads one entry, the answer to `GET /v1/{namespace}/entries/{key}`.
    ///
    /// - Throws: ``ConfigError``, also for members that are missing.
    public init(json: [UInt8]) throws(ConfigError) {
        var scanner = try JSONScanner(json)
        try self.init(from: &scanner)
    }

    /// Reads a list of entries, the answer to `GET /v1/{namespace}/entries`.
    ///
    /// - Throws: ``ConfigError``, also for members that are missing.
    public static func list(json: [UInt8]) throws(ConfigError) -> [EntryMessage] {
        var entries: [EntryMessage] = []
        try JSONScanner.object(json, atMost: .max) { (name, scanner) throws(ConfigError) in
            guard name == "entries" else { return try scanner.skipValue() }
            try scanner.array { (scanner) throws(ConfigError) in
                entries.append(try EntryMessage(from: &scanner))
            }
        }
        return entries
    }

    private init(from scanner: inout JSONScanner) throws(ConfigError) {
        var fields = MessageFields()
        try scanner.object { (name, scanner) throws(ConfigError) in
            try fields.read(name, from: &scanner)
        }
        self.init(
            key: try fields.key.required("key"),
            value: try fields.value.required("value"),
            revision: try fields.revision.required("revision"),
            createdAt: try fields.createdAt.required("created_at"),
            updatedAt: try fields.updatedAt.required("updated_at")
        )
    }

    /// The entry as a body.
    public var json: [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }

    /// A list of entries as a body.
    ///
    /// - Parameter cursor: where in the store's history the list is true.
    public static func json(of entries: some Sequence<EntryMessage>, at cursor: Cursor) -> [UInt8] {
        var json = JSONWriter()
        json.object { object in
            object.member("epoch") { $0.string(cursor.epoch.description) }
            object.member("revision") { $0.number(cursor.revision) }
            object.member("entries", each: entries) { $0.write(to: &$1) }
        }
        return json.bytes
    }

    private func write(to json: inout JSONWriter) {
        json.object { object in
            object.member("key") { $0.string(key) }
            object.member("value") { $0.value(value) }
            object.member("revision") { $0.number(revision) }
            object.member("created_at") { $0.string(createdAt.description) }
            object.member("updated_at") { $0.string(updatedAt.description) }
        }
    }
}
