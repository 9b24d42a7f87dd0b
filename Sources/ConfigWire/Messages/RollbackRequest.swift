// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The body of `POST /v1/{namespace}/rollback`.
package struct RollbackRequest: Hashable, Sendable {
    /// The revision to restore.
    package var to: UInt64
    /// The revision that the namespace must be at, if given.
    package var expect: UInt64?
    /// The message for the history.
    package var message: String?

    /// Creates a request.
    package init(to: UInt64, expect: UInt64? = nil, message: String? = nil) {
        (self.to, self.expect, self.message) = (to, expect, message)
    }

    /// Reads a request strictly: members that are unknown here are errors, with their place.
    package init(json: [UInt8]) throws(ConfigError) {
        var to, expect: UInt64?
        var message: String?
        try JSONScanner.object(json) { (name, scanner) throws(ConfigError) in
            switch name {
            case "to": to = try scanner.revision()
            case "expect": expect = try scanner.revision()
            case "message": message = try scanner.message()
            default: throw scanner.unknownMember(name, known: ["to", "expect", "message"])
            }
        }
        guard let to else { throw .missing("to") }
        self.init(to: to, expect: expect, message: message)
    }

    /// The request as a body.
    package var json: [UInt8] {
        JSONWriter.object { object in
            object.member("to") { $0.number(to) }
            if let expect { object.member("expect") { $0.number(expect) } }
            if let message { object.member("message") { $0.string(message) } }
        }
    }

    static let schema = WireSchema.object(
        "RollbackRequest",
        [.required("to", .revision), .optional("expect", .revision), .optional("message", .message)],
        isClosed: true
    )
}
