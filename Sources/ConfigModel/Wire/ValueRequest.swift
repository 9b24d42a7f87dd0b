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
        var json = JSONWriter()
        json.object { object in
            object.member("value") { $0.value(value) }
            if let message { object.member("message") { $0.string(message) } }
        }
        return json.bytes
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
        var json = JSONWriter()
        json.object { object in
            object.member("to") { $0.number(to) }
            if let message { object.member("message") { $0.string(message) } }
        }
        return json.bytes
    }
}
