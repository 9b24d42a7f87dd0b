// SPDX-License-Identifier: Apache-2.0

/// What one revision did to one key, to one schema or to one rule.
public struct HistoryRecord: Hashable, Sendable {
    /// The revision.
    public var revision: UInt64
    /// The key; what the schema or the rule is for, if it is one.
    public var key: String
    /// What was changed.
    public var kind: EntryKind
    /// The new value, schema or rule, or `nil` if it was deleted.
    public var value: EntryValue?
    /// Who asked for it, if that is known.
    public var author: String?
    /// Why, in the author's words.
    public var message: String?
    /// When.
    public var updatedAt: Timestamp

    /// Creates a record from its parts.
    public init(
        revision: UInt64,
        key: String,
        kind: EntryKind = .value,
        value: EntryValue?,
        author: String?,
        message: String?,
        updatedAt: Timestamp
    ) {
        self.revision = revision
        self.key = key
        self.kind = kind
        self.value = value
        self.author = author
        self.message = message
        self.updatedAt = updatedAt
    }
}
