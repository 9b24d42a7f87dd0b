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
    /// Reads a problem. Unknown and missing members are ignored, as the RFC requires.
    ///
    /// - Throws: `ConfigError` if this is not a JSON object.
    package init(json: [UInt8]) throws(ConfigError) {
        self.init(type: "about:blank", title: "", status: 0, detail: "")
        try JSONScanner.object(json) { (name, scanner) throws(ConfigError) in
            switch name {
            case "type": type = try scanner.text()
            case "title": title = try scanner.text()
            case "status": status = Int(clamping: try scanner.revision())
            case "detail": detail = try scanner.text()
            case "key": key = try scanner.text()
            case "field": field = try scanner.text()
            case "location": location = try scanner.text()
            case "revision": revision = try scanner.revision()
            case "age_ms": age = Int(clamping: try scanner.revision())
            case "violations":
                try scanner.array { (scanner) throws(ConfigError) in
                    violations.append(try ViolationMessage(&scanner))
                }
            default: try scanner.skipValue()
            }
        }
    }

    /// The problem as a body.
    package var json: [UInt8] {
        JSONWriter.object { object in
            object.member("type") { $0.string(type) }
            object.member("title") { $0.string(title) }
            object.member("status") { $0.number(status) }
            object.member("detail") { $0.string(detail) }
            if let key { object.member("key") { $0.string(key) } }
            if let field { object.member("field") { $0.string(field) } }
            if let location { object.member("location") { $0.string(location) } }
            if let revision { object.member("revision") { $0.number(revision) } }
            if let age { object.member("age_ms") { $0.number(age) } }
            if !violations.isEmpty {
                object.member("violations", each: violations) { violation, array in
                    array.object(violation.writeMembers)
                }
            }
        }
    }

    static let schema = WireSchema.object(
        "Problem",
        [
            .required("type", WireSchema(["type": "string", "format": "uri"])), .required("title", .text),
            .required("status", WireSchema(["type": "integer"])), .required("detail", .text),
            .optional("key", .text), .optional("field", .text), .optional("location", .text),
            .optional("revision", .revision), .optional("age_ms", .age),
            .optional("violations", ViolationMessage.wireSchema.list()),
        ]
    )
}

extension ViolationMessage {
    fileprivate init(_ scanner: inout JSONScanner) throws(ConfigError) {
        self.init(pointer: "", message: "")
        try scanner.object { (name, scanner) throws(ConfigError) in
            switch name {
            case "key": key = try scanner.text()
            case "schema": schema = try scanner.text()
            case "rule": rule = try scanner.text()
            case "pointer": pointer = try scanner.text()
            case "keyword_pointer": keywordPointer = try scanner.text()
            case "limit": limit = try scanner.anyValue()
            case "found": found = try scanner.anyValue()
            case "message": message = try scanner.text()
            default: try scanner.skipValue()
            }
        }
    }

    /// Writes the members of the object that is open.
    package func writeMembers(to object: inout JSONWriter) {
        if let key { object.member("key") { $0.string(key) } }
        if let schema { object.member("schema") { $0.string(schema) } }
        if let rule { object.member("rule") { $0.string(rule) } }
        object.member("pointer") { $0.string(pointer) }
        if let keywordPointer { object.member("keyword_pointer") { $0.string(keywordPointer) } }
        if let limit { object.member("limit") { $0.value(limit) } }
        if let found { object.member("found") { $0.value(found) } }
        object.member("message") { $0.string(message) }
    }

    fileprivate static let wireSchema = WireSchema.object([
        .optional("key", .key), .optional("schema", .schemaName), .optional("rule", .ruleName),
        .required("pointer", .text), .optional("keyword_pointer", .text), .optional("limit", .anything),
        .optional("found", .anything), .required("message", .text),
    ])
}
