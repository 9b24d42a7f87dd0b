internal import HTTPTypes
internal import NIOHTTP1

/// The proxies that are believed when they say for whom they ask.
///
/// What they say is in `Forwarded` (RFC 7239), in `X-Forwarded-For`, or before the first request in a header of the PROXY
/// protocol. Each proxy adds the address that it was asked from at the end, so the last address that is no trusted proxy's
/// is the client's; what stands before it is the client's own claim.
package struct TrustedProxies: Hashable, Sendable {
    private let ranges: [AddressRange]

    /// - Parameter ranges: where the proxies are.
    package init(_ ranges: [AddressRange] = []) {
        self.ranges = ranges
    }

    /// Whether there are any.
    var areKnown: Bool { !ranges.isEmpty }

    /// Whether a proxy is at an address.
    func contains(_ address: IPAddress?) -> Bool {
        guard let address, !ranges.isEmpty else { return false }
        return ranges.contains { $0.contains(address) }
    }

    /// The address of whoever asks.
    ///
    /// - Parameters:
    ///   - peer: the other end of the connection.
    ///   - forwarded: the `Forwarded` fields, in order.
    ///   - forwardedFor: the `X-Forwarded-For` fields, in order.
    func client(behind peer: IPAddress?, forwarded: [String], forwardedFor: [String]) -> IPAddress? {
        guard let peer, contains(peer) else { return peer }
        let said = forwarded.isEmpty ? nil : last(of: ForwardedNodes.forwarded(forwarded), from: peer)
        let saidFor = forwardedFor.isEmpty ? nil : last(of: ForwardedNodes.forwardedFor(forwardedFor), from: peer)
        // A proxy that writes only one of the fields lets through the other as the client made it up.
        if let said, let saidFor, said != saidFor { return peer }
        return said ?? saidFor ?? peer
    }

    private func last(of nodes: [IPAddress?], from peer: IPAddress) -> IPAddress {
        var client = peer
        for node in nodes.reversed() {
            // Hidden or nonsense: the proxy that said so is the last that is known.
            guard let node else { return client }
            client = node
            if !contains(node) { return client }
        }
        return client
    }
}

extension TrustedProxies {
    /// Whoever sent a request that came over a connection.
    func client(of peer: ConnectionPeer, _ headers: HTTPHeaders) -> ClientAddress {
        let address = peer.address
        guard contains(address) else { return ClientAddress(address) }
        return ClientAddress(
            client(behind: address, forwarded: headers["forwarded"], forwardedFor: headers["x-forwarded-for"])
        )
    }

    /// Whoever sent a request that came over a connection.
    func client(of peer: ConnectionPeer, _ fields: HTTPFields) -> ClientAddress {
        let address = peer.address
        guard contains(address) else { return ClientAddress(address) }
        return ClientAddress(
            client(
                behind: address,
                forwarded: HTTPField.Name("forwarded").map { fields[values: $0] } ?? [],
                forwardedFor: HTTPField.Name("x-forwarded-for").map { fields[values: $0] } ?? []
            )
        )
    }
}

/// The addresses in the fields by which proxies say for whom they ask, in order; `nil` for one that is hidden or
/// malformed.
enum ForwardedNodes {
    /// Reads `X-Forwarded-For: 203.0.113.7, 10.0.0.1`.
    static func forwardedFor(_ fields: [String]) -> [IPAddress?] {
        fields.flatMap { split($0, at: ",") }.map(address)
    }

    /// Reads `Forwarded: for=203.0.113.7;proto=https, for="[2001:db8::1]:4711"` (RFC 7239, section 4).
    static func forwarded(_ fields: [String]) -> [IPAddress?] {
        fields.flatMap { split($0, at: ",") }.map { element in
            let values = split(element, at: ";").compactMap { pair -> String? in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, parts[0].trimmed.lowercased() == "for" else { return nil }
                return unquoted(parts[1].trimmed)
            }
            return values.count == 1 ? address(values[0]) : nil
        }
    }

    /// The parts between separators that stand outside of quotes.
    private static func split(_ text: String, at separator: Unicode.Scalar) -> [String] {
        var parts = [String.UnicodeScalarView()]
        var (isQuoted, isEscaped) = (false, false)
        for scalar in text.unicodeScalars {
            if scalar == separator, !isQuoted {
                parts.append(.init())
                continue
            }
            parts[parts.count - 1].append(scalar)
            if isEscaped {
                isEscaped = false
            } else if scalar == "\"" {
                isQuoted.toggle()
            } else if scalar == "\\", isQuoted {
                isEscaped = true
            }
        }
        return parts.map { String($0).trimmed }.filter { !$0.isEmpty }
    }

    private static func unquoted(_ text: String) -> String {
        guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        return String(text.dropFirst().dropLast()).replacing("\\", with: "")
    }

    /// Reads `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` and `[2001:db8::1]:80`.
    private static func address(_ node: String) -> IPAddress? {
        if node.hasPrefix("[") {
            let parts = node.dropFirst().split(separator: "]", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[1].isEmpty || parts[1].hasPrefix(":") else { return nil }
            return IPAddress(String(parts[0]))
        }
        if let address = IPAddress(node) { return address }
        let parts = node.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 ? IPAddress(String(parts[0])) : nil
    }
}
