// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// A row of the legacy protocol, in the answers to `GET /config` and `GET /config/{timestamp}`, which are arrays of rows.
package enum TableRow {
    /// Writes a row into an array. A value that is not a string appears as its JSON text.
    package static func write(
        id: Int64,
        key: String,
        value: EntryValue,
        createdAt: Timestamp,
        updatedAt: Timestamp,
        to array: inout JSONWriter
    ) {
        array.object { object in
            InsertedRow.writeMembers(id: id, key: key, value: value, to: &object)
            object.member("created_at") { $0.string(createdAt.description) }
            object.member("updated_at") { $0.string(updatedAt.description) }
        }
    }

    fileprivate static let id = WireSchema(["type": "integer", "minimum": 1])

    static let listSchema = WireSchema.object([
        .required("id", id), .required("key", .key), .required("value", .text), .required("created_at", .time),
        .required("updated_at", .time),
    ]).list("Rows")
}

/// The body of `POST /config`: a row as a legacy client sends it.
package struct RowRequest: Sendable {
    package var key: String?
    package var value: EntryValue?

    /// Creates a request without members.
    package init() {}
}

extension RowRequest: WireMessage {
    static let isRequest = true
    static let schema = RowRequest().schema("Row")

    /// The schema of the body as a form.
    static let formSchema = WireSchema.object(
        "FormRow",
        [.required("key", .key), .required("value", .text)],
        isClosed: true
    )

    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        try members.written("key", &key, TextForm().orNull.described(by: .key))
        try members.written("value", &value, EntryValueForm().orNull.described(by: .value))
    }

    /// Reads a request strictly: members that are unknown here are errors, with their place.
    package init(json: [UInt8]) throws(ConfigError) { try read(json) }
}

/// The answer to `POST /config`.
package enum InsertedRow {
    /// The answer as a body.
    package static func json(id: Int64, key: String, value: EntryValue) -> [UInt8] {
        JSONWriter.object { writeMembers(id: id, key: key, value: value, to: &$0) }
    }

    fileprivate static func writeMembers(id: Int64, key: String, value: EntryValue, to object: inout JSONWriter) {
        object.member("id") { $0.number(id) }
        object.member("key") { $0.string(key) }
        object.member("value") { $0.string(value.text) }
    }

    static let schema = WireSchema.object(
        "InsertedRow",
        [.required("id", TableRow.id), .required("key", .key), .required("value", .text)]
    )
}

extension EntryValue {
    /// A string as it is, any other value as JSON, for a table of strings.
    package var text: String {
        if case .string(let text) = self { text } else { canonicalJSON }
    }
}
