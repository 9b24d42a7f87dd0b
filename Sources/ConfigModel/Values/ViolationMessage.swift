// SPDX-License-Identifier: Apache-2.0

/// A schema violation of one value, or an error in a schema or in a rule.
public struct ViolationMessage: Hashable, Sendable {
    /// The key of the value; `nil` for an error in a schema or in a rule.
    public var key: String?
    /// The name of the schema, such as `app.limit`, `app.colors.*` or `*`; `nil` for an error in a rule.
    public var schema: String?
    /// The key whose rule has the error, or whose variant violates the schema; ``EntryKind/sharedRules`` for an error in shared
    /// evaluators.
    public var rule: String?
    /// The place in the value, or in the schema or the rule, as a JSON Pointer (RFC 6901).
    public var pointer: String
    /// The position of the violated keyword in the schema; `nil` for an error in a schema.
    public var keywordPointer: String?
    /// The value of the keyword; `nil` if it is long.
    public var limit: EntryValue?
    /// The value that was found instead; `nil` if it is long.
    public var found: EntryValue?
    /// The violation, in words.
    public var message: String

    /// The maximum size of a limit or a found value, in bytes of JSON; the message shows the beginning of longer ones.
    public static let maximumValueBytes = 256

    /// Creates a violation from its parts; values that are long are left out.
    public init(
        key: String? = nil,
        schema: String? = nil,
        rule: String? = nil,
        pointer: String,
        keywordPointer: String? = nil,
        limit: EntryValue? = nil,
        found: EntryValue? = nil,
        message: String
    ) {
        let short = { (value: EntryValue) in value.canonicalByteCount <= Self.maximumValueBytes }
        (self.key, self.schema, self.rule) = (key, schema, rule)
        // Names of members may be as long as a value.
        self.pointer = pointer.excerpt(ofScalars: 1000)
        self.keywordPointer = keywordPointer?.excerpt(ofScalars: 1000)
        (self.limit, self.found, self.message) = (
            limit.flatMap { short($0) ? $0 : nil }, found.flatMap { short($0) ? $0 : nil }, message
        )
    }
}
