// SPDX-License-Identifier: Apache-2.0

/// An answer of an HTTP server.
package struct WireResponse: Sendable {
    /// The status.
    package var status: Int
    /// The fields, with names in lower case, in order.
    package var fields: [(name: String, value: String)] = []
    /// The body.
    package var body: [UInt8] = []

    init(head: String) throws {
        var lines = head.split(separator: "\r\n")
        let words = lines.removeFirst().split(separator: " ")
        guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
            throw FixtureError("this is no answer: \(head)")
        }
        self.status = status
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { throw FixtureError("this is no field: \(line)") }
            fields.append((parts[0].lowercased(), String(parts[1].drop { $0 == " " })))
        }
    }

    /// The first value of a field.
    package subscript(name: String) -> String? {
        fields.first { $0.name == name }?.value
    }

    /// The body as text.
    package var text: String { String(decoding: body, as: UTF8.self) }
}
