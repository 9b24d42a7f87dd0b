internal import ConfigModel
internal import ConfigStore
package import Logging
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle

/// Tells other servers on the same store where it is, whenever that changes, and hears it from them: a datagram each, by UDP.
///
/// A hint is no news. Whoever gets one asks the store, which it does anyway every so often, so a hint that is lost costs
/// little, and one that is forged costs one question, of which there is never more than one at a time.
package struct ReplicaHints: Service {
    /// Whom to tell, and where to be told.
    package struct Settings: Hashable, Sendable {
        /// Where to be told.
        package var address: ListenAddress
        /// Where the others are told.
        package var peers: [ListenAddress]

        package init(address: ListenAddress, peers: [ListenAddress]) {
            self.address = address
            self.peers = peers
        }
    }

    private typealias Datagram = AddressedEnvelope<ByteBuffer>

    private let hub: ConfigHub
    private let settings: Settings
    private let logger: Logger
    private let onListening: @Sendable (ListenAddress) async -> Void

    /// Creates the service, which does nothing until it is run.
    ///
    /// - Parameters:
    ///   - hub: what knows the store.
    ///   - onListening: is called once hints are heard, with the address that the system has given.
    package init(
        hub: ConfigHub,
        settings: Settings,
        logger: Logger,
        onListening: @escaping @Sendable (ListenAddress) async -> Void = { _ in }
    ) {
        self.hub = hub
        self.settings = settings
        self.logger = logger
        self.onListening = onListening
    }

    /// Tells and hears until a graceful shutdown.
    ///
    /// - Throws: what keeps it from listening.
    package func run() async throws {
        let channel = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: settings.address.host, port: settings.address.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<Datagram, Datagram>(wrappingChannelSynchronously: channel)
                }
            }
        var address = settings.address
        address.port = channel.channel.localAddress?.port ?? address.port
        await onListening(address)
        do {
            try await cancelWhenGracefulShutdown {
                try await channel.executeThenClose { inbound, outbound in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask { try await hear(inbound) }
                        group.addTask { try await tell(outbound) }
                        try await group.next()
                        group.cancelAll()
                    }
                }
            }
        } catch is CancellationError {
            return
        } catch {
            logger.warning("hints have ended, commits of others come a little later: \(error)")
            try? await gracefulShutdown()
        }
    }

    private func hear(_ datagrams: NIOAsyncChannelInboundStream<Datagram>) async throws {
        for try await datagram in datagrams {
            if let cursor = Hint.cursor(in: Array(datagram.data.readableBytesView)) { hub.look(for: cursor) }
        }
    }

    private func tell(_ datagrams: NIOAsyncChannelOutboundWriter<Datagram>) async throws {
        let (cursors, changes) = AsyncStream.makeStream(of: Cursor.self, bufferingPolicy: .bufferingNewest(1))
        let observation = hub.observe { changes.yield($0.cursor) }
        defer { observation.cancel() }
        var peers = settings.peers.map { Peer(place: $0) }
        for await cursor in cursors {
            let bytes = ByteBuffer(bytes: Hint.bytes(cursor))
            for index in peers.indices {
                guard let address = await peers[index].address() else { continue }
                try await datagrams.write(Datagram(remoteAddress: address, data: bytes))
            }
        }
    }
}

/// What a datagram says: `livery EPOCH:REVISION`.
enum Hint {
    private static let mark = Array("livery ".utf8)

    static func bytes(_ cursor: Cursor) -> [UInt8] { mark + Array(cursor.description.utf8) }

    /// What has come; `nil` if it is something else.
    static func cursor(in bytes: [UInt8]) -> Cursor? {
        guard bytes.starts(with: mark), bytes.count < 64 else { return nil }
        return Cursor(String(decoding: bytes.dropFirst(mark.count), as: UTF8.self))
    }
}

/// Another server, whose name may come to mean another address.
private struct Peer {
    let place: ListenAddress
    private var found: (address: SocketAddress?, at: ContinuousClock.Instant)?

    init(place: ListenAddress) { self.place = place }

    /// The address, asked for anew every half a minute; `nil` while the name is not known.
    mutating func address() async -> SocketAddress? {
        if let found, .now - found.at < .seconds(30) { return found.address }
        let place = place
        // Asking for a name blocks.
        let address = try? await NIOThreadPool.singleton.runIfActive {
            try SocketAddress.makeAddressResolvingHost(place.host, port: place.port)
        }
        found = (address, .now)
        return address
    }
}
