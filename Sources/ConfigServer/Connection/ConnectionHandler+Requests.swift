internal import NIOCore
internal import NIOHTTP1

extension ConnectionHandler {
    /// Takes what has waited. Hummingbird's end hands parts on only when a read is complete, and here none is under way.
    func resume() {
        work()
        context?.flush()
        context?.fireChannelReadComplete()
    }

    /// Takes what has come, as far as that is possible now.
    func work() {
        var taken = 0
        while taken < input.count, takesInput {
            let next = input[taken]
            taken += 1
            take(next)
        }
        input.removeFirst(min(taken, input.count))
        guard input.isEmpty, isReadHeld else { return }
        isReadHeld = false
        context?.read()
    }

    private var takesInput: Bool {
        switch phase {
        case .idle: outbox.isEmpty && context?.channel.isWritable ?? false
        case .forwarded(let requestEnded, _): !requestEnded
        case .waiting: false
        case .answering, .streaming, .closing: true
        }
    }

    private func take(_ next: Input) {
        switch (phase, next) {
        case (.idle, .part(.head(let head))): begin(head)
        case (.answering, .part(.body(let bytes))): _ = countBody(bytes)
        case (.answering(let head, let target), .part(.end)): answer(head, target)
        case (.forwarded(_, let responseBegun), .part(let part)):
            if case .body(let bytes) = part, !countBody(bytes) { return }
            if case .end = part {
                phase = .forwarded(requestEnded: true, responseBegun: responseBegun)
                deadline = .distantFuture
            }
            forward(part)
        case (_, .failure(let problem)): rejectNext(problem)
        case (.streaming, .end): endStream()
        case (.idle, .end), (.answering, .end), (.forwarded, .end): closeGently()
        default: break
        }
    }

    private func begin(_ head: HTTPRequestHead) {
        let framing = RequestFraming(head)
        // A client of HTTP/1.0 takes the end of the connection for the end of an answer, unless it is told otherwise.
        endsDecoding = framing.endsDecoding
        keepsAlive = head.isKeepAlive && head.version.minor > 0 && !endsDecoding && !isDraining
        isHead = head.method == .HEAD
        origin = loop.services.cors.isOpen ? head.headers.first(name: "origin") : nil
        if loop.services.proxies.areKnown { address = loop.services.proxies.client(of: peer, head.headers) }
        let problem = RequestCheck.problem(in: head, framing, limits, knownHost: vettedHost)
        if let problem = problem ?? originProblem(in: head, framing) { return reject(problem) }
        vettedHost = framing.host
        body = BodyProgress(from: .now(), limits)
        deadline = body.deadline
        if framing.awaitsContinue(head.version) {
            send(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n"))
            flushWire()
        }
        if let reply = loop.services.cors.preflight(head) {
            phase = .answering(head, .reply(reply))
        } else if let target = ImmediateTarget(head) {
            phase = .answering(head, target)
        } else {
            phase = .forwarded(requestEnded: false, responseBegun: false)
            forward(.head(head))
        }
    }

    /// What is wrong with where a request comes from.
    private func originProblem(in head: HTTPRequestHead, _ framing: RequestFraming) -> Problem? {
        let origin = RequestOrigin(target: head.uri, framing)
        let changes: Bool
        switch head.method {
        case .GET, .HEAD, .OPTIONS: changes = false
        default: changes = true
        }
        if !changes, origin == vettedOrigin { return nil }
        let services = loop.services
        let problem = services.origins.problem(with: origin, changes: changes, hasTokens: services.policy.hasTokens)
        if problem == nil { vettedOrigin = origin }
        return problem
    }

    /// - Returns: whether the body may go on.
    private func countBody(_ bytes: ByteBuffer) -> Bool {
        body.received(bytes.readableBytes, at: .now())
        guard body.bytes <= limits.bodyBytes else {
            reject(RequestCheck.tooLarge(limits))
            return false
        }
        deadline = body.deadline
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

// MARK: What is no request

extension ConnectionHandler {
    /// Whether nothing that comes can be a request any more, or a part of one.
    var isDeaf: Bool {
        switch phase {
        case .closing: true
        case .waiting, .streaming, .forwarded(requestEnded: true, _): endsDecoding
        case .idle, .answering, .forwarded: false
        }
    }

    /// Plain bytes have come, before the decoder sees them. If it makes nothing of them, a head has begun.
    func bytesArrived(_ bytes: ByteBuffer) {
        guard case .idle = phase, input.isEmpty, !hasBegunHead else { return }
        // Empty lines before a request say nothing (RFC 9112, 2.2).
        hasBegunHead = bytes.readableBytesView.contains { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
    }

    /// The decoder has seen the bytes.
    func bytesDecoded() {
        guard hasBegunHead, case .idle = phase else { return }
        deadline = min(deadline, .now() + .seconds(Int64(limits.headSeconds)))
    }

    /// What follows is no request. What was accepted before it is answered first.
    func fail(_ problem: Problem) {
        input.append(.failure(problem))
        work()
    }

    /// The client sends nothing more, but may still read.
    func inputEnded() {
        isInputEnded = true
        if case .closing = phase {
            if hasEndedOutput, outstandingBytes == 0 { context?.close(promise: nil) }
        } else {
            input.append(.end)
            resume()
        }
    }
}
