internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1

/// How connections are set up: the decoder with its limits, ``ConnectionHandler``, and Hummingbird behind it.
struct HTTPConnection: ServerChildChannel, HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let services: ServerServices
    let responder: HTTPChannelHandler.Responder

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            guard let loop = services.connections(on: channel.eventLoop) else {
                throw ChannelError.inappropriateOperationForState
            }
            let pipeline = channel.pipeline.syncOperations
            Self.boundUnsent(channel)
            let connection = ConnectionHandler(loop: loop)
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
            return try NIOAsyncChannel(
                wrappingChannelSynchronously: channel,
                configuration: .init(isOutboundHalfClosureEnabled: true)
            )
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
        await handleHTTP(asyncChannel: value, logger: logger)
    }
}
