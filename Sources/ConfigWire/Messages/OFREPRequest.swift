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
