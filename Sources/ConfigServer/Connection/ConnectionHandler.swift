internal import ConfigModel
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// One connection: takes requests one at a time, answers those that memory can answer right here on the event loop, turns
/// into a stream, or hands the request on to the routes.
///
/// It stands between the HTTP decoder and Hummingbird, and guards both: limits, time-outs, malformed requests, the order
/// of pipelined answers, and the end of connections.
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

    let loop: ConnectionLoop
    var phase = Phase.idle
    /// When this is given up on, unless something happens.
    var deadline: NIODeadline
    /// Where the stream is.
    var streamPosition: UInt64 = 0
    var streamIndex = 0

    var context: ChannelHandlerContext?
    /// The context of the encoder: what is written there goes to the wire as it is.
    private var wire: ChannelHandlerContext?
    private var queue: [HTTPServerRequestPart] = []
    private var isReadHeld = false
    private var hasBegunHead = false
    private var bodyBytes = 0
    private var bodyDeadline = NIODeadline.distantFuture
    private var keepsAlive = true
    /// Whether the request is `HEAD`, whose answer has no body whoever makes it.
    private var isHead = false
    private var isDraining = false
    private var isRefused = false
    private(set) var origin: String?
    private(set) lazy var address = context?.channel.remoteAddress?.ipAddress ?? "local"

    init(loop: ConnectionLoop) {
        self.loop = loop
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
        loop.remove(self)
    }

    private func leaveStream() {
        if case .streaming(let group) = phase { loop.removeStream(self, from: group) }
    }

    private func refuse() {
        let detail = "the server has as many connections as it takes; try again in a moment"
        reject(Problem(.serviceUnavailable, "too-many-connections", detail, headers: ["retry-after": "5"]))
    }
}

// MARK: Requests

extension ConnectionHandler {
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        queue.append(unwrapInboundIn(data))
        work()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if case .idle = phase, !hasBegunHead, queue.isEmpty {
            // Bytes have come that are no whole head yet.
            hasBegunHead = true
            deadline = min(deadline, .now() + .seconds(Int64(loop.services.limits.headSeconds)))
        }
        context.flush()
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if queue.isEmpty { context.read() } else { isReadHeld = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { writable() }
        context.fireChannelWritabilityChanged()
    }

    private func writable() {
        if case .streaming(let group) = phase {
            deadline = .distantFuture
            group.flush(self, loop.services)
        } else {
            resume()
        }
    }

    /// Takes what has waited. Hummingbird's end hands parts on only when a read is complete, and here none is under way.
    func resume() {
        work()
        context?.flush()
        context?.fireChannelReadComplete()
    }

    /// Takes what has come, as far as that is possible now.
    private func work() {
        var taken = 0
        while taken < queue.count, takesParts {
            let part = queue[taken]
            taken += 1
            take(part)
        }
        queue.removeFirst(min(taken, queue.count))
        guard queue.isEmpty, isReadHeld else { return }
        isReadHeld = false
        context?.read()
    }

    private var takesParts: Bool {
        switch phase {
        case .idle: context?.channel.isWritable ?? false
        case .forwarded(let requestEnded, _): !requestEnded
        case .waiting: false
        case .answering, .streaming, .closing: true
        }
    }

    private func take(_ part: HTTPServerRequestPart) {
        switch (phase, part) {
        case (.idle, .head(let head)): begin(head)
        case (.answering, .body(let bytes)): _ = countBody(bytes)
        case (.answering(let head, let target), .end): answer(head, target)
        case (.forwarded(_, let responseBegun), let part):
            if case .body(let bytes) = part, !countBody(bytes) { return }
            if case .end = part {
                phase = .forwarded(requestEnded: true, responseBegun: responseBegun)
                deadline = .distantFuture
            }
            forward(part)
        default: break
        }
    }

    private func begin(_ head: HTTPRequestHead) {
        keepsAlive = head.isKeepAlive && !isDraining
        isHead = head.method == .HEAD
        origin = loop.services.cors.isOpen ? head.headers.first(name: "origin") : nil
        bodyBytes = 0
        if let problem = RequestCheck.problem(in: head, loop.services.limits) { return reject(problem) }
        if let reply = loop.services.cors.preflight(head) {
            phase = .answering(head, .reply(reply))
        } else if let target = ImmediateTarget(head) {
            phase = .answering(head, target)
        } else {
            phase = .forwarded(requestEnded: false, responseBegun: false)
            if head.headers.first(name: "expect") != nil {
                send(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n"))
                wire?.flush()
            }
            forward(.head(head))
        }
        let now = NIODeadline.now()
        bodyDeadline = now + .seconds(Int64(loop.services.limits.bodySeconds))
        deadline = now + .seconds(Int64(loop.services.limits.bodyPauseSeconds))
    }

    /// - Returns: whether the body may go on.
    private func countBody(_ bytes: ByteBuffer) -> Bool {
        bodyBytes += bytes.readableBytes
        guard bodyBytes <= loop.services.limits.bodyBytes else {
            reject(RequestCheck.tooLarge(loop.services.limits))
            return false
        }
        deadline = min(bodyDeadline, .now() + .seconds(Int64(loop.services.limits.bodyPauseSeconds)))
        return true
    }

    private func forward(_ part: HTTPServerRequestPart) {
        context?.fireChannelRead(wrapInboundOut(part))
    }

    /// Puts the answer off: who waits sets a limit of their own.
    func beginWait() {
        phase = .waiting
        deadline = .distantFuture
    }

    /// Hands a request on after all, whose end has come already.
    func forwardWhole(_ head: HTTPRequestHead) {
        phase = .forwarded(requestEnded: true, responseBegun: false)
        deadline = .distantFuture
        forward(.head(head))
        forward(.end(nil))
        context?.fireChannelReadComplete()
    }
}

// MARK: Answers

extension ConnectionHandler {
    /// Sends an answer that was made here.
    func send(_ reply: Reply) {
        let extra = loop.standardLines + loop.services.cors.lines(origin: origin)
        send(reply.encoded(extra: extra, keepsAlive: keepsAlive, omitsBody: isHead))
        finish()
    }

    /// Sends an answer that is encoded already, for a connection that goes on.
    func sendWhole(_ bytes: ByteBuffer) {
        send(bytes)
        finish()
    }

    var isPlain: Bool { keepsAlive }

    private func send(_ bytes: ByteBuffer) {
        wire?.write(NIOAny(IOData.byteBuffer(bytes)), promise: nil)
    }

    /// Goes on to the next request, or ends the connection.
    private func finish() {
        guard keepsAlive, !isDraining else { return closeGently() }
        phase = .idle
        hasBegunHead = false
        deadline = loop.now + .seconds(Int64(loop.services.limits.idleSeconds))
    }

    /// Answers with a problem and ends the connection, whatever else comes.
    func reject(_ problem: Problem) {
        var isAnswered = false
        switch phase {
        case .closing: return
        case .streaming, .forwarded(_, responseBegun: true): isAnswered = true
        default: break
        }
        keepsAlive = false
        loop.services.metrics.answered(route: "rejected", status: problem.status.code, nanoseconds: 0)
        if isAnswered { closeGently() } else { send(problem.reply) }
    }

    /// Ends the connection so that the last answer arrives: what still comes is read and dropped for a moment.
    private func closeGently() {
        leaveStream()
        phase = .closing
        queue = []
        deadline = .now() + .seconds(2)
        wire?.flush()
        context?.close(mode: .output, promise: nil)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .forwarded(let requestEnded, _) = phase else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head):
            // A route that answers before it has read everything does not mean to.
            if !requestEnded || isDraining { keepsAlive = false }
            phase = .forwarded(requestEnded: requestEnded, responseBegun: true)
            for (name, value) in StandardFields.all { head.headers.replaceOrAdd(name: name, value: value) }
            for (name, value) in loop.services.cors.fields(origin: origin) {
                head.headers.add(name: name, value: value)
            }
            if !keepsAlive { head.headers.replaceOrAdd(name: "connection", value: "close") }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body where isHead:
            promise?.succeed()
        case .body(let body):
            context.write(wrapOutboundOut(.body(body)), promise: promise)
        case .end(let trailers):
            context.writeAndFlush(wrapOutboundOut(.end(trailers)), promise: promise)
            finish()
            resume()
        }
    }
}

// MARK: Streams

extension ConnectionHandler {
    /// Turns the connection into a stream.
    func becomeStream(of state: NamespaceState, lastEventID: String?) {
        let group = loop.addStream(self, of: state.namespace)
        phase = .streaming(group)
        deadline = .distantFuture
        // Subscribed first, read then: what is committed in between is flushed on this loop after this.
        let present = loop.services.hub.state(of: state.namespace) ?? state
        let head = Reply(
            .ok,
            headers: [
                "content-type": "text/event-stream; charset=utf-8",
                "cache-control": "no-store",
                "x-accel-buffering": "no",
                "transfer-encoding": "chunked",
            ]
        )
        let extra = loop.standardLines + loop.services.cors.lines(origin: origin)
        var bytes = head.encodedHead(extra: extra)
        bytes.writeImmutableBuffer(StreamEncoder.opening(present, lastEventID: lastEventID))
        streamPosition = present.revision
        send(bytes)
        wire?.flush()
    }

    /// Whether events are to be written now.
    var takesEvents: Bool { context?.channel.isWritable ?? false }

    /// Writes events, which are a chunk already.
    func sendEvents(_ chunk: ByteBuffer, position: UInt64) {
        streamPosition = position
        send(chunk)
        wire?.flush()
        if !takesEvents { deadline = .now() + .seconds(Int64(loop.services.limits.stalledSeconds)) }
    }
}

// MARK: Ends

extension ConnectionHandler {
    /// The deadline has come.
    func timedOut() {
        switch phase {
        case .idle where hasBegunHead: reject(RequestCheck.tooSlow)
        case .answering, .forwarded(requestEnded: false, _): reject(RequestCheck.tooSlow)
        case .streaming:
            loop.services.metrics.droppedStream()
            context?.close(promise: nil)
        case .idle, .waiting, .forwarded, .closing: context?.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case HTTPParserError.headerOverflow: reject(RequestCheck.headerOverflow)
        case HTTPParserError.invalidEOFState where isDraining: reject(.shuttingDown)
        case let error as HTTPParserError: reject(RequestCheck.malformed(error))
        default: context.close(promise: nil)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: drain()
        case ChannelEvent.inputClosed:
            switch phase {
            case .streaming, .closing: context.close(promise: nil)
            default: context.fireUserInboundEventTriggered(event)
            }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    /// The server is going down: finishes what is under way, and begins nothing more.
    private func drain() {
        isDraining = true
        switch phase {
        case .idle: if queue.isEmpty { closeGently() }
        case .streaming:
            send(StreamEncoder.end)
            closeGently()
        case .answering, .waiting, .forwarded, .closing: break
        }
    }
}
