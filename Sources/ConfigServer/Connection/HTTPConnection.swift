internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1
internal import NIOSSL

/// How connections are set up: the decoder with its limits, ``ConnectionHandler``, and Hummingbird behind it.
struct HTTPConnection: ServerChildChannel, HTTPChannelHandler {
    /// A connection that is set up.
    struct Value: ServerChildChannelValue {
        var parts: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
        var peer: ConnectionPeer

        var channel: any Channel { parts.channel }
    }

    let services: ServerServices
    let responder: HTTPChannelHandler.Responder

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            guard let loop = services.connections(on: channel.eventLoop) else {
                throw ChannelError.inappropriateOperationForState
            }
            let pipeline = channel.pipeline.syncOperations
            Self.boundUnsent(channel)
            let peer = ConnectionPeer(IPAddress(channel.remoteAddress))
            if services.proxies.contains(peer.address) { try pipeline.addHandler(ProxyHeaderHandler(peer: peer)) }
            if let certificate = services.certificate {
                try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context))
            }
            let connection = ConnectionHandler(loop: loop, peer: peer)
            try pipeline.addHandler(ByteTap(connection: connection))
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldSize = services.limits.headerBytes
            limits.maxHeaderListSize = services.limits.headerBytes
            limits.maxHeaderFieldCount = services.limits.headerFields
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false,
                withErrorHandling: false,
                withOutboundHeaderValidation: false,
                withEncoderConfiguration: .init(),
                withDecoderLimitConfiguration: limits
            )
            try pipeline.addHandler(connection)
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            let parts = try NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>(
                wrappingChannelSynchronously: channel,
                configuration: .init(isOutboundHalfClosureEnabled: true)
            )
            return Value(parts: parts, peer: peer)
        }
    }

    /// Has the kernel take no more than it can soon send: otherwise it keeps megabytes for each slow client.
    private static func boundUnsent(_ channel: any Channel) {
        #if canImport(Darwin)
            let option = NIOBSDSocket.Option(rawValue: 0x201)
        #else
            let option = NIOBSDSocket.Option(rawValue: 25)
        #endif
        // TCP_NOTSENT_LOWAT. Where there is none, the kernel's own bounds have to do.
        let bytes = ChannelOptions.Types.SocketOption.Value(ConnectionHandler.sliceBytes)
        try? channel.syncOptions?.setOption(ChannelOptions.tcpOption(option), value: bytes)
    }

    func handle(value: Value, logger: Logger) async {
        await ConnectionPeer.$current.withValue(value.peer) {
            await handleHTTP(asyncChannel: value.parts, logger: logger)
        }
    }
}
