// SPDX-License-Identifier: Apache-2.0

/// What one value breaks of its schema, or one mistake in a schema or in a rule.
public struct ViolationMessage: Hashable, Sendable {
    /// The key of the value; `nil` for a mistake in a schema or in a rule.
    public var key: String?
    /// What the schema is for, as in ``SchemaName``; `nil` for a mistake in a rule.
    public var schema: String?
    /// The key whose rule has the mistake, or the variant that breaks the schema; ``EntryKind/sharedRules`` for a mistake in
    /// what rules share.
    public var rule: String?
    /// The place in the value, or in the schema or the rule, as a JSON Pointer (RFC 6901).
    public var pointer: String
    /// The place of the keyword that is broken, in the schema; `nil` for a mistake in a schema.
    public var keywordPointer: String?
    /// What the keyword demands; `nil` if that is long.
    public var limit: EntryValue?
    /// What there is instead; `nil` if that is long.
    public var found: EntryValue?
    /// What is wrong, in words.
    public var message: String

    /// The most bytes that a limit, or what was found, has as JSON: of longer ones the message shows the beginning.
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
