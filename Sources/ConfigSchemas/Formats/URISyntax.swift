// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// The grammar of URIs in RFC 3986, appendix A.
enum URISyntax {
    /// `URI`: a scheme and its part.
    static func isURI(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), isScheme(bytes[..<colon]) else { return false }
        return isRelative(bytes[(colon + 1)...])
    }

    /// `URI-reference`: a URI, or a relative reference.
    static func isReference(_ bytes: ArraySlice<UInt8>) -> Bool {
        if isURI(bytes) { return true }
        // A first segment with a colon would be a scheme.
        let isFirst = { (byte: UInt8) in !byte.isOne(of: "/?#") }
        return !bytes.prefix(while: isFirst).contains(UInt8(ascii: ":")) && isRelative(bytes)
    }

    /// Everything but the scheme.
    private static func isRelative(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        let (fragment, query) = (cut(&rest, at: "#") ?? [], cut(&rest, at: "?") ?? [])
        guard hasOnly("/?:@", fragment), hasOnly("/?:@", query) else { return false }
        guard rest.starts(with: Array("//".utf8)) else { return hasOnly("/:@", rest) }
        let hierarchy = rest.dropFirst(2)
        let path = hierarchy.firstIndex(of: UInt8(ascii: "/")) ?? hierarchy.endIndex
        return isAuthority(hierarchy[..<path]) && hasOnly("/:@", hierarchy[path...])
    }

    /// The bytes of an IRI with `!`, which is valid everywhere but in a scheme, in place of each character that is valid in
    /// IRIs but not in URIs (`ucschar` of RFC 3987).
    ///
    /// - Parameter others: what takes the place of the characters for private use (`iprivate`), which may be in fewer places.
    static func mappedToASCII(_ text: String, as mark: UInt8 = UInt8(ascii: "!"), private others: UInt8 = 0)
        -> ArraySlice<UInt8>
    {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0..<0x80: bytes.append(UInt8(scalar.value))
            case 0xA0...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFEF: bytes.append(mark)
            case 0x10000...0xEFFFD where scalar.value & 0xFFFF < 0xFFFE && !(0xE0000..<0xE1000).contains(scalar.value):
                bytes.append(mark)
            case 0xE000...0xF8FF, 0xF0000...0xFFFFD, 0x100000...0x10FFFD: bytes.append(others)
            default: bytes.append(0)
            }
        }
        return bytes[...]
    }

    /// `URI-Template` of RFC 6570: literals, in which there may be characters beyond ASCII, and expressions of ASCII such as
    /// `{+path,id:3}`.
    static func isTemplate(_ text: String) -> Bool {
        let beyondASCII: UInt8 = 0x80
        var rest = mappedToASCII(text, as: beyondASCII, private: beyondASCII)
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "{"):
                guard let end = rest.firstIndex(of: UInt8(ascii: "}")), isExpression(rest[..<end]) else { return false }
                rest = rest[(end + 1)...]
            case UInt8(ascii: "%"):
                guard skipEscape(&rest) else { return false }
            default:
                let isLiteral = (0x21..<0x7F).contains(byte) && !byte.isOne(of: "\"'<>\\^`|}")
                guard isLiteral || byte == beyondASCII else { return false }
            }
        }
        return true
    }

    private static func isExpression(_ bytes: ArraySlice<UInt8>) -> Bool {
        let variables = bytes.first.map { $0.isOne(of: "+#./;?&=,!@|") } == true ? bytes.dropFirst() : bytes
        return variables.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).allSatisfy { variable in
            var name = variable
            if name.last == UInt8(ascii: "*") {
                name.removeLast()
            } else if let colon = name.firstIndex(of: UInt8(ascii: ":")) {
                let length = name[(colon + 1)...]
                guard (1...4).contains(length.count), length.allSatisfy(\.isDigit), length.first != UInt8(ascii: "0")
                else { return false }
                name = name[..<colon]
            }
            return name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy(isName)
        }
    }

    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty && hasOnlyEscapes(bytes) { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
    }

    /// Removes a delimiter and the part after it; `nil` without one.
    static func cut(_ rest: inout ArraySlice<UInt8>, at mark: Unicode.Scalar) -> ArraySlice<UInt8>? {
        guard let place = rest.firstIndex(of: UInt8(ascii: mark)) else { return nil }
        defer { rest = rest[..<place] }
        return rest[(place + 1)...]
    }

    /// Removes the two digits after a `%`.
    private static func skipEscape(_ rest: inout ArraySlice<UInt8>) -> Bool {
        let digits = rest.prefix(2)
        rest = rest.dropFirst(2)
        return digits.count == 2 && digits.allSatisfy(\.isHexDigit)
    }

    static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, first.isLetter else { return false }
        return bytes.allSatisfy { $0.isLetter || $0.isDigit || $0.isOne(of: "+-.") }
    }

    /// `[ userinfo "@" ] host [ ":" port ]`
    private static func isAuthority(_ bytes: ArraySlice<UInt8>) -> Bool {
        var host = bytes
        if let at = host.firstIndex(of: UInt8(ascii: "@")) {
            guard hasOnly(":", host[..<at]) else { return false }
            host = host[(at + 1)...]
        }
        guard host.first == UInt8(ascii: "[") else {
            let port = cut(&host, at: ":") ?? []
            return port.allSatisfy(\.isDigit) && hasOnly("", host)
        }
        guard let end = host.firstIndex(of: UInt8(ascii: "]")) else { return false }
        let port = host[(end + 1)...]
        guard port.isEmpty || port.first == UInt8(ascii: ":") && port.dropFirst().allSatisfy(\.isDigit) else {
            return false
        }
        let address = host[(host.startIndex + 1)..<end]
        return HostSyntax.isIPv6(address) || isAddressOfLaterVersion(address)
    }

    /// `IPvFuture`, such as `v7.a:b`.
    private static func isAddressOfLaterVersion(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let dot = bytes.firstIndex(of: UInt8(ascii: ".")), bytes.first.map({ $0.isOne(of: "vV") }) == true
        else { return false }
        let (version, address) = (bytes[..<dot].dropFirst(), bytes[(dot + 1)...])
        return !version.isEmpty && version.allSatisfy(\.isHexDigit)
            && !address.isEmpty && !address.contains(UInt8(ascii: "%")) && hasOnly(":", address)
    }

    /// Whether there are only unreserved characters, escapes such as `%20`, the characters `!$&'()*+,;=`, and others.
    private static func hasOnly(_ others: StaticString, _ bytes: ArraySlice<UInt8>) -> Bool {
        hasOnlyEscapes(bytes) { byte in
            byte.isLetter || byte.isDigit || byte.isOne(of: "-._~!$&'()*+,;=") || byte.isOne(of: others)
        }
    }

    /// Whether there are only escapes such as `%20` and characters that are allowed.
    private static func hasOnlyEscapes(_ bytes: ArraySlice<UInt8>, or isAllowed: (UInt8) -> Bool) -> Bool {
        var rest = bytes
        while let byte = rest.popFirst() {
            let isValid = byte == UInt8(ascii: "%") ? skipEscape(&rest) : isAllowed(byte)
            if !isValid { return false }
        }
        return true
    }
}
