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

extension HistoryMessage {
    /// Reads an answer. Unknown members are ignored, missing ones are errors.
    package init(json: [UInt8]) throws(ConfigError) {
        self.init(records: [], next: nil)
        try JSONScanner.object(json, atMost: .max) { (name, scanner) throws(ConfigError) in
            switch name {
            case "next": next = try scanner.skipNull() ? nil : try scanner.revision()
            case "history":
                try scanner.array { (scanner) throws(ConfigError) in
                    records.append(try HistoryRecord(from: &scanner))
                }
            default: try scanner.skipValue()
            }
        }
    }

    /// The answer as a body.
    package var json: [UInt8] {
        JSONWriter.object(reservingBytes: 64 + records.count * 160, writeMembers)
    }

    /// Writes the members of the answer.
    package func writeMembers(to object: inout JSONWriter) {
        object.member("history", each: records) { record, json in json.object(record.writeMembers) }
        object.member("next") { $0.optional(next) { $0.number($1) } }
    }
}

extension HistoryRecord {
    fileprivate init(from scanner: inout JSONScanner) throws(ConfigError) {
        var (revision, key, time) = (UInt64?.none, String?.none, Timestamp?.none)
        var (kind, value) = (EntryKind.value, EntryValue?.none)
        var (author, message) = (String?.none, String?.none)
        try scanner.object { (name, scanner) throws(ConfigError) in
            switch name {
            case "revision": revision = try scanner.revision()
            case "key": key = try scanner.text()
            case "kind": kind = try scanner.parsed("kind")
            case "value": value = try scanner.skipNull() ? nil : try scanner.value()
            case "author": author = try scanner.skipNull() ? nil : try scanner.text()
            case "message": message = try scanner.skipNull() ? nil : try scanner.text()
            case "updated_at": time = try scanner.parsed("time")
            default: try scanner.skipValue()
            }
        }
        self.init(
            revision: try revision.required("revision"),
            key: try kind.checked(try key.required("key")),
            kind: kind,
            value: value,
            author: author,
            message: message,
            updatedAt: try time.required("updated_at")
        )
    }

    fileprivate func writeMembers(to object: inout JSONWriter) {
        object.member("revision") { $0.number(revision) }
        object.member("key") { $0.string(key) }
        if kind != .value { object.member("kind") { $0.string(kind.rawValue) } }
        object.member("value") { $0.optional(value) { $0.value($1) } }
        object.member("author") { $0.optional(author) { $0.string($1) } }
        object.member("message") { $0.optional(message) { $0.string($1) } }
        object.member("updated_at") { $0.string(updatedAt.description) }
    }

    fileprivate static let schema = WireSchema.object([
        .required("revision", .revision), .required("key", WireSchema(["type": "string", "maxLength": 128])),
        .optional("kind", WireSchema(["enum": ["schema", "rule"]])), .required("value", .anything),
        .required("author", .text.orNull), .required("message", .text.orNull), .required("updated_at", .time),
    ])
}

extension HistoryMessage {
    static let schema = WireSchema.object(
        "History",
        [
            .required("history", HistoryRecord.schema.list()),
            .required("next", WireSchema(["type": ["integer", "null"]])),
        ]
    )
}
