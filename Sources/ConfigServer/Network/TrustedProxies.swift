// SPDX-License-Identifier: Apache-2.0

internal import Basics
internal import NIOHTTP1

/// The proxies whose reports of the client's address are trusted.
///
/// The address is in `Forwarded` (RFC 7239), `X-Forwarded-For`, or a header of the PROXY protocol before the first request.
/// Each proxy appends the address of its peer, so the client has the last address that is not a trusted proxy's; those before
/// it are unverified.
public struct TrustedProxies: Hashable, Sendable {
    private let ranges: [AddressRange]

    /// Creates a list of the proxies by their addresses; none by default.
    public init(_ ranges: [AddressRange] = []) {
        self.ranges = ranges
    }

    var areKnown: Bool { !ranges.isEmpty }

    func contains(_ address: IPAddress?) -> Bool {
        guard let address else { return false }
        return ranges.contains { $0.contains(address) }
    }

    func client(behind peer: IPAddress?, forwarded: [String], forwardedFor: [String]) -> IPAddress? {
        guard let peer, contains(peer) else { return peer }
        let byForwarded = forwarded.isEmpty ? nil : last(of: Self.forwarded(forwarded), from: peer)
        let byForwardedFor = forwardedFor.isEmpty ? nil : last(of: Self.forwardedFor(forwardedFor), from: peer)
        // A proxy that writes only one of the fields passes on the other as the client sent it.
        if let byForwarded, let byForwardedFor, byForwarded != byForwardedFor { return peer }
        return byForwarded ?? byForwardedFor ?? peer
    }

    private func last(of nodes: [IPAddress?], from peer: IPAddress) -> IPAddress {
        var client = peer
        for node in nodes.reversed() {
            // Hidden or malformed: the proxy that wrote it is the last known address.
            guard let node else { return client }
            client = node
            if !contains(node) { return client }
        }
        return client
    }
}

// The fields contain addresses in order; `nil` is a hidden or malformed one. They are split by bytes: a character may join a
// comma that follows it.
extension TrustedProxies {
    /// Parses `X-Forwarded-For: 203.0.113.7, 10.0.0.1:80`, which has no quotes.
    private static func forwardedFor(_ fields: [String]) -> [IPAddress?] {
        let elements = fields.flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }
        return elements.map { Substring($0).trimmed }.filter { !$0.isEmpty }.map { element in
            let isBareIPv6 = !element.hasPrefix("[") && element.utf8.count { $0 == UInt8(ascii: ":") } > 1
            return isBareIPv6 ? ipv6(element[...]) : address(element, isPort: isNumber)
        }
    }

    /// Parses `Forwarded: for=203.0.113.7;proto=https, for="[2001:db8::1]:4711"` (RFC 7239, section 4).
    private static func forwarded(_ fields: [String]) -> [IPAddress?] {
        fields.flatMap { split($0, at: UInt8(ascii: ",")) }.map(\.trimmed).filter { !$0.isEmpty }.map { element in
            var values: [String: String] = [:]
            // Spaces after a semicolon are harmless.
            for pair in split(element, at: UInt8(ascii: ";")).map(\.trimmed) where !pair.isEmpty {
                guard let sign = pair.utf8.firstIndex(of: UInt8(ascii: "=")), isToken(pair[..<sign]),
                    let value = unquoted(pair[pair.utf8.index(after: sign)...]),
                    values.updateValue(value, forKey: pair[..<sign].lowercased()) == nil
                else { return nil }
            }
            // A port may be obfuscated (section 6.3).
            return values["for"].flatMap { node in
                address(node) { isNumber($0) || $0.hasPrefix("_") && $0.utf8.count > 1 && isToken($0) }
            }
        }
    }

    private static let quote = UInt8(ascii: "\""), backslash = UInt8(ascii: "\\")

    /// Splits a text outside quotes, which are matched from its end: a quote that a client leaves open hides nothing that a
    /// proxy has appended.
    private static func split(_ text: String, at separator: UInt8) -> [String] {
        let bytes = Array(text.utf8)
        var (parts, end, isQuoted) = ([ArraySlice<UInt8>](), bytes.count, false)
        for index in bytes.indices.reversed() {
            if bytes[index] == quote {
                // Within quotes, one after an odd number of backslashes is a part of the text.
                let escapes = bytes[..<index].reversed().prefix { $0 == backslash }.count
                if !isQuoted || escapes.isMultiple(of: 2) { isQuoted.toggle() }
            } else if bytes[index] == separator, !isQuoted {
                parts.append(bytes[(index + 1)..<end])
                end = index
            }
        }
        parts.append(bytes[..<end])
        return parts.reversed().map { String(decoding: $0, as: UTF8.self) }
    }

    private static func isToken(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(\.isOfFieldName)
    }

    /// The value of a token or of a quoted string; `nil` if it is neither.
    private static func unquoted(_ text: Substring) -> String? {
        if isToken(text) { return String(text) }
        let bytes = Array(text.utf8)
        guard bytes.count >= 2, bytes.first == quote, bytes.last == quote else { return nil }
        var (value, isEscaped) = ([UInt8](), false)
        for byte in bytes.dropFirst().dropLast() {
            if !isEscaped, byte == quote { return nil }
            isEscaped = !isEscaped && byte == backslash
            if !isEscaped { value.append(byte) }
        }
        return isEscaped ? nil : String(decoding: value, as: UTF8.self)
    }

    /// Parses `192.0.2.1`, `192.0.2.1:80`, `[2001:db8::1]` and `[2001:db8::1]:80`.
    private static func address(_ node: String, isPort: (Substring) -> Bool) -> IPAddress? {
        let isBracketed = node.hasPrefix("[")
        let parts = node.split(separator: isBracketed ? "]" : ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard isBracketed else {
            return parts.count == 1 || isPort(parts[1]) ? IPAddress(String(parts[0])) : nil
        }
        guard parts.count == 2, parts[1].isEmpty || parts[1].hasPrefix(":") && isPort(parts[1].dropFirst()) else {
            return nil
        }
        return ipv6(parts[0].dropFirst())
    }

    /// Parses an IPv6 address, which may have a zone (`fe80::1%eth0`), which has a meaning on the proxy alone.
    private static func ipv6(_ text: Substring) -> IPAddress? {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0].contains(":"), parts.count == 1 || isToken(parts[1]) else { return nil }
        return IPAddress(String(parts[0]))
    }

    private static func isNumber(_ text: Substring) -> Bool { text.utf8.allSatisfy(\.isDigit) && UInt16(text) != nil }
}

/// The peer of a connection: the client, or a proxy with a client behind it.
final class ConnectionPeer {
    /// The address; `nil` for a socket without an Internet address. A header of the PROXY protocol replaces the proxy's.
    var address: IPAddress? { didSet { client = ClientAddress(address) } }
    /// The sender of the present request, or of the last one.
    private(set) var client: ClientAddress
    /// The origin of the page that has sent the present request; `nil` where no origins are allowed.
    private(set) var origin: String?
    /// Whether the connection is one over TLS.
    let isEncrypted: Bool

    init(_ address: IPAddress?, isEncrypted: Bool = false) {
        (self.address, client, self.isEncrypted) = (address, ClientAddress(address), isEncrypted)
    }

    /// A request begins; `nil` if nothing is known about its sender.
    func begin(_ head: HTTPRequestHead?, origin: String?, _ proxies: TrustedProxies) {
        self.origin = origin
        client = ClientAddress(address)
        guard let headers = head?.headers, proxies.contains(address) else { return }
        let (forwarded, forwardedFor) = (headers["forwarded"], headers["x-forwarded-for"])
        client = ClientAddress(proxies.client(behind: address, forwarded: forwarded, forwardedFor: forwardedFor))
    }
}
