// SPDX-License-Identifier: Apache-2.0

/// A request as it came.
package struct ScriptedRequest: Sendable {
    /// The method, such as `GET`.
    package let method: String
    /// The requested target, in the client's notation.
    package let target: String
    /// The header fields in their order; the names are in lower case.
    package let fields: [(name: String, value: String)]
    /// The content.
    package let body: [UInt8]

    /// The value of the first field of a name.
    package subscript(name: String) -> String? {
        fields.first { $0.name == name.lowercased() }?.value
    }

    /// Reads a head without its last, empty line.
    init?(head: String, body: [UInt8]) {
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
        let first = lines.popFirst()?.split(separator: " ") ?? []
        guard first.count == 3 else { return nil }
        method = String(first[0])
        target = String(first[1])
        fields = lines.compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return (line[..<colon].lowercased(), String(value))
        }
        self.body = body
    }
}
