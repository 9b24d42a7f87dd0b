internal import NIOCore

/// Stands before the HTTP decoder and tells the connection that bytes have come, also those that make no request yet.
final class ByteTap: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let connection: ConnectionHandler

    init(connection: ConnectionHandler) {
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // The decoder would keep them without making anything of them.
        if connection.isDeaf { return }
        connection.bytesArrived(unwrapInboundIn(data))
        context.fireChannelRead(data)
        connection.bytesDecoded()
    }
}
