// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The body of a request of OpenFeature's protocol (OFREP): `{"context": {"targetingKey": "user-42", …}}`.
package enum OFREPRequest {
    /// The request as a body.
    package static func json(context: EntryObject) -> [UInt8] {
        JSONWriter.object { object in object.member("context") { $0.value(.object(context)) } }
    }

    /// Reads a request, whose context is read by a closure. Other members are ignored. The body and its context are optional:
    /// each may also be `null`.
    package static func read(
        _ json: [UInt8],
        _ readContext: (inout JSONScanner) throws(ConfigError) -> Void
    ) throws(ConfigError) {
        guard !json.isEmpty, try !JSONScanner.isNull(json) else { return }
        try JSONScanner.object(json) { (name, scanner) throws(ConfigError) in
            guard name.hasSameScalars(as: "context"), scanner.current != UInt8(ascii: "n") else {
                return try scanner.skipValue()
            }
            try readContext(&scanner)
        }
    }

    static let schema = WireSchema.object("OFREPRequest", [.optional("context", .evaluationContext.orNull)])
}

/// A flag with one of its variants, as a server of OpenFeature's protocol (OFREP) answers: `evaluationSuccess`. Only the reason
/// is added for each evaluation; the rest is encoded once.
///
/// Clients read `variant` and `metadata` without checking whether they are there.
package final class OFREPFlag: Sendable {
    private let beginning: [UInt8]
    private let end: [UInt8]

    /// Creates a flag; without a value the caller's own default counts.
    ///
    /// - Parameter isFloat: whether the flag is one of floating-point numbers, so that `1` has to be written as `1.0`.
    package init(key: String, value: EntryValue?, isFloat: Bool, variant: String?, metadata: EntryObject) {
        var json = JSONWriter()
        json.member("key") { $0.string(key) }
        if let value {
            json.member("value") { json in
                if isFloat, case .integer(let number) = value { json.raw("\(number).0") } else { json.value(value) }
            }
        }
        beginning = Array("{".utf8) + json.bytes + Array(",\"reason\":\"".utf8)
        json = JSONWriter()
        json.member("variant") { $0.string(variant ?? "") }
        json.member("metadata") { $0.value(.object(metadata)) }
        end = Array("\",".utf8) + json.bytes + Array("}".utf8)
    }

    /// The size of the flag without its reason, in bytes.
    package var count: Int { beginning.count + end.count }

    /// Writes the flag as an object.
    ///
    /// - Parameter reason: one of OpenFeature's terms, such as `TARGETING_MATCH`.
    package func write(reason: String, to json: inout JSONWriter) {
        json.raw(beginning, reason, end)
    }

    static let schema = WireSchema.object(
        "OFREPSuccess",
        [
            .required("key", .text), .optional("value", .anything), .required("reason", .text),
            .required("variant", .text), .required("metadata", .anyObject),
        ],
        "If `value` is absent, the caller uses its own default."
    )
}

/// An error of a flag or of a request: `evaluationFailure`.
package struct OFREPFailure: Sendable {
    private let key: String?
    /// OpenFeature's code.
    private let code: String
    private let details: String

    /// - Parameter key: the flag; `nil` if the request is wrong.
    package init(key: String?, code: String, details: String) {
        (self.key, self.code, self.details) = (key, code, details)
    }

    /// Reads a failure; `nil` if it has no error.
    package init?(json: [UInt8]) throws(ConfigError) {
        var (code, details) = ("", "")
        try JSONScanner.object(json, atMost: .max) { (name, scanner) throws(ConfigError) in
            switch name {
            case "errorCode": code = try scanner.skipNull() ? "" : scanner.text()
            case "errorDetails": details = try scanner.skipNull() ? "" : scanner.text()
            default: try scanner.skipValue()
            }
        }
        if code.isEmpty, details.isEmpty { return nil }
        self.init(key: nil, code: code, details: details)
    }

    /// The code and the details.
    package var reason: String { [code, details].filter { !$0.isEmpty }.joined(separator: ": ") }

    /// The failure as a body.
    package var json: [UInt8] { JSONWriter.object(writeMembers) }

    /// Writes the members of the object that is open.
    package func writeMembers(to json: inout JSONWriter) {
        if let key { json.member("key") { $0.string(key) } }
        json.member("errorCode") { $0.string(code) }
        json.member("errorDetails") { $0.string(details) }
    }

    static let schema = WireSchema.object(
        "OFREPFailure",
        [.optional("key", .text), .required("errorCode", .text), .required("errorDetails", .text)]
    )
}

/// The answer to a request for all flags, in OpenFeature's protocol (OFREP), as a client reads it.
package struct OFREPFlags: Sendable {
    /// The values by the keys of the flags.
    package private(set) var values = KeyedValues<EntryValue>()
    /// The flags without a value, because of an error.
    package private(set) var failures: [(key: String, reason: String)] = []

    /// Reads an answer. Members that are unknown here are ignored.
    package init(json: [UInt8]) throws(ConfigError) {
        var hasFlags = false
        try JSONScanner.object(json, atMost: .max) { (name, scanner) throws(ConfigError) in
            guard name.hasSameScalars(as: "flags") else { return try scanner.skipValue() }
            hasFlags = true
            try scanner.array { (scanner) throws(ConfigError) in try readFlag(&scanner) }
        }
        guard hasFlags else {
            throw ConfigError(.badResponse, "missing member 'flags': not an OFREP response")
        }
    }

    private mutating func readFlag(_ scanner: inout JSONScanner) throws(ConfigError) {
        var (key, code, details, value) = ("", String?.none, "", EntryValue?.none)
        var problem: ConfigError?
        try scanner.object { (name, scanner) throws(ConfigError) in
            switch name {
            case "key": key = try scanner.text()
            case "errorCode": code = try scanner.text()
            case "errorDetails": details = try scanner.skipNull() ? "" : scanner.text()
            case "value":
                let start = scanner.position
                do throws(ConfigError) {
                    value = try scanner.skipNull() ? nil : scanner.value()
                } catch {
                    (problem, scanner.position) = (error, start)
                    try scanner.skipValue()
                }
            default: try scanner.skipValue()
            }
        }
        if let code {
            failures.append((key, OFREPFailure(key: key, code: code, details: details).reason))
        } else if let problem {
            failures.append((key, problem.message))
        } else if let fault = KeyRule.problem(in: key) {
            failures.append((key, "the key \(fault)"))
        } else if let value {
            values.update(value, forKey: key)
        }
    }
}

extension OFREPFlags {
    /// The answer as a body.
    ///
    /// - Parameters:
    ///   - flags: a JSON array, which is written piece by piece.
    ///   - events: the address of the stream of the flags' events.
    package static func json(flags: [UInt8], namespace: String, revision: UInt64, events: String) -> [UInt8] {
        JSONWriter.object(reservingBytes: flags.count + 512) { object in
            object.member("flags") { $0.raw(flags) }
            object.member("metadata") { member in
                member.object { metadata in
                    metadata.member("namespace") { $0.string(namespace) }
                    metadata.member("revision") { $0.number(revision) }
                }
            }
            object.member("eventStreams", each: [events]) { address, array in
                array.object { stream in
                    stream.member("type") { $0.string("sse") }
                    // The client knows by which origin it reaches this server.
                    stream.member("endpoint") { $0.object { $0.member("requestUri") { $0.string(address) } } }
                    stream.member("inactivityDelaySec") { $0.number(120) }
                }
            }
        }
    }

    private static let endpoint = WireSchema.object([
        .required("requestUri", WireSchema(["type": "string", "pattern": "^/"]))
    ])

    private static let stream = WireSchema.object([
        .required("type", WireSchema(["const": "sse"])), .required("endpoint", endpoint),
        .optional("inactivityDelaySec", WireSchema(["type": "integer", "minimum": 1])),
    ])

    static let schema = WireSchema.object(
        "OFREPFlags",
        [
            .required("flags", WireSchema(["type": "object", "required": ["key"]]).list()),
            .required("metadata", .anyObject), .optional("eventStreams", stream.list()),
        ]
    )
}

/// The event of OpenFeature's protocol (OFREP) upon which a client requests the flags again: `refetchEvaluation`.
package struct OFREPEvent {
    private let cursor: RevisionCursor
    private let tag: String
    private let time: Timestamp

    /// - Parameters:
    ///   - tag: the entity tag of the rules alone, since the stream does not know the client's context.
    ///   - time: when the flags changed.
    package init(_ cursor: RevisionCursor, tag: String, time: Timestamp) {
        (self.cursor, self.tag, self.time) = (cursor, tag, time)
    }

    /// The event's bytes in the stream, its empty line included.
    package var encoded: [UInt8] {
        let data = JSONWriter.object { object in
            object.member("type") { $0.string("refetchEvaluation") }
            object.member("etag") { $0.string(tag) }
            object.member("lastModified") { $0.number(time.milliseconds / 1000) }
        }
        return Array("event: message\nid: \(cursor)\ndata: ".utf8) + data + Array("\n\n".utf8)
    }

    static let schema = WireSchema.object(
        "OFREPEvent",
        [
            .optional("event", WireSchema(["const": "message"])), .optional("id", .text),
            .optional(
                "data",
                .text.described(
                    "JSON with `type` (`refetchEvaluation`), `etag` and `lastModified`, in seconds since 1970."
                )
            ),
        ],
        "An event; the body is a sequence of events."
    )
}
