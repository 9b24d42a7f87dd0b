internal import HTTPTypes
internal import NIOHTTP1
internal import Synchronization

/// The proxies whose statements about the client's address are believed.
///
/// The statement is `Forwarded` (RFC 7239), `X-Forwarded-For`, or a header of the PROXY protocol before the first request.
/// Each proxy appends the address of its own peer, so the last address that is not a trusted proxy's is the client's;
/// those before it are the client's own claim.
package struct TrustedProxies: Hashable, Sendable {
    private let ranges: [AddressRange]

    package init(_ ranges: [AddressRange] = []) {
        self.ranges = ranges
    }

    /// Whether there are any.
    var areKnown: Bool { !ranges.isEmpty }

    func contains(_ address: IPAddress?) -> Bool {
        guard let address else { return false }
        return ranges.contains { $0.contains(address) }
    }

    /// The address of the client, from that of the other end of the connection and from the fields in their order.
    func client(behind peer: IPAddress?, forwarded: [String], forwardedFor: [String]) -> IPAddress? {
        guard let peer, contains(peer) else { return peer }
        let said = forwarded.isEmpty ? nil : last(of: ForwardedNodes.forwarded(forwarded), from: peer)
        let saidFor = forwardedFor.isEmpty ? nil : last(of: ForwardedNodes.forwardedFor(forwardedFor), from: peer)
        // A proxy that writes only one of the fields passes on the other as the client made it up.
        if let said, let saidFor, said != saidFor { return peer }
        return said ?? saidFor ?? peer
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

extension TrustedProxies {
    func client(of peer: ConnectionPeer, _ headers: HTTPHeaders) -> ClientAddress {
        client(of: peer) { headers[$0] }
    }

    func client(of peer: ConnectionPeer, _ fields: HTTPFields) -> ClientAddress {
        client(of: peer) { name in HTTPField.Name(name).map { fields[values: $0] } ?? [] }
    }

    private func client(of peer: ConnectionPeer, _ values: (String) -> [String]) -> ClientAddress {
        let address = peer.address
        guard contains(address) else { return ClientAddress(address) }
        return ClientAddress(
            client(behind: address, forwarded: values("forwarded"), forwardedFor: values("x-forwarded-for"))
        )
    }
}

/// The addresses in `Forwarded` and `X-Forwarded-For`, in order; `nil` for one that is hidden or malformed.
private enum ForwardedNodes {
    /// Parses `X-Forwarded-For: 203.0.113.7, 10.0.0.1`.
    static func forwardedFor(_ fields: [String]) -> [IPAddress?] {
        fields.flatMap { split($0, at: ",") }.map(address)
    }

    /// Parses `Forwarded: for=203.0.113.7;proto=https, for="[2001:db8::1]:4711"` (RFC 7239, section 4).
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

    /// The parts between separators outside of quotes.
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

    /// Parses `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` and `[2001:db8::1]:80`.
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

/// The other end of a connection; behind a trusted proxy that uses the PROXY protocol, the client's end.
final class ConnectionPeer: Sendable {
    /// The peer of the connection that this task serves.
    @TaskLocal static var current: ConnectionPeer?

    private let stored: Mutex<IPAddress?>

    init(_ address: IPAddress?) {
        stored = Mutex(address)
    }

    /// The address; `nil` for a socket without an Internet address.
    var address: IPAddress? { stored.withLock { $0 } }

    /// Replaces the proxy's address by the client's.
    func replace(with address: IPAddress) {
        stored.withLock { $0 = address }
    }
}
