// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The body of `PUT /v1/{namespace}/entries/{key}`, and of the same for schemas and rules.
package struct EntryRequest: Hashable, Sendable {
    /// The kind of the entry.
    package var kind: EntryKind
    /// The new value, schema or rule.
    package var value: EntryValue
    /// The message for the history.
    package var message: String?

    /// Creates a request.
    package init(_ kind: EntryKind = .value, value: EntryValue, message: String? = nil) {
        (self.kind, self.value, self.message) = (kind, value, message)
    }

    /// Reads a request strictly: members that are unknown here are errors, with their place.
    package init(json: [UInt8], _ kind: EntryKind = .value) throws(ConfigError) {
        var value: EntryValue?
        var message: String?
        try JSONScanner.object(json) { (name, scanner) throws(ConfigError) in
            switch name {
            case kind.rawValue: value = try scanner.value(of: kind)
            case "message": message = try scanner.message()
            default: throw scanner.unknownMember(name, known: [kind.rawValue, "message"])
            }
        }
        guard let value else { throw .missing(kind.rawValue) }
        self.init(kind, value: value, message: message)
    }

    /// The request as a body.
    package var json: [UInt8] {
        JSONWriter.object { object in
            object.member(kind.rawValue) { $0.value(value) }
            if let message { object.member("message") { $0.string(message) } }
        }
    }

    static func schema(_ kind: EntryKind) -> WireSchema {
        .object(
            kind == .value ? "ValueRequest" : kind == .schema ? "SchemaRequest" : "RuleRequest",
            [.required(kind.rawValue, kind.valueSchema), .optional("message", .message)],
            isClosed: true
        )
    }
}
