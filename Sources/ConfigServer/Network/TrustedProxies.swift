// SPDX-License-Identifier: Apache-2.0

internal import NIOHTTP1
internal import Synchronization

/// The proxies whose statements about the client's address are believed.
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
        // A proxy that writes only one of the fields passes on the other as the client made it up.
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

// The fields contain addresses in order; `nil` is a hidden or malformed one.
extension TrustedProxies {
    /// Parses `X-Forwarded-For: 203.0.113.7, 10.0.0.1`.
    private static func forwardedFor(_ fields: [String]) -> [IPAddress?] {
        fields.flatMap { split($0, at: ",") }.map(address)
    }

    /// Parses `Forwarded: for=203.0.113.7;proto=https, for="[2001:db8::1]:4711"` (RFC 7239, section 4).
    private static func forwarded(_ fields: [String]) -> [IPAddress?] {
        fields.flatMap { split($0, at: ",") }.map { element in
            let values = split(element, at: ";").compactMap { pair -> String? in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, parts[0].trimmed.lowercased() == "for" else { return nil }
                return unquoted(parts[1].trimmed)
            }
            return values.count == 1 ? address(values[0]) : nil
        }
    }

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

/// The peer of a connection: the client, or a proxy with a client behind it.
final class ConnectionPeer: Sendable {
    private struct Sender {
        var address: IPAddress?
        var client: IPAddress?
        var origin: String?
    }

    private let sender: Mutex<Sender>

    /// Whether the connection is one over TLS.
    let isEncrypted: Bool

    init(_ address: IPAddress?, isEncrypted: Bool = false) {
        sender = Mutex(Sender(address: address, client: address))
        self.isEncrypted = isEncrypted
    }

    /// The address; `nil` for a socket without an Internet address. A header of the PROXY protocol replaces the proxy's.
    var address: IPAddress? {
        get { sender.withLock { $0.address } }
        set { sender.withLock { $0 = Sender(address: newValue, client: newValue) } }
    }

    /// The sender of the present request, or of the last one.
    var client: ClientAddress { ClientAddress(sender.withLock { $0.client }) }

    /// The origin of the page that has sent the present request; `nil` where no origins are allowed.
    var origin: String? { sender.withLock { $0.origin } }

    /// A request begins; `nil` if nothing is known about its sender.
    func begin(_ head: HTTPRequestHead?, origin: String?, _ proxies: TrustedProxies) {
        sender.withLock { sender in
            sender.origin = origin
            sender.client = sender.address
            guard let headers = head?.headers, proxies.contains(sender.address) else { return }
            let (forwarded, forwardedFor) = (headers["forwarded"], headers["x-forwarded-for"])
            sender.client = proxies.client(behind: sender.address, forwarded: forwarded, forwardedFor: forwardedFor)
        }
    }
}
