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

    /// Reads a receipt. Unknown members are ignored, missing ones are errors.
    package init(json: [UInt8]) throws(ConfigError) {
        var position = CursorMembers()
        var (time, keys) = (Timestamp?.none, [String]?.none)
        var (schemas, rules) = ([String](), [String]())
        try JSONScanner.object(json, atMost: .max) { (name, scanner) throws(ConfigError) in
            switch name {
            case "updated_at": time = try scanner.skipNull() ? nil : try scanner.parsed("time")
            case "changed": keys = try scanner.keys()
            case "changed_schemas": schemas = try scanner.names(of: .schema)
            case "changed_rules": rules = try scanner.names(of: .rule)
            default: try position.read(name, from: &scanner)
            }
        }
        (cursor, updatedAt, changed) = (try position.cursor, time, try keys.required("changed"))
        (changedSchemas, changedRules) = (schemas, rules)
    }

    /// The receipt as a body.
    package var json: [UInt8] {
        JSONWriter.object { object in
            object.members(of: cursor)
            object.member("updated_at") { $0.optional(updatedAt) { $0.string($1.description) } }
            object.member("changed") { $0.strings(changed) }
            if !changedSchemas.isEmpty { object.member("changed_schemas") { $0.strings(changedSchemas) } }
            if !changedRules.isEmpty { object.member("changed_rules") { $0.strings(changedRules) } }
        }
    }

    static let schema = WireSchema.object(
        "PublishReceipt",
        CursorMembers.schemas + [
            .required("updated_at", .time.orNull), .required("changed", .key.list()),
            .optional("changed_schemas", .schemaName.list()), .optional("changed_rules", .ruleName.list()),
        ]
    )
}
