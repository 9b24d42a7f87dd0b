// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

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
