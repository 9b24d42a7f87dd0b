// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
package import ConfigStore
package import Logging
internal import NIOCore
internal import NIOPosix
internal import Observing
internal import ServiceLifecycle

/// Exchanges hints with other servers on the same store: a UDP datagram with the store's head, whenever it changes.
///
/// A hint only makes its receiver ask the store, which it does regularly anyway. A lost hint costs little, and a forged one
/// costs a question, of which there is never more than one at a time.
package struct ReplicaHints: Service {
    /// Where hints come in, and where they go.
    package struct Settings: Hashable, Sendable {
        /// Where to listen for hints.
        package var address: HostAndPort
        /// Where the other servers listen.
        package var peers: [HostAndPort]

        package init(address: HostAndPort, peers: [HostAndPort]) {
            (self.address, self.peers) = (address, peers)
        }
    }

    private typealias Datagram = AddressedEnvelope<ByteBuffer>

    private let hub: ConfigHub
    private let settings: Settings
    private let logger: Logger
    private let onListening: @Sendable (HostAndPort) async -> Void

    /// - Parameter onListening: called once hints are received, with the address that was bound.
    package init(
        hub: ConfigHub,
        settings: Settings,
        logger: Logger,
        onListening: @escaping @Sendable (HostAndPort) async -> Void = { _ in }
    ) {
        (self.hub, self.settings, self.logger, self.onListening) = (hub, settings, logger, onListening)
    }

    /// Sends and receives hints until a graceful shutdown.
    ///
    /// - Throws: an error if it cannot listen.
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
                        group.addTask { try await receive(inbound) }
                        group.addTask { try await send(outbound) }
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

    private func receive(_ datagrams: NIOAsyncChannelInboundStream<Datagram>) async throws {
        for try await datagram in datagrams {
            if let cursor = Hint.cursor(in: Array(datagram.data.readableBytesView)) { hub.check(hint: cursor) }
        }
    }

    private func send(_ datagrams: NIOAsyncChannelOutboundWriter<Datagram>) async throws {
        let (cursors, changes) = AsyncStream.makeStream(of: Cursor.self, bufferingPolicy: .bufferingNewest(1))
        let subscription = hub.observe { changes.yield($0.cursor) }
        defer { subscription.end() }
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

/// The text of a datagram: `livery EPOCH:REVISION`.
enum Hint {
    private static let mark = Array("livery ".utf8)

    static func bytes(_ cursor: Cursor) -> [UInt8] { mark + Array(cursor.description.utf8) }

    /// The cursor in a datagram; `nil` if it is no hint.
    static func cursor(in bytes: [UInt8]) -> Cursor? {
        guard bytes.starts(with: mark), bytes.count < 64 else { return nil }
        return Cursor(String(decoding: bytes.dropFirst(mark.count), as: UTF8.self))
    }
}

/// Another server, whose name may be resolved to another address later.
private struct Peer {
    let place: HostAndPort
    private var found: (address: SocketAddress?, at: ContinuousClock.Instant)?

    init(place: HostAndPort) { self.place = place }

    /// The address, resolved again every 30 s; `nil` while the name cannot be resolved.
    mutating func address() async -> SocketAddress? {
        if let found, .now - found.at < .seconds(30) { return found.address }
        let place = place
        // The resolver blocks.
        let address = try? await NIOThreadPool.singleton.runIfActive {
            try SocketAddress.makeAddressResolvingHost(place.host, port: place.port)
        }
        found = (address, .now)
        return address
    }
}
