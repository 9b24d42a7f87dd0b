// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

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
