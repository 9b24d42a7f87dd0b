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
    /// Reads an answer. Unknown members are ignored.
    ///
    /// - Throws: ``ConfigError``, also for members that are missing.
    public init(json: [UInt8]) throws(ConfigError) {
        self.init(records: [], next: nil)
        try JSONScanner.object(json, atMost: .max) { (name, scanner) throws(ConfigError) in
            switch name {
            case "next": next = try scanner.skipNull() ? nil : try scanner.revision()
            case "history":
                try scanner.array { (scanner) throws(ConfigError) in
                    records.append(try HistoryRecord(from: &scanner))
                }
            default: try scanner.skipValue()
            }
        }
    }

    /// The answer as a body.
    public var json: [UInt8] {
        var json = JSONWriter(reservingBytes: 64 + records.count * 160)
        json.object { object in
            object.member("history", each: records) { $0.write(to: &$1) }
            object.member("next") { member in
                if let next { member.number(next) } else { member.null() }
            }
        }
        return json.bytes
    }
}

/// What one revision did to one key.
public struct HistoryRecord: Hashable, Sendable {
    /// The revision.
    public var revision: UInt64
    /// The key.
    public var key: String
    /// The new value, or `nil` if the key was deleted.
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
        value: EntryValue?,
        author: String?,
        message: String?,
        updatedAt: Timestamp
    ) {
        self.revision = revision
        self.key = key
        self.value = value
        self.author = author
        self.message = message
        self.updatedAt = updatedAt
    }
}

extension HistoryRecord {
    init(from scanner: inout JSONScanner) throws(ConfigError) {
        var fields = MessageFields()
        try scanner.object { (name, scanner) throws(ConfigError) in
            try fields.read(name, from: &scanner)
        }
        self.init(
            revision: try fields.revision.required("revision"),
            key: try fields.key.required("key"),
            value: fields.value,
            author: fields.author,
            message: fields.message,
            updatedAt: try fields.updatedAt.required("updated_at")
        )
    }

    func write(to json: inout JSONWriter) {
        json.object { object in
            object.member("revision") { $0.number(revision) }
            object.member("key") { $0.string(key) }
            object.member("value") { member in
                if let value { member.value(value) } else { member.null() }
            }
            object.member("author") { $0.optional(author) }
            object.member("message") { $0.optional(message) }
            object.member("updated_at") { $0.string(updatedAt.description) }
        }
    }
}
