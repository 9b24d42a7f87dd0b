extension EntryValue {
    /// The value as canonical JSON by RFC 8785: one spelling for each value.
    ///
    /// ```swift
    /// EntryValue.double(1e21).canonicalJSON          // "1e+21"
    /// EntryValue.strings(["a", "\n"]).canonicalJSON  // #"["a","\n"]"#
    /// ```
    public var canonicalJSON: String {
        switch self {
        case .string(let text): Self.quoted(text)
        case .integer(let number): String(number)
        case .double(let number): Self.shortest(number)
        case .boolean(let flag): String(flag)
        case .strings(let elements): Self.bracketed(elements, Self.quoted)
        case .integers(let elements): Self.bracketed(elements) { String($0) }
        case .doubles(let elements): Self.bracketed(elements, Self.shortest)
        case .booleans(let elements): Self.bracketed(elements) { String($0) }
        }
    }

    /// How many bytes ``canonicalJSON`` has, for most values without writing it.
    package var canonicalByteCount: Int {
        switch self {
        case .string(let text): Self.quotedByteCount(text)
        case .integer(let number): Self.digitCount(number)
        case .double(let number): Self.shortest(number).utf8.count
        case .boolean(let flag): flag ? 4 : 5
        case .strings(let elements): Self.bracketedByteCount(elements, Self.quotedByteCount)
        case .integers(let elements): Self.bracketedByteCount(elements, Self.digitCount)
        case .doubles(let elements): Self.bracketedByteCount(elements) { Self.shortest($0).utf8.count }
        case .booleans(let elements): Self.bracketedByteCount(elements) { $0 ? 4 : 5 }
        }
    }

    private static func bracketedByteCount<Element>(_ elements: [Element], _ count: (Element) -> Int) -> Int {
        elements.isEmpty ? 2 : elements.reduce(1) { $0 + count($1) + 1 }
    }

    private static func digitCount(_ number: Int) -> Int {
        var (count, rest) = (number < 0 ? 2 : 1, number.magnitude)
        while rest >= 10 { (count, rest) = (count + 1, rest / 10) }
        return count
    }

    private static func quotedByteCount(_ text: String) -> Int {
        text.utf8.reduce(2) { count, byte in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: count + 2
            case 0..<0x20: count + 6
            default: count + 1
            }
        }
    }

    private static func bracketed<Element>(_ elements: [Element], _ spell: (Element) -> String) -> String {
        "[" + elements.map(spell).joined(separator: ",") + "]"
    }

    /// A JSON string literal with the escapes of RFC 8785, section 3.2.2.2.
    static func quoted(_ text: String) -> String {
        // Most texts need no escape.
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            return "\"" + text + "\""
        }
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\u{8}": literal += "\\b"
            case "\t": literal += "\\t"
            case "\n": literal += "\\n"
            case "\u{C}": literal += "\\f"
            case "\r": literal += "\\r"
            case "\0"..<" ": literal += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }

    /// The shortest decimal that reads back as the same double, laid out as ECMA-262 `Number::toString` does.
    static func shortest(_ number: Double) -> String {
        if number == 0 { return "0" }
        // Swift prints the same shortest digits; only the place of the point and the exponent differ.
        let parts = number.magnitude.description.split(separator: "e")
        let mantissa = parts[0].split(separator: ".")
        let fraction = mantissa.count > 1 && mantissa[1] != "0" ? mantissa[1] : ""
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0

        let written = mantissa[0] + fraction
        let digits = written.drop { $0 == "0" }
        // The value is 0.digits × 10^point.
        let point = mantissa[0].count + exponent - (written.count - digits.count)
        let significant = String(digits.reversed().drop { $0 == "0" }.reversed())
        return (number < 0 ? "-" : "") + laidOut(significant, point: point)
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
