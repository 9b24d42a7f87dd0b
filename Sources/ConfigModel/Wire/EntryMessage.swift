// SPDX-License-Identifier: Apache-2.0

/// An entry as `GET /v1/{namespace}/entries` lists it, or a schema or a rule as `…/schemas` and `…/rules` do.
public struct EntryMessage: Hashable, Sendable {
    /// What it is.
    public var kind: EntryKind
    /// The key; what the schema or the rule is for, if it is one.
    public var key: String
    /// The value, the schema or the rule.
    public var value: EntryValue
    /// The revision of the value.
    public var revision: UInt64
    /// When the entry was created.
    public var createdAt: Timestamp
    /// When the value was set.
    public var updatedAt: Timestamp

    /// Creates an entry from its parts.
    public init(
        _ kind: EntryKind = .value,
        key: String,
        value: EntryValue,
        revision: UInt64,
        createdAt: Timestamp,
        updatedAt: Timestamp
    ) {
        (self.kind, self.key) = (kind, key)
        self.value = value
        self.revision = revision
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

extension EntryMessage {
    /// Reads one entry, the answer to `GET /v1/{namespace}/entries/{key}`. Missing members are errors.
    public init(json: [UInt8], _ kind: EntryKind = .value) throws(ConfigError) {
        try self.init(WireFields(json), kind)
    }

    /// Reads a list of entries, the answer to `GET /v1/{namespace}/entries`. Missing members are errors.
    ///
    /// - Returns: the entries, and the position in the store's history where they are true.
    public static func list(
        json: [UInt8],
        _ kind: EntryKind = .value
    ) throws(ConfigError) -> (entries: [EntryMessage], cursor: Cursor) {
        var entries: [EntryMessage] = []
        var fields = WireFields()
        try JSONScanner.object(json, atMost: .max) { (name, scanner) throws(ConfigError) in
            guard name == kind.listName else { return try fields.read(name, from: &scanner) }
            try scanner.array { (scanner) throws(ConfigError) in
                entries.append(try EntryMessage(WireFields(from: &scanner), kind))
            }
        }
        return (entries, try fields.cursor)
    }

    private init(_ fields: WireFields, _ kind: EntryKind) throws(ConfigError) {
        self.kind = kind
        key = try fields.name(of: kind)
        let value =
            switch kind {
            case .value: fields.value
            case .schema: fields.schema
            case .rule: fields.rule
            }
        self.value = try value.required(kind.rawValue)
        revision = try fields.revision.required("revision")
        createdAt = try fields.createdAt.required("created_at")
        updatedAt = try fields.updatedAt.required("updated_at")
    }

    /// The entry as a body.
    public var json: [UInt8] { JSONWriter.object(writeMembers) }

    /// A list of entries of one kind as a body, with the position in the store's history where it is true; of schemas with
    /// their digest, since that of the namespace does not count them.
    public static func json(
        of entries: some Collection<EntryMessage>,
        _ kind: EntryKind = .value,
        at cursor: Cursor
    ) -> [UInt8] {
        JSONWriter.object { object in
            object.members(of: cursor)
            if kind == .schema {
                let digest = ConfigDigest(entries.lazy.map { ($0.key, $0.value) })
                object.member("schema_digest") { $0.string(digest.description) }
            }
            object.member(kind.listName, each: entries) { entry, json in json.object(entry.writeMembers) }
        }
    }

    /// Writes the members of the entry.
    package func writeMembers(to object: inout JSONWriter) {
        object.member("key") { $0.string(key) }
        object.member(kind.rawValue) { $0.value(value) }
        object.member("revision") { $0.number(revision) }
        object.member("created_at") { $0.string(createdAt.description) }
        object.member("updated_at") { $0.string(updatedAt.description) }
    }
}

extension EntryKind {
    /// What a list of entries of this kind is called, in answers and in the paths of requests.
    package var listName: String {
        switch self {
        case .value: "entries"
        case .schema: "schemas"
        case .rule: "rules"
        }
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
        JSONWriter.object(reservingBytes: 64 + records.count * 160, writeMembers)
    }

    /// Writes the members of the answer.
    package func writeMembers(to object: inout JSONWriter) {
        object.member("history", each: records) { record, json in json.object(record.writeMembers) }
        object.member("next") { $0.optional(next) { $0.number($1) } }
    }
}

/// What one revision did to one key, to one schema or to one rule.
public struct HistoryRecord: Hashable, Sendable {
    /// The revision.
    public var revision: UInt64
    /// The key; what the schema or the rule is for, if it is one.
    public var key: String
    /// What was changed.
    public var kind: EntryKind
    /// The new value, schema or rule, or `nil` if it was deleted.
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
        kind: EntryKind = .value,
        value: EntryValue?,
        author: String?,
        message: String?,
        updatedAt: Timestamp
    ) {
        self.revision = revision
        self.key = key
        self.kind = kind
        self.value = value
        self.author = author
        self.message = message
        self.updatedAt = updatedAt
    }
}

extension HistoryRecord {
    fileprivate init(_ fields: WireFields) throws(ConfigError) {
        revision = try fields.revision.required("revision")
        kind = fields.kind
        key = try fields.name(of: kind)
        (value, author, message) = (fields.value, fields.author, fields.message)
        updatedAt = try fields.updatedAt.required("updated_at")
    }

    fileprivate func writeMembers(to object: inout JSONWriter) {
        object.member("revision") { $0.number(revision) }
        object.member("key") { $0.string(key) }
        if kind != .value { object.member("kind") { $0.string(kind.rawValue) } }
        object.member("value") { $0.optional(value) { $0.value($1) } }
        object.member("author") { $0.optional(author) { $0.string($1) } }
        object.member("message") { $0.optional(message) { $0.string($1) } }
        object.member("updated_at") { $0.string(updatedAt.description) }
    }
}
