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
    /// The id of the draft that was applied, if the revision is one.
    public var draft: String?
    /// The subjects whose approvals counted when the draft was applied.
    public var approvers: [String] = []

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

extension HistoryRecord {
    /// The message, with the draft and its approvers: `Sky for Monday (draft k3x9m2ab, approved by bob)`.
    package var note: String? {
        guard let draft else { return message }
        let review = approvers.isEmpty ? "" : ", approved by \(approvers.joined(separator: ", "))"
        return message.map { "\($0) (draft \(draft)\(review))" } ?? "draft \(draft)\(review)"
    }
}
