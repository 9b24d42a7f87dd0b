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
