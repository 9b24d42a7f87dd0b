// SPDX-License-Identifier: Apache-2.0

extension JSONScanner {
    mutating func string() throws(ConfigError) -> String {
        // No text is longer.
        try string(atMost: .max) ?? ""
    }

    /// - Returns: `nil` if the text has more bytes; the place is then somewhere in it.
    mutating func string(atMost limit: Int) throws(ConfigError) -> String? {
        try expect("\"", "")
        let start = offset
        offset = endOfPlainText
        guard offset - start <= limit else { return nil }
        // Valid from the start: the scanner has validated the bytes, and escapes append whole scalars.
        if current == UInt8(ascii: "\"") {
            offset += 1
            return String(decoding: bytes[start..<offset - 1], as: UTF8.self)
        }
        var text = Array(bytes[start..<offset])
        return try readRest(into: &text, atMost: limit) ? String(decoding: text, as: UTF8.self) : nil
    }

    /// Appends the bytes of a string to a text.
    mutating func string(appendingTo text: inout [UInt8]) throws(ConfigError) {
        try expect("\"", "")
        let start = offset
        offset = endOfPlainText
        text.append(contentsOf: bytes[start..<offset])
        if current == UInt8(ascii: "\"") { return offset += 1 }
        _ = try readRest(into: &text, atMost: .max)
    }

    /// Reads what follows the first plain characters of a string.
    ///
    /// - Returns: whether the text has no more bytes than the limit.
    private mutating func readRest(into text: inout [UInt8], atMost limit: Int) throws(ConfigError) -> Bool {
        while text.count <= limit {
            switch current {
            case UInt8(ascii: "\""):
                offset += 1
                return true
            case UInt8(ascii: "\\"):
                text += String(try escape()).utf8
            case nil:
                throw error(.syntax, "unterminated string; add the closing '\"'")
            default:
                throw error(
                    .syntax,
                    "unescaped line break or control character in a string; escape it, e.g. \\n"
                )
            }
            let start = offset
            offset = endOfPlainText
            text += bytes[start..<offset]
        }
        return false
    }

    private mutating func escape() throws(ConfigError) -> Unicode.Scalar {
        advance()
        guard let letter = current else { throw error(.syntax, "incomplete escape sequence") }
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return simple(Unicode.Scalar(letter))
        case UInt8(ascii: "b"): return simple("\u{8}")
        case UInt8(ascii: "f"): return simple("\u{C}")
        case UInt8(ascii: "n"): return simple("\n")
        case UInt8(ascii: "r"): return simple("\r")
        case UInt8(ascii: "t"): return simple("\t")
        case UInt8(ascii: "u"): return try unicodeEscape()
        default: throw unexpected("one of \" \\ / b f n r t u after the backslash")
        }
    }

    private mutating func simple(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        advance()
        return scalar
    }

    /// Reads `uXXXX`, and the `\uXXXX` that must follow a high surrogate.
    private mutating func unicodeEscape() throws(ConfigError) -> Unicode.Scalar {
        let first = try fourHexDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, current == UInt8(ascii: "\\") else { throw loneSurrogate() }
        advance()
        guard current == UInt8(ascii: "u") else { throw loneSurrogate() }
        let second = try fourHexDigits()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw loneSurrogate() }
        return scalar
    }

    private mutating func fourHexDigits() throws(ConfigError) -> UInt32 {
        advance()
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = hexDigitValue(byte) else {
                throw unexpected("four hexadecimal digits after \\u")
            }
            value = value << 4 | digit
            advance()
        }
        return value
    }
}
