internal import Logging
internal import NIOCore
internal import NIOHTTP1

extension ConnectionHandler {
    /// Whether the connection goes on after this answer.
    var isPlain: Bool { keepsAlive }

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

    /// Goes on to the next request, or ends the connection.
    private func finish() {
        guard keepsAlive, !isDraining else { return closeGently() }
        phase = .idle
        deadline = loop.now + .seconds(Int64(limits.idleSeconds))
    }

    /// Answers what is no request.
    func rejectNext(_ problem: Problem) {
        if case .idle = phase { (isHead, origin, address) = (false, nil, ClientAddress(peer.address)) }
        reject(problem)
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
        loop.services.refusals.note(
            "a request was refused before a route saw it",
            ["from": "\(address)", "status": "\(problem.status.code)", "problem": "\(problem.code)"]
        )
        if isAnswered { closeGently() } else { send(problem.reply) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .forwarded(let requestEnded, _) = phase else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(let head):
            // A route that answers before it has read everything does not mean to.
            if !requestEnded || isDraining { keepsAlive = false }
            phase = .forwarded(requestEnded: requestEnded, responseBegun: true)
            hasLength = head.headers.contains(name: "content-length")
            context.write(wrapOutboundOut(.head(completed(head))), promise: promise)
        case .body where isHead:
            promise?.succeed()
        case .body(.byteBuffer(let bytes)) where hasLength && !fitsChannel(bytes):
            send(bytes)
            promise?.succeed()
        case .body(let body):
            writes.wrote(body.readableBytes)
            context.write(wrapOutboundOut(.body(body)), promise: promise)
        case .end(let trailers):
            context.writeAndFlush(wrapOutboundOut(.end(trailers)), promise: promise)
            finish()
            resume()
        }
    }

    /// Whether bytes may be handed to the channel at once, and in their turn.
    private func fitsChannel(_ bytes: ByteBuffer) -> Bool { outbox.isEmpty && bytes.readableBytes <= Self.sliceBytes }

    /// A route's head with the fields that every answer has.
    private func completed(_ head: HTTPResponseHead) -> HTTPResponseHead {
        var head = head
        for (name, value) in StandardFields.all { head.headers.replaceOrAdd(name: name, value: value) }
        for (name, value) in loop.services.cors.fields(origin: origin) { head.headers.add(name: name, value: value) }
        if !keepsAlive { head.headers.replaceOrAdd(name: "connection", value: "close") }
        return head
    }
}

// MARK: The wire

extension ConnectionHandler {
    /// Puts bytes on the wire, as soon as there is room on it.
    func send(_ bytes: ByteBuffer) {
        writes.wrote(bytes.readableBytes)
        // Most answers go at once, and are flushed together once a read is complete.
        if fitsChannel(bytes) { return hand(bytes) }
        outbox.append(bytes)
        pump()
    }

    private func hand(_ bytes: ByteBuffer) {
        wire?.write(NIOAny(IOData.byteBuffer(bytes)), promise: nil)
    }

    /// Hands on what waits, as long as the channel takes it.
    private func pump() {
        guard !isWriting else { return }
        while let channel = context?.channel, channel.isWritable, let slice = outbox.next(atMost: Self.sliceBytes) {
            hand(slice)
            flushWire()
        }
    }

    func flushWire() {
        let wasWriting = isWriting
        isWriting = true
        wire?.flush()
        isWriting = wasWriting
    }

    /// There is room on the wire again.
    func writable() {
        pump()
        guard outbox.isEmpty else { return }
        switch phase {
        case .streaming(let group): group.flush(self, loop.services)
        case .closing: endOutput()
        default: resume()
        }
    }
}
