internal import NIOCore
internal import Synchronization

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
