// SPDX-License-Identifier: Apache-2.0

internal import Files
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL

/// Sets up connections: the decoder with its limits, and ``ConnectionHandler``.
struct HTTPConnection: ServerChildChannel {
    struct Value: ServerChildChannelValue {
        var channel: any Channel
        var requestsEnd: EventLoopFuture<Void>
    }

    let connections: Connections

    init(connections: Connections) {
        self.connections = connections
        // Types that the runtime must instantiate before the threads of the store request others: in Swift 6.3 a process may
        // crash if two threads make the first request at the same moment.
        _ = ByteToMessageHandler(HTTPRequestDecoder())
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            guard let loop = connections.on(channel.eventLoop) else {
                throw ChannelError.inappropriateOperationForState
            }
            let services = connections.services
            let pipeline = channel.pipeline.syncOperations
            Self.boundBuffers(of: channel)
            let peer = ConnectionPeer(IPAddress(channel.remoteAddress), isEncrypted: connections.certificate != nil)
            if services.proxies.contains(peer.address) { try pipeline.addHandler(ProxyHeaderHandler(peer: peer)) }
            if let certificate = connections.certificate {
                try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context))
            }
            let connection = ConnectionHandler(loop: loop, peer: peer)
            try pipeline.addHandler(ByteTap(connection: connection))
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldSize = services.limits.headerBytes
            limits.maxHeaderListSize = services.limits.headerBytes
            limits.maxHeaderFieldCount = services.limits.headerFields
            try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: limits)))
            try pipeline.addHandler(connection)
            return Value(channel: channel, requestsEnd: connection.whenRequestsEnd())
        }
    }

    /// Limits the memory of mostly idle connections, and the kernel's buffer to the output that it can send soon: otherwise it
    /// keeps megabytes for each slow client.
    private static func boundBuffers(of channel: any Channel) {
        // It grows while reads fill it.
        let reads = AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 512, maximum: BodySlices.bytes)
        // These fail only for a channel that is closed.
        try? channel.syncOptions?.setOption(.recvAllocator, value: reads)
        // Between two reads, the loop reads other connections.
        try? channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
        // Where the system has no such option, its own limits apply.
        let option = NIOBSDSocket.Option(rawValue: Sockets.unsentLimitOption)
        let bytes = ChannelOptions.Types.SocketOption.Value(ConnectionHandler.sliceBytes)
        try? channel.syncOptions?.setOption(ChannelOptions.tcpOption(option), value: bytes)
    }

    /// The server, and the hub with it, ends when all requests are answered.
    func handle(value: Value, logger: Logger) async {
        await withTaskCancellationHandler {
            // However the requests end, the connection does.
            try? await value.requestsEnd.get()
        } onCancel: {
            value.channel.close(mode: .input, promise: nil)
        }
    }
}

/// Precedes the HTTP decoder, so that a connection also sees incomplete requests, and repetitions of the last request's bytes.
final class ByteTap: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let connection: ConnectionHandler
    /// How the bytes since the last complete read were handled.
    private var outcome = Outcome.nothing

    private enum Outcome {
        case nothing
        /// They were the last request again, and answered here.
        case answered
        /// The handlers behind this one have some of them.
        case passed
    }

    init(connection: ConnectionHandler) {
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        connection.slices.received(bytes.readableBytes)
        // The decoder would only buffer them.
        if connection.machine.ignoresInput { return }
        while connection.answerAgain(&bytes) {}
        guard bytes.readableBytes > 0 else {
            if outcome == .nothing { outcome = .answered }
            return
        }
        outcome = .passed
        connection.machine.bytesArrived(bytes)
        connection.repeated.decodes(bytes)
        context.fireChannelRead(wrapInboundOut(bytes))
        connection.repeated.decoded(bytes)
        connection.machine.bytesDecoded(at: .now())
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        defer { outcome = .nothing }
        connection.hasReplied = false
        // The handlers behind received nothing, and no request in progress delays the next read.
        guard outcome == .answered, connection.machine.mayRepeat else { return context.fireChannelReadComplete() }
        context.flush()
        context.read()
    }
}
