// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// The grammar of URIs in RFC 3986, appendix A.
enum URISyntax {
    /// `URI`: a scheme, and what it says by itself.
    static func isURI(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), isScheme(bytes[..<colon]) else { return false }
        var rest = bytes[(colon + 1)...]
        let (fragment, query) = (cut(&rest, at: "#"), cut(&rest, at: "?"))
        guard hasOnly("/?:@", fragment), hasOnly("/?:@", query) else { return false }
        guard rest.starts(with: Array("//".utf8)) else { return hasOnly("/:@", rest) }
        let hierarchy = rest.dropFirst(2)
        let path = hierarchy.firstIndex(of: UInt8(ascii: "/")) ?? hierarchy.endIndex
        return isAuthority(hierarchy[..<path]) && hasOnly("/:@", hierarchy[path...])
    }

    /// Takes off what follows the first of a character.
    private static func cut(_ rest: inout ArraySlice<UInt8>, at mark: Unicode.Scalar) -> ArraySlice<UInt8> {
        guard let place = rest.firstIndex(of: UInt8(ascii: mark)) else { return [] }
        defer { rest = rest[..<place] }
        return rest[(place + 1)...]
    }

    private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
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
            let port = cut(&host, at: ":")
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
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard rest.prefix(2).count == 2, rest.prefix(2).allSatisfy(\.isHexDigit) else { return false }
                rest = rest.dropFirst(2)
            } else if !(byte.isLetter || byte.isDigit || byte.isOne(of: "-._~!$&'()*+,;=") || byte.isOne(of: others)) {
                return false
            }
        }
        return true
    }
}
