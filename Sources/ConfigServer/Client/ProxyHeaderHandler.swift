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
    private var hasPassed = false

    init(peer: ConnectionPeer) {
        self.peer = peer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isDone { return pass(unwrapInboundIn(data), context) }
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
        guard bytes.readableBytes > 0 else { return }
        hasPassed = true
        context.fireChannelRead(wrapInboundOut(bytes))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Those behind have not heard of the header, so that nobody else asks for more.
        if hasPassed { context.fireChannelReadComplete() } else { context.read() }
    }
}
