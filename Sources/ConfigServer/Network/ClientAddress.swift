internal import NIOCore
internal import Synchronization

/// Whoever asks, as far as the network tells: for the audit, for the log, and for counting failures.
package struct ClientAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address; `nil` if it is none of the Internet's.
    let address: IPAddress?

    init(_ address: IPAddress?) {
        self.address = address
    }

    /// What is counted as one: an IPv4 address, or the /64 of an IPv6 address, which is what one customer has.
    var network: IPAddress? {
        guard let address else { return nil }
        return address.isIPv4 ? address : address.prefix(64)
    }

    /// The address as it stands in the audit.
    package var description: String { address?.description ?? "local" }
}

/// The other end of a connection. Where a trusted proxy says by the PROXY protocol whose connection it passes on, it is
/// that one's address.
final class ConnectionPeer: Sendable {
    /// The one that the requests of this task come from.
    @TaskLocal static var current: ConnectionPeer?

    private let stored: Mutex<IPAddress?>

    init(_ address: IPAddress?) {
        stored = Mutex(address)
    }

    /// The address; `nil` if it is none of the Internet's.
    var address: IPAddress? { stored.withLock { $0 } }

    /// Takes what a proxy has said in the place of the proxy's own address.
    func replace(with address: IPAddress) {
        stored.withLock { $0 = address }
    }
}
