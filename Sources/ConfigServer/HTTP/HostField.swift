/// The value of a `Host` field: `uri-host [ ":" port ]` by RFC 9110, 7.2.
struct HostField: Equatable {
    /// A name, an IPv4 address, or an IPv6 address in brackets, as it was sent; may be empty.
    let host: Substring
    /// The port; `nil` without one.
    let port: UInt16?

    /// - Returns: `nil` if the value breaks the grammar.
    init?(_ text: String) {
        // Byte by byte for speed: it is done for each request.
        let bytes = text.utf8
        let end: String.Index
        if bytes.first == UInt8(ascii: "[") {
            guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            end = bytes.index(after: bracket)
            let address = bytes[..<bracket].dropFirst()
            guard address.count > 1, address.allSatisfy(Self.mayStandInBrackets) else { return nil }
        } else {
            end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
            guard Self.isName(bytes[..<end]) else { return nil }
        }
        host = text[..<end]
        guard end < bytes.endIndex else {
            port = nil
            return
        }
        let digits = bytes[end...].dropFirst()
        guard bytes[end] == UInt8(ascii: ":"), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        port = UInt16(Substring(digits))
        if port == nil, !digits.isEmpty { return nil }
    }

    /// `reg-name` of RFC 3986: unreserved characters, sub-delims, and bytes in percent-encoding.
    private static func isName(_ bytes: Substring.UTF8View) -> Bool {
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let first = rest.popFirst(), let second = rest.popFirst(), isHex(first), isHex(second) else {
                    return false
                }
            } else if !isUnreserved(byte), !"!$&'()*+,;=".utf8.contains(byte) {
                return false
            }
        }
        return true
    }

    private static func mayStandInBrackets(_ byte: UInt8) -> Bool {
        // No percent sign: zones do not belong on the wire (RFC 6874).
        isUnreserved(byte) || byte == UInt8(ascii: ":")
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._~".utf8.contains(byte)
        }
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        Character(Unicode.Scalar(byte)).isHexDigit
    }
}
