internal import NIOCore

/// Takes the header of the PROXY protocol off the beginning of a trusted proxy's connection, if there is one.
///
/// It stands before TLS, which the header is not part of.
final class ProxyHeaderHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let peer: ConnectionPeer
    private var waiting: ByteBuffer?
    private var isDone = false

    init(peer: ConnectionPeer) {
        self.peer = peer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isDone { return context.fireChannelRead(data) }
        var bytes = unwrapInboundIn(data)
        if var waiting {
            waiting.writeBuffer(&bytes)
            bytes = waiting
        }
        waiting = nil
        switch ProxyHeader(bytes.readableBytesView) {
        case .incomplete: waiting = bytes
        case .malformed: context.close(promise: nil)
        case .absent: pass(bytes, context)
        case .present(let count, let address):
            if let address { peer.replace(with: address) }
            bytes.moveReaderIndex(forwardBy: count)
            pass(bytes, context)
        }
    }

    private func pass(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        isDone = true
        if bytes.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(bytes)) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Without an answer to this nobody behind asks for more.
        if isDone { context.fireChannelReadComplete() } else { context.read() }
    }
}
