// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// The body of `PUT /v1/{namespace}/entries/{key}`, and of the same for schemas and rules.
package struct EntryRequest: Hashable, Sendable {
    /// The kind of the entry.
    package var kind: EntryKind
    /// The new value, schema or rule.
    package var value: EntryValue
    /// The message for the history.
    package var message: String?

    /// Creates a request.
    package init(_ kind: EntryKind = .value, value: EntryValue, message: String? = nil) {
        (self.kind, self.value, self.message) = (kind, value, message)
    }
}

extension EntryRequest: WireMessage {
    static let isRequest = true

    static func schema(_ kind: EntryKind) -> WireSchema {
        let name = kind == .value ? "ValueRequest" : kind == .schema ? "SchemaRequest" : "RuleRequest"
        return EntryRequest(kind, value: .null).schema(name)
    }

    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        try members.required(kind.rawValue, &value, ContentForm(kind: kind))
        try members.optional("message", &message, TextForm(isReason: true))
    }

    /// Reads a request strictly: members that are unknown here are errors, with their place.
    package init(json: [UInt8], _ kind: EntryKind = .value) throws(ConfigError) {
        self.init(kind, value: .null)
        try read(json)
    }

    /// The request as a body.
    package var json: [UInt8] { body() }
}

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

extension PublishRequest: WireMessage {
    static let isRequest = true
    static let schema = PublishRequest().schema("PublishRequest")

    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        try members.optional("set", &set, ValuesForm())
        try members.optional("unset", &unset, KeySetForm())
        try members.optional("schemas", &schemas, EditsForm(kind: .schema), if: !schemas.isEmpty)
        try members.optional("rules", &rules, EditsForm(kind: .rule), if: !rules.isEmpty)
        try members.optional("expect", &expect, RevisionForm())
        try members.optional("message", &message, TextForm(isReason: true))
    }

    /// Reads a request strictly: members that are unknown here are errors, with their place.
    package init(json: [UInt8]) throws(ConfigError) {
        self.init()
        try read(json)
        if let key = unset.sorted().first(where: { set[$0] != nil }) {
            throw ConfigError(.duplicateKey, "the key is in 'set' and in 'unset'; remove it from one", key: key)
        }
    }

    /// The request as a body.
    package var json: [UInt8] { body() }
}

/// The body of `POST /v1/{namespace}/rollback`.
package struct RollbackRequest: Hashable, Sendable {
    /// The revision to restore.
    package var to: UInt64
    /// The revision that the namespace must be at, if given.
    package var expect: UInt64?
    /// The message for the history.
    package var message: String?

    /// Creates a request.
    package init(to: UInt64, expect: UInt64? = nil, message: String? = nil) {
        (self.to, self.expect, self.message) = (to, expect, message)
    }
}

extension RollbackRequest: WireMessage {
    static let isRequest = true
    static let schema = RollbackRequest(to: 0).schema("RollbackRequest")

    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        try members.required("to", &to, RevisionForm())
        try members.optional("expect", &expect, RevisionForm())
        try members.optional("message", &message, TextForm(isReason: true))
    }

    /// Reads a request strictly: members that are unknown here are errors, with their place.
    package init(json: [UInt8]) throws(ConfigError) {
        self.init(to: 0)
        try read(json)
    }

    /// The request as a body.
    package var json: [UInt8] { body() }
}

/// The answer to a write of several keys and to a rollback.
public struct PublishReceipt: Hashable, Sendable {
    /// The namespace's position now.
    public var cursor: RevisionCursor
    /// The time of the revision; `nil` if nothing changed.
    public var updatedAt: Timestamp?
    /// The keys that changed, sorted.
    public var changed: [String]
    /// The names of changed schemas, sorted.
    public var changedSchemas: [String]
    /// The keys whose rules changed, sorted.
    public var changedRules: [String]

    /// Creates a receipt from its parts.
    package init(
        cursor: RevisionCursor,
        updatedAt: Timestamp?,
        changed: [String],
        changedSchemas: [String] = [],
        changedRules: [String] = []
    ) {
        (self.cursor, self.updatedAt, self.changed) = (cursor, updatedAt, changed)
        (self.changedSchemas, self.changedRules) = (changedSchemas, changedRules)
    }
}

extension PublishReceipt: WireMessage {
    private static let empty = PublishReceipt(cursor: .zero, updatedAt: nil, changed: [])
    static let schema = empty.schema("PublishReceipt")

    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        try members.cursor(&cursor)
        try members.written("updated_at", &updatedAt, StringForm.time.orNull)
        try members.required("changed", &changed, NamesForm(kind: .value))
        try members.optional("changed_schemas", &changedSchemas, NamesForm(kind: .schema), if: !changedSchemas.isEmpty)
        try members.optional("changed_rules", &changedRules, NamesForm(kind: .rule), if: !changedRules.isEmpty)
    }

    /// Reads a receipt. Unknown members are ignored, missing ones are errors.
    package init(json: [UInt8]) throws(ConfigError) {
        self = Self.empty
        try read(json)
    }

    /// The receipt as a body.
    package var json: [UInt8] { body() }
}
