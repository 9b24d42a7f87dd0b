/// What one revision did to one key.
public struct HistoryRecord: Hashable, Sendable {
    /// The revision.
    public var revision: UInt64
    /// The key.
    public var key: String
    /// The value that it got, or `nil` if it was deleted.
    public var value: ConfigValue?
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
        value: ConfigValue?,
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
            revision: try fields.required(\.revision, "revision"),
            key: try fields.required(\.key, "key"),
            value: fields.value,
            author: fields.author,
            message: fields.message,
            updatedAt: try fields.required(\.updatedAt, "updated_at")
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
