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
    /// Reads one entry, the answer to `GET /v1/{namespace}/entries/{key}`. Missing members are errors.
    public init(json: [UInt8]) throws(ConfigError) {
        try self.init(WireFields(json))
    }

    /// Reads a list of entries, the answer to `GET /v1/{namespace}/entries`. Missing members are errors.
    public static func list(json: [UInt8]) throws(ConfigError) -> [EntryMessage] {
        var entries: [EntryMessage] = []
        try JSONScanner.object(json, atMost: .max) { (name, scanner) throws(ConfigError) in
            guard name == "entries" else { return try scanner.skipValue() }
            try scanner.array { (scanner) throws(ConfigError) in
                entries.append(try EntryMessage(WireFields(from: &scanner)))
            }
        }
        return entries
    }

    private init(_ fields: WireFields) throws(ConfigError) {
        key = try fields.key.required("key")
        value = try fields.value.required("value")
        revision = try fields.revision.required("revision")
        createdAt = try fields.createdAt.required("created_at")
        updatedAt = try fields.updatedAt.required("updated_at")
    }

    /// The entry as a body.
    public var json: [UInt8] { JSONWriter.object(writeMembers) }

    /// A list of entries as a body, with the position in the store's history where it is true.
    public static func json(of entries: some Sequence<EntryMessage>, at cursor: Cursor) -> [UInt8] {
        JSONWriter.object { object in
            object.members(of: cursor)
            object.member("entries", each: entries) { entry, json in json.object(entry.writeMembers) }
        }
    }

    private func writeMembers(to object: inout JSONWriter) {
        object.member("key") { $0.string(key) }
        object.member("value") { $0.value(value) }
        object.member("revision") { $0.number(revision) }
        object.member("created_at") { $0.string(createdAt.description) }
        object.member("updated_at") { $0.string(updatedAt.description) }
    }
}

/// A schema as `GET /v1/{namespace}/schemas` lists it.
public struct SchemaMessage: Hashable, Sendable {
    /// What it is for, as in ``SchemaName``.
    public var key: String
    /// The schema.
    public var schema: EntryValue
    /// The revision that set it.
    public var revision: UInt64
    /// When it was created.
    public var createdAt: Timestamp
    /// When it was set.
    public var updatedAt: Timestamp

    /// Creates a message from its parts.
    public init(key: String, schema: EntryValue, revision: UInt64, createdAt: Timestamp, updatedAt: Timestamp) {
        (self.key, self.schema, self.revision) = (key, schema, revision)
        (self.createdAt, self.updatedAt) = (createdAt, updatedAt)
    }
}

extension SchemaMessage {
    /// Reads one schema, the answer to `GET /v1/{namespace}/schemas/{name}`. Missing members are errors.
    public init(json: [UInt8]) throws(ConfigError) {
        try self.init(WireFields(json))
    }

    /// Reads a list of schemas, the answer to `GET /v1/{namespace}/schemas`. Missing members are errors.
    public static func list(json: [UInt8]) throws(ConfigError) -> [SchemaMessage] {
        var schemas: [SchemaMessage] = []
        try JSONScanner.object(json, atMost: .max) { (name, scanner) throws(ConfigError) in
            guard name == "schemas" else { return try scanner.skipValue() }
            try scanner.array { (scanner) throws(ConfigError) in
                schemas.append(try SchemaMessage(WireFields(from: &scanner)))
            }
        }
        return schemas
    }

    private init(_ fields: WireFields) throws(ConfigError) {
        key = try fields.key.required("key")
        schema = try fields.schema.required("schema")
        revision = try fields.revision.required("revision")
        createdAt = try fields.createdAt.required("created_at")
        updatedAt = try fields.updatedAt.required("updated_at")
    }

    /// The schema as a body.
    public var json: [UInt8] { JSONWriter.object(writeMembers) }

    /// A list of schemas as a body, with the position in the store's history where it is true, and their digest.
    public static func json(
        of schemas: some Sequence<SchemaMessage>,
        at cursor: Cursor,
        _ digest: ConfigDigest
    ) -> [UInt8] {
        JSONWriter.object { object in
            object.members(of: cursor)
            object.member("schema_digest") { $0.string(digest.description) }
            object.member("schemas", each: schemas) { schema, json in json.object(schema.writeMembers) }
        }
    }

    private func writeMembers(to object: inout JSONWriter) {
        object.member("key") { $0.string(key) }
        object.member("schema") { $0.value(schema) }
        object.member("revision") { $0.number(revision) }
        object.member("created_at") { $0.string(createdAt.description) }
        object.member("updated_at") { $0.string(updatedAt.description) }
    }
}

/// The answer to `GET /v1/{namespace}/history`: what happened, newest first.
public struct HistoryMessage: Hashable, Sendable {
    /// The records.
    public var records: [HistoryRecord]
    /// What to ask for as `before` to read on; `nil` at the end.
    public var next: UInt64?

    /// Creates an answer from its parts.
    public init(records: [HistoryRecord], next: UInt64?) {
        self.records = records
        self.next = next
    }
}

extension HistoryMessage {
    /// Reads an answer. Unknown members are ignored, missing ones are errors.
    public init(json: [UInt8]) throws(ConfigError) {
        self.init(records: [], next: nil)
        try JSONScanner.object(json, atMost: .max) { (name, scanner) throws(ConfigError) in
            switch name {
            case "next": next = try scanner.skipNull() ? nil : try scanner.revision()
            case "history":
                try scanner.array { (scanner) throws(ConfigError) in
                    records.append(try HistoryRecord(WireFields(from: &scanner)))
                }
            default: try scanner.skipValue()
            }
        }
    }

    /// The answer as a body.
    public var json: [UInt8] {
        JSONWriter.object(reservingBytes: 64 + records.count * 160) { object in
            object.member("history", each: records) { record, json in json.object(record.writeMembers) }
            object.member("next") { $0.optional(next) { $0.number($1) } }
        }
    }
}

/// What one revision did to one key, or to one schema.
public struct HistoryRecord: Hashable, Sendable {
    /// The revision.
    public var revision: UInt64
    /// The key; what the schema is for, if it is one.
    public var key: String
    /// Whether a schema was changed, and not a value.
    public var isSchema: Bool
    /// The new value or schema, or `nil` if it was deleted.
    public var value: EntryValue?
    /// Who asked for it, if that is known.
    public var author: String?
    /// Why, in the author's words.
    public var message: String?
    /// When.
    public var updatedAt: Timestamp

    /// Creates a record from its parts.
    public init(
        revision: UInt64,
        key: String,
        isSchema: Bool = false,
        value: EntryValue?,
        author: String?,
        message: String?,
        updatedAt: Timestamp
    ) {
        self.revision = revision
        self.key = key
        self.isSchema = isSchema
        self.value = value
        self.author = author
        self.message = message
        self.updatedAt = updatedAt
    }
}

extension HistoryRecord {
    fileprivate init(_ fields: WireFields) throws(ConfigError) {
        revision = try fields.revision.required("revision")
        key = try fields.key.required("key")
        isSchema = fields.isSchema
        (value, author, message) = (fields.value, fields.author, fields.message)
        updatedAt = try fields.updatedAt.required("updated_at")
    }

    fileprivate func writeMembers(to object: inout JSONWriter) {
        object.member("revision") { $0.number(revision) }
        object.member("key") { $0.string(key) }
        if isSchema { object.member("is_schema") { $0.boolean(true) } }
        object.member("value") { $0.optional(value) { $0.value($1) } }
        object.member("author") { $0.optional(author) { $0.string($1) } }
        object.member("message") { $0.optional(message) { $0.string($1) } }
        object.member("updated_at") { $0.string(updatedAt.description) }
    }
}
