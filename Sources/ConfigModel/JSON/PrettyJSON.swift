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
        for (index, byte) in json.enumerated() {
            if isInString {
                output.append(byte)
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                output.append(byte)
                depth += 1
                // An empty object or array stays on its line.
                let isEmpty = index + 1 < json.count && json[index + 1] == byte + 2
                if !isEmpty { output += lineBreak(depth) }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if json[index - 1] != byte - 2 { output += lineBreak(depth) }
                output.append(byte)
            case UInt8(ascii: ","):
                output.append(byte)
                output += lineBreak(depth)
            case UInt8(ascii: ":"):
                output += ": ".utf8
            default:
                isInString = byte == UInt8(ascii: "\"")
                output.append(byte)
            }
        }
        return output + "\n".utf8
    }

    private static func lineBreak(_ depth: Int) -> [UInt8] {
        [UInt8(ascii: "\n")] + [UInt8](repeating: UInt8(ascii: " "), count: depth * 2)
    }
}
