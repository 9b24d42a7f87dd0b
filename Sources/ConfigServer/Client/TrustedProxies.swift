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
