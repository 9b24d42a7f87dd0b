internal import ConfigModel
internal import Logging
internal import NIOCore
internal import NIOHTTP1

/// One connection: between the HTTP decoder and Hummingbird, it answers what memory can answer right here on the event loop,
/// becomes a stream, or passes the request on to the routes.
///
/// ``ConnectionMachine`` decides; this makes the channel's events its input, and carries out its actions.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    let loop: ConnectionLoop
    var machine: ConnectionMachine
    /// The stream that this connection has become, and who has opened it.
    var stream: (group: StreamGroup, holder: Principal)?
    var streamIndex = 0
    let isEncrypted: Bool
    var exchange = RouteExchange()

    var context: ChannelHandlerContext?
    /// The context of the encoder: what is written there goes to the wire as it is.
    var wire: ChannelHandlerContext?
    var repeated = RepeatedRequest()
    var outbox = Outbox()
    /// Whether bytes are being written: changes of writability are seen afterwards.
    var isWriting = false
    /// Whether the body of a route's answer is sent as it is, since its length has been announced.
    private var hasLength = false
    private var isRefused = false

    let peer: ConnectionPeer
    /// The origin of the page that has sent the request; `nil` where no origins are allowed.
    private var origin: String?

    var services: ServerServices { loop.services }

    init(loop: ConnectionLoop, peer: ConnectionPeer, isEncrypted: Bool) {
        (self.loop, self.peer, self.isEncrypted) = (loop, peer, isEncrypted)
        machine = ConnectionMachine(loop.rules, at: .now())
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        wire = try? context.pipeline.syncOperations.context(handlerType: HTTPResponseEncoder.self)
        isRefused = !loop.add(self)
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        guard isRefused else { return }
        let detail = "the server has as many connections as it takes; try again in a moment"
        reject(Problem(.serviceUnavailable, "too-many-connections", detail, headers: ["retry-after": "5"]))
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        leave()
        exchange.end()
        self.context = nil
        wire = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    private func leave() {
        leaveStream()
        machine.close(at: loop.now)
        outbox.removeAll()
        loop.remove(self)
    }
}

// MARK: Events of the channel

extension ConnectionHandler {
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        repeated.received(part)
        machine.received(part)
        work()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if machine.input.mayRead() { context.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable, !isWriting { becameWritable() }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let error as HTTPParserError:
            repeated.failed()
            machine.received(error)
            work()
        // Bytes behind what is no request: the decoder has failed before.
        case is ByteToMessageDecoderError: break
        default: context.close(promise: nil)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: perform(machine.drain())
        // Not for the routes: they have whole requests, and are to answer them.
        case ChannelEvent.inputClosed:
            let isClosing = machine.isClosing
            perform(machine.endInput(outstanding: outstandingBytes(isClosing: isClosing)))
            if !isClosing { resume() }
        case ChannelEvent.outputClosed: if machine.isInputEnded { context.close(promise: nil) }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        switch mode {
        // The machine decides when the output ends.
        case .output: promise?.succeed()
        case .input: context.close(mode: machine.cancelInput() ? .input : .all, promise: promise)
        case .all: context.close(mode: .all, promise: promise)
        }
    }

    func tick(_ now: NIODeadline) {
        repeated.forgetAnswer()
        let isClosing = machine.isClosing
        perform(machine.tick(outstanding: outstandingBytes(isClosing: isClosing), at: now))
    }
}

// MARK: Requests

extension ConnectionHandler {
    private func work() {
        while let action = machine.next(
            canAnswer: isReadyToAnswer,
            hasTokens: services.policy.hasTokens,
            at: .now()
        ) { perform(action) }
        if machine.input.releaseRead() { context?.read() }
    }

    /// Processes what has waited. Hummingbird's end passes parts on only when a read is complete, and here none is under way.
    func resume() {
        work()
        context?.flush()
        context?.fireChannelReadComplete()
    }

    private func perform(_ action: ConnectionMachine.Action?) {
        switch action {
        case nil: break
        case .begin(let head, let isForwarded, let awaitsContinue):
            identify(head)
            if awaitsContinue {
                send(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n"))
                flushWire()
            }
            if isForwarded { forward(.head(head)) }
        case .refuse(let head, let problem):
            identify(head)
            reject(problem)
        case .answer(let head, let target): answer(head, target)
        case .forward(let part): forward(part)
        case .reject(let problem, let hasRequest):
            if !hasRequest {
                origin = nil
                peer.begin(nil, services.proxies)
            }
            reject(problem)
        case .endStream: endStream()
        case .close: closeGently()
        case .drop: drop()
        case .disconnect: context?.close(promise: nil)
        }
    }

    private func identify(_ head: HTTPRequestHead) {
        origin = services.origins.isOpen ? head.headers.first(name: "origin") : nil
        if services.proxies.areKnown { peer.begin(head, services.proxies) }
    }

    private func forward(_ part: HTTPServerRequestPart) {
        guard let context else { return }
        do {
            try exchange.begin(on: context.channel)
            context.fireChannelRead(wrapInboundOut(part))
        } catch {
            context.close(promise: nil)
        }
    }

    func forwardWhole(_ head: HTTPRequestHead) {
        machine.forwardWhole()
        forward(.head(head))
        forward(.end(nil))
        context?.fireChannelReadComplete()
    }

    /// Answers with a problem and closes the connection, whatever else comes.
    func reject(_ problem: Problem) {
        let rejection = machine.reject()
        if rejection == .ignore { return }
        services.metrics.answered(route: "rejected", status: problem.status.code)
        loop.refusals.record(
            "a request was refused before a route saw it",
            ["from": "\(peer.client)", "status": "\(problem.status.code)", "problem": "\(problem.code)"]
        )
        if rejection == .close { closeGently() } else { send(problem.reply) }
    }
}

// MARK: Answers

extension ConnectionHandler {
    var corsLines: String { services.origins.lines(origin: origin) }

    func send(_ reply: Reply) {
        let extra = loop.standardLines + corsLines
        send(reply.encoded(extra: extra, keepsAlive: machine.keepsAlive, omitsBody: machine.isHead))
        endAnswer()
    }

    func endAnswer() {
        if !machine.endAnswer(at: loop.now) { closeGently() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard machine.isForwarded else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(let head):
            machine.beginResponse()
            hasLength = head.headers.contains(name: "content-length")
            context.write(wrapOutboundOut(.head(completed(head))), promise: promise)
        case .body where machine.isHead:
            promise?.succeed()
        case .body(.byteBuffer(let bytes)) where hasLength && !fitsChannel(bytes):
            send(bytes)
            promise?.succeed()
        case .body(let body):
            machine.wrote(body.readableBytes)
            context.write(wrapOutboundOut(.body(body)), promise: promise)
        case .end(let trailers):
            context.writeAndFlush(wrapOutboundOut(.end(trailers)), promise: promise)
            endAnswer()
            resume()
        }
    }

    private func completed(_ head: HTTPResponseHead) -> HTTPResponseHead {
        var head = head
        head.headers.add(contentsOf: StandardFields.fields)
        for (name, value) in services.origins.fields(origin: origin) {
            head.headers.add(name: name, value: value)
        }
        if !machine.keepsAlive { head.headers.replaceOrAdd(name: "connection", value: "close") }
        return head
    }
}
