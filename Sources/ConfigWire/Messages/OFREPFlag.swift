// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// A flag as a server of OpenFeature's protocol (OFREP) has evaluated it: `evaluationSuccess`.
///
/// Clients read `variant` and `metadata` without checking whether they are there.
package struct OFREPFlag: Sendable {
    private let key: String
    private let value: EntryValue?
    /// Whether the flag is one of floating-point numbers, so that `1` has to be written as `1.0`.
    private let isFloat: Bool
    private let reason: String
    private let variant: String?
    private let metadata: EntryObject

    /// Creates a flag; without a value the caller's own default counts.
    package init(
        key: String,
        value: EntryValue?,
        isFloat: Bool,
        reason: String,
        variant: String?,
        metadata: EntryObject
    ) {
        (self.key, self.value, self.isFloat) = (key, value, isFloat)
        (self.reason, self.variant, self.metadata) = (reason, variant, metadata)
    }

    /// Writes the members of the object that is open.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("key") { $0.string(key) }
        if let value {
            json.member("value") { json in
                if isFloat, case .integer(let number) = value { json.raw("\(number).0") } else { json.value(value) }
            }
        }
        json.member("reason") { $0.string(reason) }
        json.member("variant") { $0.string(variant ?? "") }
        json.member("metadata") { $0.value(.object(metadata)) }
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
