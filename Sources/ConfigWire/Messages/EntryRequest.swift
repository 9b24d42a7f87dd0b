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

}

extension EntryRequest: WireMessage {
    static let isRequest = true

    static func schema(_ kind: EntryKind) -> WireSchema {
        let name = kind == .value ? "ValueRequest" : kind == .schema ? "SchemaRequest" : "RuleRequest"
        return EntryRequest(kind, value: .null).schema(name)
    }

    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        try members.required(kind.rawValue, &value, ContentForm(kind: kind))
        try members.optional("message", &message, TextForm(isReason: true))
    }

    /// Reads a request strictly: members that are unknown here are errors, with their place.
    package init(json: [UInt8], _ kind: EntryKind = .value) throws(ConfigError) {
        self.init(kind, value: .null)
        try read(json)
    }

    /// The request as a body.
    package var json: [UInt8] { body() }
}
