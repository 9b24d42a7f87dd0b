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
        JSONWriter.object { object in
            object.member("set") { $0.values(set.lazy.map { ($0.key, $0.value) }) }
            object.member("unset") { $0.strings(unset.sorted()) }
            if let expect { object.member("expect") { $0.number(expect) } }
            if let message { object.member("message") { $0.string(message) } }
        }
    }
}

/// The body of `PUT /v1/{namespace}/entries/{key}`.
public struct ValueRequest: Hashable, Sendable {
    /// The new value.
    public var value: EntryValue
    /// Why, for the history.
    public var message: String?

    /// Creates a request.
    public init(value: EntryValue, message: String? = nil) {
        self.value = value
        self.message = message
    }

    /// Reads a request strictly: members that are unknown here are errors.
    ///
    /// - Throws: ``ConfigError`` with its place.
    public init(json: [UInt8]) throws(ConfigError) {
        var value: EntryValue?
        var message: String?
        try JSONScanner.object(json) { (name, scanner) throws(ConfigError) in
            switch name {
            case "value": value = try scanner.value()
            case "message": message = try scanner.message()
            default: throw scanner.unknownMember(name, known: ["value", "message"])
            }
        }
        guard let value else { throw ConfigError(.syntax, "the member 'value' is missing") }
        self.init(value: value, message: message)
    }

    /// The request as a body.
    public var json: [UInt8] {
        JSONWriter.object { object in
            object.member("value") { $0.value(value) }
            if let message { object.member("message") { $0.string(message) } }
        }
    }
}

/// The body of `POST /v1/{namespace}/rollback`.
public struct RollbackRequest: Hashable, Sendable {
    /// The revision to restore.
    public var to: UInt64
    /// Why, for the history.
    public var message: String?

    /// Creates a request.
    public init(to: UInt64, message: String? = nil) {
        self.to = to
        self.message = message
    }

    /// Reads a request strictly: members that are unknown here are errors.
    ///
    /// - Throws: ``ConfigError`` with its place.
    public init(json: [UInt8]) throws(ConfigError) {
        var to: UInt64?
        var message: String?
        try JSONScanner.object(json) { (name, scanner) throws(ConfigError) in
            switch name {
            case "to": to = try scanner.revision()
            case "message": message = try scanner.message()
            default: throw scanner.unknownMember(name, known: ["to", "message"])
            }
        }
        guard let to else { throw ConfigError(.syntax, "the member 'to' is missing") }
        self.init(to: to, message: message)
    }

    /// The request as a body.
    public var json: [UInt8] {
        JSONWriter.object { object in
            object.member("to") { $0.number(to) }
            if let message { object.member("message") { $0.string(message) } }
        }
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
