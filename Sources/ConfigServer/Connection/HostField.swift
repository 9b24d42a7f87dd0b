/// The value of a `Host` field: `uri-host [ ":" port ]` by RFC 9110, 7.2.
struct HostField: Equatable {
    /// A name, an IPv4 address, or an IPv6 address in brackets, as it was sent. Empty where the client has no host.
    let host: Substring
    /// The port; `nil` if there is none.
    let port: UInt16?

    /// - Returns: `nil` if the value breaks the grammar.
    init?(_ text: String) {
        var rest = text[...]
        if rest.first == "[" {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            host = rest[...end]
            guard host.utf8.count > 3, host.utf8.dropFirst().dropLast().allSatisfy(Self.mayStandInBrackets) else {
                return nil
            }
            rest = rest[rest.index(after: end)...]
        } else {
            host = rest.prefix { $0 != ":" }
            guard Self.isName(host.utf8) else { return nil }
            rest = rest[host.endIndex...]
        }
        guard !rest.isEmpty else {
            port = nil
            return
        }
        let digits = rest.dropFirst()
        guard rest.first == ":", digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        port = UInt16(digits)
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
        // Zones are not for the wire (RFC 6874), so there is no percent sign.
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
