// SPDX-License-Identifier: Apache-2.0

/// A change that one revision made to one key, schema or rule.
public struct HistoryRecord: Hashable, Sendable {
    /// The revision.
    public var revision: UInt64
    /// The key, or the name of the schema or the rule.
    public var key: String
    /// The kind of the changed entry.
    public var kind: EntryKind
    /// The new value, schema or rule, or `nil` if it was deleted.
    public var value: EntryValue?
    /// The author, if known.
    public var author: String?
    /// The author's message.
    public var message: String?
    /// The time of the change.
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
