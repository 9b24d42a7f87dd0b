internal import ConfigModel
internal import NIOCore
internal import NIOHTTP1

/// One connection: takes requests one at a time, answers those that memory can answer right here on the event loop, turns
/// into a stream, or hands the request on to the routes.
///
/// It stands between the HTTP decoder and Hummingbird, and guards both: limits, time-outs, malformed requests, the order
/// of pipelined answers, and the end of connections. What was accepted is answered, whatever comes behind it.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    enum Phase {
        /// Waits for a request.
        case idle
        /// Reads the rest of a request that is answered here.
        case answering(HTTPRequestHead, ImmediateTarget)
        /// Waits to hear of what the client has seen, to answer then.
        case waiting
        /// A route has the request.
        case forwarded(requestEnded: Bool, responseBegun: Bool)
        /// Sends events.
        case streaming(StreamGroup)
        /// Has said its last word, and reads on for a moment so that it is heard.
        case closing
    }

    /// What comes from the client, in order.
    enum Input {
        case part(HTTPServerRequestPart)
        /// What follows is no request.
        case failure(Problem)
        /// The client sends nothing more.
        case end
    }

    /// How much is handed to the channel at a time. It is more than the channel takes before it wants to be emptied.
    static let sliceBytes = 256 * 1024
    /// How long a connection is read after its last byte has been taken, so that no reset overtakes that.
    static let linger = TimeAmount.seconds(2)

    let loop: ConnectionLoop
    var phase = Phase.idle
    /// When the client is given up on, unless something happens.
    var deadline: NIODeadline
    /// Who has the stream.
    var streamHolder: Principal?
    /// Where the stream is.
    var streamPosition: UInt64 = 0
    var streamIndex = 0

    var context: ChannelHandlerContext?
    /// The context of the encoder: what is written there goes to the wire as it is.
    var wire: ChannelHandlerContext?
    var outbox = Outbox()
    var writes = WriteProgress()
    /// Whether bytes are being written: what the channel says meanwhile is seen afterwards.
    var isWriting = false
    var hasEndedOutput = false
    var isInputEnded = false
    var isCancelled = false

    var input: [Input] = []
    var isReadHeld = false
    /// Whether bytes have come that are no whole head yet.
    var hasBegunHead = false
    var body: BodyProgress
    var keepsAlive = true
    /// Whether the decoder reads nothing behind the request that is under way.
    var endsDecoding = false
    /// Whether the request is `HEAD`, whose answer has no body whoever makes it.
    var isHead = false
    /// Whether the body of a route's answer goes out as it is, since its length has been told.
    var hasLength = false
    var isDraining = false
    var isRefused = false
    var origin: String?
    let peer: ConnectionPeer
    /// Whoever sent the request that is under way, or the last one.
    var address: ClientAddress
    /// The last that was found to come from where it may, for most requests on a connection are alike.
    var vettedOrigin: RequestOrigin?
    /// The last `Host` that was found to be one.
    var vettedHost: String?

    var limits: ServerLimits { loop.services.limits }

    init(loop: ConnectionLoop, peer: ConnectionPeer) {
        self.loop = loop
        self.peer = peer
        address = ClientAddress(peer.address)
        body = BodyProgress(from: loop.now, loop.services.limits)
        deadline = .now() + .seconds(Int64(loop.services.limits.headSeconds))
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        wire = try? context.pipeline.syncOperations.context(handlerType: HTTPResponseEncoder.self)
        isRefused = !loop.add(self)
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        if isRefused { refuse() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        leave()
        self.context = nil
        wire = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    private func leave() {
        leaveStream()
        phase = .closing
        input = []
        outbox.removeAll()
        loop.remove(self)
    }

    func leaveStream() {
        if case .streaming(let group) = phase { loop.removeStream(self, from: group) }
    }

    private func refuse() {
        let detail = "the server has as many connections as it takes; try again in a moment"
        reject(Problem(.serviceUnavailable, "too-many-connections", detail, headers: ["retry-after": "5"]))
    }
}

// MARK: What the channel tells

extension ConnectionHandler {
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasBegunHead = false
        input.append(.part(unwrapInboundIn(data)))
        work()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if input.isEmpty { context.read() } else { isReadHeld = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable, !isWriting { writable() }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case HTTPParserError.invalidEOFState where isDraining: fail(.shuttingDown)
        case let error as HTTPParserError: fail(RequestCheck.problem(error))
        // What follows a request that is none: the decoder has failed before.
        case is ByteToMessageDecoderError: break
        default: context.close(promise: nil)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: drain()
        // The routes are not told: they have been given whole requests, and are to answer them.
        case ChannelEvent.inputClosed: inputEnded()
        case ChannelEvent.outputClosed: if isInputEnded { context.close(promise: nil) }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        switch (mode, phase) {
        // It is decided here when the last word has been said.
        case (.output, _): promise?.succeed()
        case (.input, .idle), (.input, .streaming), (.input, .closing):
            context.close(mode: .all, promise: promise)
        case (.input, _):
            isCancelled = true
            context.close(mode: .input, promise: promise)
        case (.all, _): context.close(mode: .all, promise: promise)
        }
    }
}
