// SPDX-License-Identifier: Apache-2.0

/// Indents JSON for people: two spaces per level, one member or element per line.
package enum PrettyJSON {
    /// - Parameter json: valid JSON without white space between its tokens, as ``JSONWriter`` writes it.
    /// - Returns: the same JSON with a line break at its end.
    package static func laidOut(_ json: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(json.count * 2)
        var depth = 0
        var isInString = false
        var isEscaped = false
        // The byte before this one outside of texts, or the quotation mark that opened one.
        var last: UInt8?
        for byte in json {
            if isInString {
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else {
                let isFirst = last == UInt8(ascii: "{") || last == UInt8(ascii: "[")
                let isEnd = byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
                if isFirst { depth += 1 }
                if isEnd { depth -= 1 }
                // An empty object or array stays on its line.
                if isFirst != isEnd || last == UInt8(ascii: ",") { output += lineBreak(depth) }
                isInString = byte == UInt8(ascii: "\"")
                last = byte
            }
            output.append(byte)
            if last == UInt8(ascii: ":"), !isInString { output.append(UInt8(ascii: " ")) }
        }
        return output + "\n".utf8
    }

    private static func lineBreak(_ depth: Int) -> [UInt8] {
        [UInt8(ascii: "\n")] + [UInt8](repeating: UInt8(ascii: " "), count: depth * 2)
    }
}

extension EntryValue {
    /// The value as JSON with a line for each part, and a line break at its end.
    package var prettyJSON: String { String(decoding: PrettyJSON.laidOut(canonicalBytes), as: UTF8.self) }
}
