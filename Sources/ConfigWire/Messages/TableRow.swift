// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// A row of the legacy protocol, in the answers to `GET /config` and `GET /config/{timestamp}`, which are arrays of rows.
package struct TableRow: Sendable {
    private let id: Int64
    private let key: String
    private let value: EntryValue
    private let createdAt: Timestamp
    private let updatedAt: Timestamp

    /// - Parameter value: appears as its JSON text, unless it is a string.
    package init(id: Int64, key: String, value: EntryValue, createdAt: Timestamp, updatedAt: Timestamp) {
        (self.id, self.key, self.value) = (id, key, value)
        (self.createdAt, self.updatedAt) = (createdAt, updatedAt)
    }

    /// Rows as a body.
    package static func json(of rows: [TableRow]) -> [UInt8] {
        var json = JSONWriter(reservingBytes: rows.count * 160)
        json.array { array in
            for row in rows {
                array.object { object in
                    object.member("id") { $0.number(row.id) }
                    object.member("key") { $0.string(row.key) }
                    object.member("value") { $0.string(row.value.text) }
                    object.member("created_at") { $0.string(row.createdAt.description) }
                    object.member("updated_at") { $0.string(row.updatedAt.description) }
                }
            }
        }
        return json.bytes
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

    /// Reads a request strictly: members that are unknown here are errors, with their place.
    package init(json: [UInt8]) throws(ConfigError) {
        try JSONScanner.object(json) { (name, scanner) throws(ConfigError) in
            switch name {
            case "key": key = try scanner.skipNull() ? nil : try scanner.text()
            case "value": value = try scanner.skipNull() ? nil : try scanner.value()
            default: throw scanner.unknownMember(name, known: ["key", "value"])
            }
        }
    }

    static let schema = WireSchema.object(
        "Row",
        [.required("key", .key), .required("value", .value)],
        isClosed: true
    )

    /// The schema of the body as a form.
    static let formSchema = WireSchema.object(
        "FormRow",
        [.required("key", .key), .required("value", .text)],
        isClosed: true
    )
}

/// The answer to `POST /config`.
package enum InsertedRow {
    /// The answer as a body.
    package static func json(id: Int64, key: String, value: EntryValue) -> [UInt8] {
        JSONWriter.object { object in
            object.member("id") { $0.number(id) }
            object.member("key") { $0.string(key) }
            object.member("value") { $0.string(value.text) }
        }
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
