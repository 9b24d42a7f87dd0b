// SPDX-License-Identifier: Apache-2.0

extension EntryValue {
    /// The value as canonical JSON (RFC 8785): equal values have equal text.
    ///
    /// ```swift
    /// EntryValue.double(1e21).canonicalJSON  // "1e+21"
    /// (["b": 1.0, "a": ["\n"]] as EntryValue).canonicalJSON  // #"{"a":["\n"],"b":1}"#
    /// ```
    public var canonicalJSON: String { String(decoding: canonicalBytes, as: UTF8.self) }

    /// The bytes of ``canonicalJSON``.
    package var canonicalBytes: [UInt8] {
        var bytes: [UInt8] = []
        writeCanonicalJSON(to: &bytes)
        return bytes
    }

    /// Appends the bytes of ``canonicalJSON``.
    func writeCanonicalJSON(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .boolean(let flag): bytes += (flag ? "true" : "false").utf8
        case .integer(let number): bytes += String(number).utf8
        case .double(let number): bytes += Self.shortest(number).utf8
        case .string(let text): bytes.append(quoted: text)
        case .array(let elements):
            bytes.append(elements, in: ("[", "]")) { $1.writeCanonicalJSON(to: &$0) }
        case .object(let members):
            bytes.append(members, in: ("{", "}")) { bytes, member in
                bytes.append(quoted: member.key)
                bytes.append(UInt8(ascii: ":"))
                member.value.writeCanonicalJSON(to: &bytes)
            }
        }
    }

    /// The length of ``canonicalJSON`` in bytes, computed for most values without writing it.
    package var canonicalByteCount: Int {
        switch self {
        case .null: 4
        case .boolean(let flag): flag ? 4 : 5
        case .integer(let number): Self.digitCount(number)
        case .double(let number): Self.shortest(number).utf8.count
        case .string(let text): Self.quotedByteCount(text)
        case .array(let elements): elements.isEmpty ? 2 : elements.reduce(1) { $0 + $1.canonicalByteCount + 1 }
        case .object(let members):
            members.isEmpty
                ? 2 : members.reduce(1) { $0 + Self.quotedByteCount($1.key) + 1 + $1.value.canonicalByteCount + 1 }
        }
    }

    /// Whether the value has no more than ``maximumBytes`` as canonical JSON.
    package var isWithinMaximumBytes: Bool {
        // An escape has up to six bytes, and most texts are too short for that to matter.
        switch self {
        case .string(let text) where text.utf8.count < Self.maximumBytes / 6: true
        case .null, .boolean, .integer, .double: true
        case .string, .array, .object: canonicalByteCount <= Self.maximumBytes
        }
    }

    private static func digitCount(_ number: Int) -> Int {
        var (count, rest) = (number < 0 ? 2 : 1, number.magnitude)
        while rest >= 10 { (count, rest) = (count + 1, rest / 10) }
        return count
    }

    static func quotedByteCount(_ text: String) -> Int {
        text.utf8.reduce(2) { count, byte in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: count + 2
            case 0..<0x20: count + 6
            default: count + 1
            }
        }
    }

    /// The shortest decimal that reads back as the same double, laid out as ECMA-262 `Number::toString` does.
    static func shortest(_ number: Double) -> String {
        if number == 0 { return "0" }
        // Not a number of JSON: it is beyond all doubles, so that every reader rejects it.
        if !number.isFinite { return "1e999" }
        // Swift prints the same shortest digits; only the place of the point and the exponent differ.
        let decimal = DecimalDigits(of: number.magnitude.description)
        return (number < 0 ? "-" : "") + laidOut(decimal.digits, point: decimal.point)
    }

    private static func laidOut(_ digits: String, point: Int) -> String {
        switch point {
        case digits.count...21 where point >= digits.count:
            return digits + String(repeating: "0", count: point - digits.count)
        case 1...21:
            return digits.prefix(point) + "." + digits.dropFirst(point)
        case -5...0:
            return "0." + String(repeating: "0", count: -point) + digits
        default:
            let exponent = point - 1
            let tail = digits.dropFirst()
            return digits.prefix(1) + (tail.isEmpty ? "" : "." + tail) + "e" + (exponent < 0 ? "-" : "+")
                + String(exponent.magnitude)
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append<Item>(
        _ items: some Collection<Item>,
        in brackets: (Unicode.Scalar, Unicode.Scalar),
        _ write: (inout [UInt8], Item) -> Void
    ) {
        append(UInt8(ascii: brackets.0))
        var isFirst = true
        for item in items {
            if !isFirst { append(UInt8(ascii: ",")) }
            isFirst = false
            write(&self, item)
        }
        append(UInt8(ascii: brackets.1))
    }

    /// Appends a JSON string literal with the escapes of RFC 8785, section 3.2.2.2.
    mutating func append(quoted text: String) {
        append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            // Most texts need no escape.
            let isPlain = utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
            if isPlain { append(contentsOf: utf8) } else { for byte in utf8 { append(escaped: byte) } }
        }
        append(UInt8(ascii: "\""))
    }

    private mutating func append(escaped byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): self += [UInt8(ascii: "\\"), byte]
        case 0x08: self += "\\b".utf8
        case 0x09: self += "\\t".utf8
        case 0x0A: self += "\\n".utf8
        case 0x0C: self += "\\f".utf8
        case 0x0D: self += "\\r".utf8
        case 0..<0x20: self += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
        default: append(byte)
        }
    }
}

/// The digits that a number of JSON has without zeros at its ends, and where its point is: equal for equal numbers.
package struct DecimalDigits: Equatable {
    private let isNegative: Bool
    package let digits: String
    /// The number is 0.digits × 10^point; 0 for zero.
    package let point: Int

    /// The exponent, limited to a magnitude that no double reaches.
    private static func exponent(_ text: Substring) -> Int {
        let limit = 1 << 40
        return Int(text).map { min(max($0, -limit), limit) } ?? (text.hasPrefix("-") ? -limit : limit)
    }

    /// - Parameter number: a text by the grammar of JSON.
    package init(of number: String) {
        let parts = number.split { $0 == "e" || $0 == "E" }
        let mantissa = parts[0].drop { $0 == "-" }.split(separator: ".")
        let written = mantissa.joined()
        let significant = written.drop { $0 == "0" }
        digits = String(significant.reversed().drop { $0 == "0" }.reversed())
        isNegative = number.hasPrefix("-") && !digits.isEmpty
        let exponent = parts.count > 1 ? Self.exponent(parts[1]) : 0
        point = digits.isEmpty ? 0 : mantissa[0].count - (written.count - significant.count) + exponent
    }
}
