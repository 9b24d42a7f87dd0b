// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// An error of a server, by RFC 9457: `application/problem+json`.
package struct ProblemDetails: Error, Hashable, Sendable {
    /// The kind of problem, a URI such as `urn:livery:problem:stale-revision`.
    package var type: String
    /// The kind in words, the same for every occurrence.
    package var title: String
    /// The HTTP status.
    package var status: Int
    /// The cause in this case, and the next step.
    package var detail: String
    /// The configuration key with the error.
    package var key: String?
    /// The part of the request with the error: a header, a parameter, a member of the body.
    package var field: String?
    /// The place in the request's body, as `line:column`.
    package var location: String?
    /// The revision that the namespace is at, where a client can go on from it.
    package var revision: UInt64?
    /// The age of the answer, in milliseconds, where it was found out before the request.
    package var age: Int?
    /// Schema violations, or errors in the schemas themselves.
    package var violations: [ViolationMessage]
    /// The operations of a draft whose entries have changed.
    package var conflicts: [DraftMessage.Operation] = []

    /// Creates a problem.
    package init(
        type: String,
        title: String,
        status: Int,
        detail: String,
        key: String? = nil,
        field: String? = nil,
        location: String? = nil,
        revision: UInt64? = nil,
        age: Int? = nil,
        violations: [ViolationMessage] = []
    ) {
        (self.type, self.title, self.status, self.detail) = (type, title, status, detail)
        (self.key, self.field, self.location) = (key, field, location)
        (self.revision, self.age, self.violations) = (revision, age, violations)
    }
}

extension ProblemDetails {
    /// The ``type`` of a kind of problem.
    package static func type(_ code: String) -> String { "urn:livery:problem:\(code)" }
}

extension ProblemDetails: WireMessage {
    private static let empty = ProblemDetails(type: "about:blank", title: "", status: 0, detail: "")
    static let schema = empty.schema("Problem")

    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        try members.written("type", &type, TextForm().described(by: WireSchema(["type": "string", "format": "uri"])))
        try members.written("title", &title, TextForm())
        try members.written("status", &status, CountForm().described(by: WireSchema(["type": "integer"])))
        try members.written("detail", &detail, TextForm())
        try members.optional("key", &key, TextForm())
        try members.optional("field", &field, TextForm())
        try members.optional("location", &location, TextForm())
        try members.optional("revision", &revision, RevisionForm())
        try members.optional("age_ms", &age, CountForm())
        try members.optional("violations", &violations, ListForm(start: .empty), if: !violations.isEmpty)
        let operations = ListForm(start: DraftMessage.Operation(), name: "DraftOperation")
        try members.optional("conflicts", &conflicts, operations, if: !conflicts.isEmpty)
    }

    /// Reads a problem. Unknown and missing members are ignored, as the RFC requires.
    ///
    /// - Throws: `ConfigError` if this is not a JSON object.
    package init(json: [UInt8]) throws(ConfigError) {
        self = Self.empty
        try read(json)
    }

    /// The problem as a body.
    package var json: [UInt8] { body() }
}

extension ViolationMessage: WireMessage {
    static let empty = ViolationMessage(pointer: "", message: "")

    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        try members.optional("key", &key, TextForm().described(by: .key))
        try members.optional("schema", &schema, TextForm().described(by: .schemaName))
        try members.optional("rule", &rule, TextForm().described(by: .ruleName))
        try members.written("pointer", &pointer, TextForm())
        try members.optional("keyword_pointer", &keywordPointer, TextForm())
        try members.optional("limit", &limit, AnyValueForm())
        try members.optional("found", &found, AnyValueForm())
        try members.written("message", &message, TextForm())
    }

    /// Writes the members of the object that is open.
    package func writeMembers(to object: inout JSONWriter) { write(to: &object) }
}
