// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import Synchronization

/// One connection: behind the HTTP decoder, it answers what memory can answer right here on the event loop, becomes a stream,
/// or hands the request to its route.
///
/// ``ConnectionMachine`` decides; this makes the channel's events its input, and carries out its actions.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = IOData

    let loop: ConnectionLoop
    var machine: ConnectionMachine
    /// The reads since the head of the present request.
    var slices: BodySlices
    /// The stream that this connection has become.
    var stream: (group: StreamGroup, holder: Principal, index: Int)?
    /// The present request, while it is read for a route.
    private var call: RouteCall?
    /// The work on the present request, while a route has it.
    private(set) var routeTask: Task<Void, Never>?
    /// Succeeds when no further request can arrive; `nil` if nothing waits for that.
    private var requestsEnd: EventLoopPromise<Void>?

    var context: ChannelHandlerContext?
    var repeated = RepeatedRequest()
    /// Whether a route has replied on the event loop since the last read: further requests of that read are answered by tasks, so
    /// that other connections have their turns.
    var hasReplied = false
    var outbox = Outbox()
    private var isRefused = false

    let peer: ConnectionPeer

    var services: ServerServices { loop.services }

    init(loop: ConnectionLoop, peer: ConnectionPeer) {
        (self.loop, self.peer) = (loop, peer)
        slices = BodySlices(answers: loop.services.metrics.answerCount.load(ordering: .relaxed))
        machine = ConnectionMachine(loop.rules, at: .now())
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        isRefused = !loop.add(self)
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        guard isRefused else { return }
        let detail = "connection limit reached; try again in a moment"
        reject(Problem(.serviceUnavailable, "too-many-connections", detail, headers: ["retry-after": "5"]))
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        leave()
        endRequests()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    /// Waits until the connection ends or becomes a stream: no task waits for the end of a stream.
    func whenRequestsEnd() -> EventLoopFuture<Void> {
        let promise = requestsEnd ?? loop.eventLoop.makePromise()
        requestsEnd = promise
        return promise.futureResult
    }

    /// Ends the current request or stream without further output.
    func forget() {
        call = nil
        routeTask?.cancel()
        routeTask = nil
        leaveStream()
    }

    func endRequests() {
        requestsEnd?.succeed()
        requestsEnd = nil
    }

    private func leave() {
        forget()
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
        completeRead()
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if machine.input.mayRead(), loop.bodies.mayRead(self) { context.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable, !outbox.isWriting { becameWritable() }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let error as HTTPParserError:
            repeated.failed()
            machine.received(error)
            work()
        // Bytes after an invalid request: the decoder has already failed.
        case is ByteToMessageDecoderError: break
        default: context.close(promise: nil)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            loop.tickOften()
            end()
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
        case .input: context.close(mode: machine.cancelInput() ? .input : .all, promise: promise)
        case .output, .all: context.close(mode: mode, promise: promise)
        }
    }

    /// Closes the connection at once if it has no request, as at the end of the server.
    func end() { perform(machine.drain(outstanding: outstandingBytes(isClosing: false), at: .now())) }

    /// Since when there has been nothing to read or to write; `nil` otherwise.
    func idleSince(at now: NIODeadline) -> NIODeadline? {
        machine.idleSince(at: now).flatMap { outstandingBytes(isClosing: false) == 0 ? $0 : nil }
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

    /// Processes the waiting input.
    func resume() {
        work()
        completeRead()
    }

    /// All received input has been processed.
    private func completeRead() {
        // A rejected client need not send the rest.
        if let call, call.refusal != nil { refuse(call) }
        context?.flush()
    }

    private func perform(_ action: ConnectionMachine.Action?) {
        switch action {
        case nil: break
        case .begin(let head, let isRouted, let awaitsContinue):
            slices.begin()
            identify(head)
            if isRouted { route(.head(head)) }
            // A rejected client need not send a body.
            if awaitsContinue, call?.refusal == nil { sendNow(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")) }
        case .refuse(let head, let problem):
            identify(head)
            reject(problem)
        case .answer(let head, let target): answer(head, target)
        case .route(let part): route(part)
        case .reject(let problem, let hasRequest):
            if !hasRequest { identify(nil) }
            reject(problem)
        case .endStream: endStream()
        case .close: closeGently()
        case .drop: drop()
        case .disconnect: disconnect()
        }
    }

    private func identify(_ head: HTTPRequestHead?) {
        let (proxies, origins) = (services.proxies, services.origins)
        guard proxies.areKnown || origins.isOpen else { return }
        peer.begin(head, origin: origins.isOpen ? head?.headers.joined("origin") : nil, proxies)
    }

    private func route(_ part: HTTPServerRequestPart) {
        switch part {
        case .head(let head):
            let fields = RequestFields(head)
            var call = RouteCall(head, fields, from: peer.client, on: ObjectIdentifier(self))
            loop.routes.check(&call, fields)
            self.call = call
        case .body(let bytes): call?.append(bytes, services.bodies)
        case .end:
            guard let call else { return }
            if call.refusal != nil { return refuse(call) }
            self.call = nil
            answer(call)
        }
    }

    /// Answers a complete request by its route.
    func answer(_ call: RouteCall) {
        if call.isQuick, machine.keepsAlive, machine.input.isEmpty { repeated.answered(call) }
        guard !hasReplied, let reply = loop.routes.quickReply(to: call) else {
            routeTask = loop.routes.answer(call, for: self)
            return
        }
        hasReplied = true
        machine.beginResponse()
        send(reply)
    }

    func routeComplete(_ head: HTTPRequestHead) {
        machine.routeComplete()
        route(.head(head))
        route(.end(nil))
    }

    func refuse(_ call: RouteCall) {
        self.call = nil
        guard let reply = call.refusal, machine.isRouted else { return }
        call.count(reply, services.metrics)
        machine.beginResponse()
        send(reply)
    }

    /// Writes the response of a route, unless the client has disconnected.
    func endRoute(_ reply: Reply) {
        guard machine.isRouted else { return }
        routeTask = nil
        machine.beginResponse()
        send(reply)
        resume()
    }

    /// Answers with a problem and closes the connection, ignoring further input.
    func reject(_ problem: Problem) {
        let rejection = machine.reject()
        if rejection == .ignore { return }
        services.metrics.answered(route: "rejected", status: problem.status.code)
        services.refusals.record(
            "request rejected before routing",
            ["from": "\(peer.client)", "status": "\(problem.status.code)", "problem": "\(problem.code)"]
        )
        if rejection == .close { closeGently() } else { send(problem.reply) }
    }
}

// MARK: Answers

extension ConnectionHandler {
    var corsLines: String { services.origins.lines(origin: peer.origin) }

    /// The lines that every answer has.
    var answerLines: String { loop.replies.dateLine + corsLines }

    func send(_ reply: Reply) {
        let extra = answerLines
        // A long body is not copied behind its head.
        let isApart = reply.body.readableBytes > Self.sliceBytes && reply.mayHaveBody && !machine.isHead
        let head = reply.encoded(extra: extra, keepsAlive: machine.keepsAlive, omitsBody: machine.isHead || isApart)
        let lease = machine.isHead ? nil : reply.lease
        send(head, holding: isApart ? nil : lease)
        if isApart { send(reply.body, holding: lease) }
        endAnswer()
    }

    func endAnswer() {
        services.metrics.answerCount.wrappingAdd(1, ordering: .relaxed)
        slices.answered()
        if !machine.endAnswer(at: loop.now) { closeGently() }
    }
}
