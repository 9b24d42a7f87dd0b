internal import ConfigModel
internal import NIOHTTP1

/// The pairs of a query or a form, parsed by the WHATWG's URL standard for `application/x-www-form-urlencoded`: as bytes, of
/// which only `&`, `=`, `+` and `%` are special.
///
/// It differs in one point: invalid UTF-8 is reported, where the standard substitutes U+FFFD.
struct FormPairs {
    /// A name or a value; `nil` if it is not UTF-8.
    typealias Text = String?

    /// The pairs, decoded, in order.
    let pairs: [(name: Text, value: Text)]

    /// - Parameter most: the most pairs that are read; others are ignored.
    init(_ bytes: some Collection<UInt8>, atMost most: Int = .max) {
        // The last part is the whole rest, which is dropped.
        let parts = bytes.split(separator: UInt8(ascii: "&"), maxSplits: most).prefix(most)
        pairs = parts.map { pair in
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return (Self.decoded(pair), "") }
            return (Self.decoded(pair[..<equals]), Self.decoded(pair[equals...].dropFirst()))
        }
    }

    /// The value of a field; `nil` without it.
    ///
    /// - Throws: ``Problem`` if the field is there twice or is not UTF-8.
    func value(of name: String) throws(Problem) -> String? {
        var found: String?
        for pair in pairs where pair.name == name {
            if found != nil { throw Self.problem("the parameter is given twice; give it once", name) }
            guard let value = pair.value else { throw Self.problem("the parameter is not UTF-8", name) }
            found = value
        }
        return found
    }

    private static func problem(_ detail: String, _ name: String) -> Problem {
        Problem(.badRequest, "invalid-parameter", detail, field: name)
    }

    private static func decoded(_ bytes: some Collection<UInt8>) -> Text {
        guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return String(validating: bytes, as: UTF8.self)
        }
        var decoded: [UInt8] = []
        var rest = Array(bytes)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let escaped = PercentEncoding.byte(rest.prefix(2)) {
                decoded.append(escaped)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }
}

/// The `%` sequences of URLs.
enum PercentEncoding {
    /// The byte of two hexadecimal digits; `nil` for anything else.
    static func byte(_ digits: some Collection<UInt8>) -> UInt8? {
        guard digits.count == 2 else { return nil }
        var byte: UInt8 = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): byte = byte << 4 | (digit - 0x30)
            case UInt8(ascii: "a")...UInt8(ascii: "f"): byte = byte << 4 | (digit - 0x61 + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): byte = byte << 4 | (digit - 0x41 + 10)
            default: return nil
            }
        }
        return byte
    }
}
