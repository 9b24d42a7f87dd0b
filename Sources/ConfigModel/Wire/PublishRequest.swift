/// The body of `PATCH /v1/{namespace}/entries`: all of it becomes one revision, or nothing of it.
public struct PublishRequest: Hashable, Sendable {
    /// The new values by key.
    public var set: [String: EntryValue]
    /// The keys to remove. Unknown keys are ignored.
    public var unset: Set<String>
    /// The revision that the namespace must be at, if given.
    public var expect: UInt64?
    /// Why, for the history.
    public var message: String?

    /// The most characters (Unicode scalars) that a message may have.
    public static let maximumMessageLength = 1024

    /// Creates a request.
    public init(
        set: [String: EntryValue] = [:],
        unset: Set<String> = [],
        expect: UInt64? = nil,
        message: String? = nil
    ) {
        self.set = set
        self.unset = unset
        self.expect = expect
        self.message = message
    }
}

extension PublishRequest {
    /// Reads a request strictly: members that are unknown here are errors.
    ///
    /// - Throws: ``ConfigError`` with its place.
    public init(json: [UInt8]) throws(ConfigError) {
        self.init()
        try JSONScanner.object(json) { (name, scanner) throws(ConfigError) in
            switch name {
            case "set": set = try scanner.values()
            case "unset": unset = Set(try scanner.keys())
            case "expect": expect = try scanner.revision()
            case "message": message = try scanner.message()
            default: throw scanner.unknownMember(name, known: ["set", "unset", "expect", "message"])
            }
        }
        if let key = unset.sorted().first(where: { set[$0] != nil }) {
            throw ConfigError(.duplicateKey, "the key is in 'set' and in 'unset'; remove it from one", key: key)
        }
    }

    /// The request as a body.
    public var json: [UInt8] {
        var json = JSONWriter()
        json.object { object in
            object.member("set") { $0.values(set.lazy.map { ($0.key, $0.value) }) }
            object.member("unset") { $0.strings(unset.sorted()) }
            if let expect { object.member("expect") { $0.number(expect) } }
            if let message { object.member("message") { $0.string(message) } }
        }
        return json.bytes
    }
}

extension JSONScanner {
    /// Reads a message for the history.
    package mutating func message() throws(ConfigError) -> String {
        let start = location
        let message = try text()
        let limit = PublishRequest.maximumMessageLength
        guard message.unicodeScalars.count <= limit else {
            throw ConfigError(.typeMismatch, "the message is longer than \(limit) characters", location: start)
        }
        return message
    }

    /// The error for a member that a request may not have.
    package mutating func unknownMember(_ name: String, known: [String]) -> ConfigError {
        let shown = name.excerpt(ofScalars: 64)
        let names = known.map { "'\($0)'" }.joined(separator: ", ")
        return error(.syntax, "unknown member '\(shown)'; the members are \(names)")
    }
}

/// The answer to a write of several keys and to a rollback.
public struct PublishReceipt: Hashable, Sendable {
    /// The namespace's position now.
    public var cursor: Cursor
    /// When it was written; `nil` if nothing changed.
    public var updatedAt: Timestamp?
    /// The keys that changed, sorted.
    public var changed: [String]

    /// Creates a receipt from its parts.
    public init(cursor: Cursor, updatedAt: Timestamp?, changed: [String]) {
        self.cursor = cursor
        self.updatedAt = updatedAt
        self.changed = changed
    }

    /// Reads a receipt. Unknown members are ignored.
    ///
    /// - Throws: ``ConfigError``, also for members that are missing.
    public init(json: [UInt8]) throws(ConfigError) {
        var fields = MessageFields()
        try JSONScanner.object(json) { (name, scanner) throws(ConfigError) in
            try fields.read(name, from: &scanner)
        }
        let epoch = try fields.epoch.required("epoch")
        cursor = Cursor(epoch: epoch, revision: try fields.revision.required("revision"))
        updatedAt = fields.updatedAt
        changed = try fields.changed.required("changed")
    }

    /// The receipt as a body.
    public var json: [UInt8] {
        var json = JSONWriter()
        json.object { object in
            object.member("epoch") { $0.string(cursor.epoch.description) }
            object.member("revision") { $0.number(cursor.revision) }
            object.member("updated_at") { $0.optional(updatedAt?.description) }
            object.member("changed") { $0.strings(changed) }
        }
        return json.bytes
    }
}
