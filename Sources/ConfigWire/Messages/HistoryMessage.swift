// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The answer to `GET /v1/{namespace}/history`: what happened, newest first.
package struct HistoryMessage: Hashable, Sendable {
    /// The records.
    package var records: [HistoryRecord]
    /// The value of `before` for the next page; `nil` at the end.
    package var next: UInt64?

    /// Creates an answer from its parts.
    package init(records: [HistoryRecord], next: UInt64?) {
        (self.records, self.next) = (records, next)
    }
}

extension HistoryMessage: WireMessage {
    static let schema = HistoryMessage(records: [], next: nil).schema("History")

    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        try members.written("history", &records, ListForm(start: .empty))
        try members.written(
            "next",
            &next,
            RevisionForm().orNull.described(by: WireSchema(["type": ["integer", "null"]]))
        )
    }

    /// Reads an answer. Unknown members are ignored, missing ones are errors.
    package init(json: [UInt8]) throws(ConfigError) {
        self.init(records: [], next: nil)
        try read(json)
        for record in records { _ = try record.kind.checked(record.key) }
    }

    /// The answer as a body.
    package var json: [UInt8] { body(reservingBytes: 64 + records.count * 160) }

    /// Writes the members of the answer.
    package func writeMembers(to object: inout JSONWriter) { write(to: &object) }
}

extension HistoryRecord: WireMessage {
    fileprivate static let empty = HistoryRecord(
        revision: 0,
        key: "",
        value: nil,
        author: nil,
        message: nil,
        updatedAt: Timestamp(milliseconds: 0)
    )

    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        try members.required("revision", &revision, RevisionForm())
        try members.required("key", &key, TextForm().described(by: WireSchema(["type": "string", "maxLength": 128])))
        try members.optional("kind", &kind, StringForm.kind, if: kind != .value)
        try members.written("value", &value, EntryValueForm().orNull.described(by: .anything))
        try members.written("author", &author, TextForm().orNull)
        try members.written("message", &message, TextForm().orNull)
        try members.required("updated_at", &updatedAt, StringForm.time)
        try members.optional("draft", &draft, TextForm())
        try members.optional("approvers", &approvers, TextsForm(), if: !approvers.isEmpty)
    }
}
