internal import NIOCore
internal import Synchronization

/// The address of a request's sender, for the audit log and for counting failures.
package struct ClientAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address; `nil` for a socket without an Internet address.
    let address: IPAddress?

    init(_ address: IPAddress?) {
        self.address = address
    }

    /// What counts as one client: an IPv4 address, or the /64 of an IPv6 address, which one customer has.
    var network: IPAddress? {
        guard let address else { return nil }
        return address.isIPv4 ? address : address.prefix(64)
    }

    /// The address for the log.
    package var description: String { address?.description ?? "local" }
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
