// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// The body of `PATCH /v1/{namespace}/entries`: all of it becomes one revision, or nothing of it.
public struct PublishRequest: Hashable, Sendable {
    /// The new values by key.
    public var set: [String: EntryValue]
    /// The keys to remove. Unknown keys are ignored.
    public var unset: Set<String>
    /// The new schemas by name, as in `SchemaName`; `nil` removes one.
    public var schemas: [String: EntryValue?]
    /// The new rules by their keys, and what rules share by `EntryKind.sharedRules`; `nil` for those to remove.
    public var rules: [String: EntryValue?]
    /// The revision that the namespace must be at, if given.
    public var expect: UInt64?
    /// The message for the history.
    public var message: String?

    /// Creates a request.
    public init(
        set: [String: EntryValue] = [:],
        unset: Set<String> = [],
        schemas: [String: EntryValue?] = [:],
        rules: [String: EntryValue?] = [:],
        expect: UInt64? = nil,
        message: String? = nil
    ) {
        (self.set, self.unset, self.schemas, self.rules) = (set, unset, schemas, rules)
        (self.expect, self.message) = (expect, message)
    }
}

extension PublishRequest {
    /// Reads a request strictly: members that are unknown here are errors, with their place.
    package init(json: [UInt8]) throws(ConfigError) {
        self.init()
        try JSONScanner.object(json) { (name, scanner) throws(ConfigError) in
            switch name {
            case "set": set = try scanner.values().mapValues(\.self)
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
    package var json: [UInt8] {
        JSONWriter.object { object in
            object.member("set") { $0.values(set.lazy.map { ($0.key, $0.value) }) }
            object.member("unset") { $0.strings(unset.sorted()) }
            object.edits(schemas, of: .schema)
            object.edits(rules, of: .rule)
            if let expect { object.member("expect") { $0.number(expect) } }
            if let message { object.member("message") { $0.string(message) } }
        }
    }

    static let schema = WireSchema.object(
        "PublishRequest",
        [
            .optional("set", .values), .optional("unset", .key.list()),
            .optional("schemas", .map(nil, .schemaName, to: .jsonSchema.orNull)), .optional("rules", .ruleEdits),
            .optional("expect", .revision), .optional("message", .message),
        ],
        isClosed: true
    )
}
