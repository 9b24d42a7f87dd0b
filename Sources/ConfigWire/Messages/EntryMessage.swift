// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// An entry as `GET /v1/{namespace}/entries` lists it, or a schema or a rule as `…/schemas` and `…/rules` do.
public struct EntryMessage: Hashable, Sendable {
    /// The kind of the entry.
    public var kind: EntryKind
    /// The key, or the name of the schema or the rule.
    public var key: String
    /// The value, the schema or the rule.
    public var value: EntryValue
    /// The revision of the value.
    public var revision: UInt64
    /// The creation time of the entry.
    public var createdAt: Timestamp
    /// The time at which the value was set.
    public var updatedAt: Timestamp

    /// Creates an entry from its parts.
    package init(
        _ kind: EntryKind = .value,
        key: String,
        value: EntryValue,
        revision: UInt64,
        createdAt: Timestamp,
        updatedAt: Timestamp
    ) {
        (self.kind, self.key) = (kind, key)
        (self.value, self.revision, self.createdAt, self.updatedAt) = (value, revision, createdAt, updatedAt)
    }
}

extension EntryMessage: WireMessage {
    fileprivate static func empty(_ kind: EntryKind) -> EntryMessage {
        let time = Timestamp(milliseconds: 0)
        return EntryMessage(kind, key: "", value: .null, revision: 0, createdAt: time, updatedAt: time)
    }

    fileprivate static func schemaName(_ kind: EntryKind) -> String {
        kind == .value ? "Entry" : kind == .schema ? "SchemaEntry" : "RuleEntry"
    }

    static func schema(_ kind: EntryKind) -> WireSchema { empty(kind).schema(schemaName(kind)) }

    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        let kind = kind
        try members.required("key", &key, TextForm().described(by: kind.nameSchema))
        try members.required(kind.rawValue, &value, EntryValueForm(kind: kind))
        try members.required("revision", &revision, RevisionForm())
        try members.required("created_at", &createdAt, StringForm.time)
        try members.required("updated_at", &updatedAt, StringForm.time)
    }

    /// Reads one entry, the answer to `GET /v1/{namespace}/entries/{key}`. Missing members are errors.
    package init(json: [UInt8], _ kind: EntryKind = .value) throws(ConfigError) {
        self = .empty(kind)
        try read(json)
        _ = try kind.checked(key)
    }

    /// The entry as a body.
    package var json: [UInt8] { body() }

    /// Writes the members of the entry.
    package func writeMembers(to object: inout JSONWriter) { write(to: &object) }
}

extension EntryMessage {
    /// The entity tag of the entry, without quotes. It has a digest of the value and the dates: a copy of a store may have
    /// others at the same revision.
    package func tag(in epoch: Epoch) -> String {
        let dates = [createdAt, updatedAt].map { EntryValue.integer(Int($0.milliseconds)) }
        let contents = EntryValue.array([value] + dates)
        let digest = ConfigDigest(CollectionOfOne((key: key, value: contents)))
        return "\(RevisionCursor(epoch: epoch, revision: revision))-\(digest)"
    }
}

/// The answer to `GET /v1/{namespace}/entries`, and to the same for schemas and rules.
package struct EntryList: Sendable {
    /// The kind of the entries.
    package let kind: EntryKind
    package private(set) var entries: [EntryMessage] = []
    /// The position in the store's history where the list is true.
    package private(set) var cursor = RevisionCursor.zero
    /// The digest of schemas, which that of the namespace does not count.
    private var schemaDigest = ConfigDigest()

    /// Creates a list from its parts.
    package init(_ kind: EntryKind, _ entries: [EntryMessage], at cursor: RevisionCursor) {
        (self.kind, self.entries, self.cursor) = (kind, entries, cursor)
        if kind == .schema { schemaDigest = ConfigDigest(entries.lazy.map { ($0.key, $0.value) }) }
    }

}

extension EntryList: WireMessage {
    static func schema(_ kind: EntryKind) -> WireSchema {
        let name = kind == .value ? "Entries" : kind == .schema ? "Schemas" : "Rules"
        return EntryList(kind, [], at: .zero).schema(name)
    }

    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        try members.cursor(&cursor)
        if kind == .schema { try members.written("schema_digest", &schemaDigest, StringForm.digest) }
        let form = ListForm(start: EntryMessage.empty(kind), name: EntryMessage.schemaName(kind))
        try members.written(kind.listName, &entries, form)
    }

    /// Reads a list. Missing members are errors.
    package init(json: [UInt8], _ kind: EntryKind = .value) throws(ConfigError) {
        self.init(kind, [], at: .zero)
        try read(json)
        for entry in entries { _ = try kind.checked(entry.key) }
    }

    /// The list as a body.
    package var json: [UInt8] { body() }
}

extension EntryKind {
    /// The schema of the names of entries of this kind.
    var nameSchema: WireSchema { self == .value ? .key : self == .schema ? .schemaName : .ruleName }

    /// The schema of values of this kind.
    var valueSchema: WireSchema { self == .value ? .value : self == .schema ? .jsonSchema : .rule }
}
