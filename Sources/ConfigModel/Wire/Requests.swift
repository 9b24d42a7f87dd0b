// SPDX-License-Identifier: Apache-2.0

/// The body of `PATCH /v1/{namespace}/entries`: all of it becomes one revision, or nothing of it.
public struct PublishRequest: Hashable, Sendable {
    /// The new values by key.
    public var set: [String: EntryValue]
    /// The keys to remove. Unknown keys are ignored.
    public var unset: Set<String>
    /// The new schemas by what they are for, as in ``SchemaName``; `nil` for those to remove.
    public var schemas: [String: EntryValue?]
    /// The new rules by their keys, and what rules share by ``EntryKind/sharedRules``; `nil` for those to remove.
    public var rules: [String: EntryValue?]
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
        schemas: [String: EntryValue?] = [:],
        rules: [String: EntryValue?] = [:],
        expect: UInt64? = nil,
        message: String? = nil
    ) {
        self.set = set
        self.unset = unset
        self.schemas = schemas
        self.rules = rules
        self.expect = expect
        self.message = message
    }
}

extension PublishRequest {
    /// Reads a request strictly: members that are unknown here are errors, with their place.
    public init(json: [UInt8]) throws(ConfigError) {
        self.init()
        try JSONScanner.object(json) { (name, scanner) throws(ConfigError) in
            switch name {
            case "set": set = Dictionary(try scanner.values())
            case "unset": unset = Set(try scanner.keys())
            case "schemas": schemas = try scanner.edits(of: .schema)
            case "rules": rules = try scanner.edits(of: .rule)
            case "expect": expect = try scanner.revision()
            case "message": message = try scanner.message()
            default:
                throw scanner.unknownMember(name, known: ["set", "unset", "schemas", "rules", "expect", "message"])
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
            object.edits(schemas, of: .schema)
            object.edits(rules, of: .rule)
            if let expect { object.member("expect") { $0.number(expect) } }
            if let message { object.member("message") { $0.string(message) } }
        }
    }
}

/// The body of `PUT /v1/{namespace}/entries/{key}`, and of the same for schemas and rules.
public struct EntryRequest: Hashable, Sendable {
    /// What is set.
    public var kind: EntryKind
    /// The new value, schema or rule.
    public var value: EntryValue
    /// Why, for the history.
    public var message: String?

    /// Creates a request.
    public init(_ kind: EntryKind = .value, value: EntryValue, message: String? = nil) {
        self.kind = kind
        self.value = value
        self.message = message
    }

    /// Reads a request strictly: members that are unknown here are errors, with their place.
    public init(json: [UInt8], _ kind: EntryKind = .value) throws(ConfigError) {
        var value: EntryValue?
        var message: String?
        try JSONScanner.object(json) { (name, scanner) throws(ConfigError) in
            switch name {
            case kind.rawValue: value = try scanner.value(of: kind)
            case "message": message = try scanner.message()
            default: throw scanner.unknownMember(name, known: [kind.rawValue, "message"])
            }
        }
        guard let value else { throw .missing(kind.rawValue) }
        self.init(kind, value: value, message: message)
    }

    /// The request as a body.
    public var json: [UInt8] {
        JSONWriter.object { object in
            object.member(kind.rawValue) { $0.value(value) }
            if let message { object.member("message") { $0.string(message) } }
        }
    }
}

/// The body of `POST /v1/{namespace}/rollback`.
public struct RollbackRequest: Hashable, Sendable {
    /// The revision to restore.
    public var to: UInt64
    /// The revision that the namespace must be at, if given.
    public var expect: UInt64?
    /// Why, for the history.
    public var message: String?

    /// Creates a request.
    public init(to: UInt64, expect: UInt64? = nil, message: String? = nil) {
        self.to = to
        self.expect = expect
        self.message = message
    }

    /// Reads a request strictly: members that are unknown here are errors, with their place.
    public init(json: [UInt8]) throws(ConfigError) {
        var to, expect: UInt64?
        var message: String?
        try JSONScanner.object(json) { (name, scanner) throws(ConfigError) in
            switch name {
            case "to": to = try scanner.revision()
            case "expect": expect = try scanner.revision()
            case "message": message = try scanner.message()
            default: throw scanner.unknownMember(name, known: ["to", "expect", "message"])
            }
        }
        guard let to else { throw .missing("to") }
        self.init(to: to, expect: expect, message: message)
    }

    /// The request as a body.
    public var json: [UInt8] {
        JSONWriter.object { object in
            object.member("to") { $0.number(to) }
            if let expect { object.member("expect") { $0.number(expect) } }
            if let message { object.member("message") { $0.string(message) } }
        }
    }
}

extension ConfigError {
    fileprivate static func missing(_ member: String) -> ConfigError {
        ConfigError(.syntax, "the member '\(member)' is missing")
    }
}

extension JSONScanner {
    /// Reads an object of schemas or rules by what they are for; `null` for one to remove.
    mutating func edits(of kind: EntryKind) throws(ConfigError) -> [String: EntryValue?] {
        var edits: [String: EntryValue?] = [:]
        try object { (name, scanner) throws(ConfigError) in
            try scanner.check(name, kind)
            edits[name] = .some(try scanner.skipNull() ? nil : try scanner.value(of: kind, named: name))
        }
        return edits
    }

    /// Reads what can be an entry of a kind. Whether it is one is for others to say.
    fileprivate mutating func value(of kind: EntryKind, named name: String? = nil) throws(ConfigError) -> EntryValue {
        let start = location
        let value = if let name { try value(named: name) } else { try value() }
        switch (kind, value) {
        case (.value, _), (.schema, .object), (.schema, .boolean), (.rule, .object): return value
        case (.schema, _):
            throw ConfigError(.typeMismatch, "a schema is an object, true or false", location: start, key: name)
        case (.rule, _): throw ConfigError(.typeMismatch, "a rule is an object", location: start, key: name)
        }
    }

    package mutating func message() throws(ConfigError) -> String {
        let start = location
        let message = try text()
        let limit = PublishRequest.maximumMessageLength
        guard message.unicodeScalars.count <= limit else {
            throw ConfigError(.typeMismatch, "the message is longer than \(limit) characters", location: start)
        }
        return message
    }

    package mutating func unknownMember(_ name: String, known: [String]) -> ConfigError {
        let shown = name.excerpt(ofScalars: 64)
        let names = known.map { "'\($0)'" }.joined(separator: ", ")
        return error(.syntax, "unknown member '\(shown)'; the members are \(names)")
    }
}

extension JSONWriter {
    /// Writes what becomes of schemas or rules, if anything does.
    mutating func edits(_ edits: [String: EntryValue?], of kind: EntryKind) {
        if edits.isEmpty { return }
        member(kind.listName) { member in
            member.object { object in
                for (name, value) in edits.sorted(by: { $0.key < $1.key }) {
                    object.member(name) { $0.optional(value) { $0.value($1) } }
                }
            }
        }
    }
}
