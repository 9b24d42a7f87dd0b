// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOHTTP1

/// The phases of one connection, as a value: events go in, actions come out. It has no channel and no clock, so that tests can
/// play every sequence of events to it.
///
/// It admits one request at a time, keeps pipelined responses in order, and decides on deadlines and on the end of the
/// connection. Every accepted request is answered, whatever follows it.
struct ConnectionMachine {
    enum Phase {
        /// Waits for a request.
        case idle
        /// Reads the rest of a request that is answered on the event loop.
        case answering(HTTPRequestHead, ImmediateTarget)
        /// Waits for a revision that the client has seen, to answer then.
        case waiting
        /// A route has the request.
        case routed(requestEnded: Bool)
        case streaming
        /// Everything has been sent; the input is read for a moment longer, so that the last response arrives.
        case closing
    }

    enum Action {
        /// A request begins. If it is for the routes, they check its head. A client that awaits it is sent `100 Continue`,
        /// unless they refuse it.
        case begin(HTTPRequestHead, isRouted: Bool, awaitsContinue: Bool)
        /// The head of a request breaks a rule: answer with the problem and close.
        indirect case refuse(HTTPRequestHead, Problem)
        case answer(HTTPRequestHead, ImmediateTarget)
        case route(HTTPServerRequestPart)
        /// Answer with a problem and close. Without a request, nothing is known about its sender but the peer's address.
        indirect case reject(Problem, hasRequest: Bool)
        case endStream
        /// Close once everything that was written has arrived.
        case close
        /// Close at once, without waiting for pending output: the client acknowledges nothing.
        case drop
        case disconnect
    }

    /// The time for which a connection is read after its last byte was acknowledged, so that no reset overtakes that byte.
    private static let linger = TimeAmount.seconds(2)
    /// The same at the end of the server, and the time that a client of a stream has to acknowledge its end.
    private static let shortLinger = TimeAmount.milliseconds(100)

    private let rules: ConnectionRules
    private var phase = Phase.idle
    /// The time at which the client is dropped unless something happens.
    private(set) var deadline: NIODeadline
    /// The time of the last answer; before the first request, the time at which that is late.
    private var restsSince: NIODeadline
    private(set) var keepsAlive = true
    /// Whether the request is `HEAD`, whose answer has no body.
    private(set) var isHead = false

    var input = Inbox()
    /// Whether bytes have come that are not a whole head yet.
    private var hasBegunHead = false
    /// Whether no byte has come: on a connection over TLS, the handshake is possibly missing.
    private(set) var isUntouched = true
    private var body: BodyProgress
    private var writes = WriteProgress()
    private var knownGood = ConnectionRules.CheckedParts()
    private var ends = Ends()

    /// The parts of the connection that have ended or are about to end.
    private struct Ends {
        /// Whether the decoder reads nothing behind the present request.
        var decoding = false
        var input = false
        var output = false
        var isCancelled = false
        var isDraining = false
        /// Whether the client sends nothing more, so that closing causes no reset: all is closed after the last byte.
        var isSilent = false
    }

    private var limits: ServerLimits { rules.limits }

    init(_ rules: ConnectionRules, at now: NIODeadline) {
        self.rules = rules
        body = BodyProgress(from: now, rules.limits)
        deadline = now + .seconds(Int64(rules.limits.headSeconds))
        restsSince = now + .seconds(1)
    }

    /// Since when no byte of a request has come; `nil` while there is a request, or while the first one may be on its way.
    func idleSince(at now: NIODeadline) -> NIODeadline? {
        guard case .idle = phase, input.isEmpty, !hasBegunHead, restsSince <= now else { return nil }
        return restsSince
    }

    var isInputEnded: Bool { ends.input }
    var isWaiting: Bool { if case .waiting = phase { true } else { false } }
    var isRouted: Bool { if case .routed = phase { true } else { false } }
    var isClosing: Bool { if case .closing = phase { true } else { false } }

    /// Whether the last request may be repeated at once without new checks.
    var mayRepeat: Bool {
        guard case .idle = phase else { return false }
        return keepsAlive && !ends.isDraining && !ends.input && !hasBegunHead && input.isEmpty
    }

    /// The last request has come again, whole.
    mutating func `repeat`(_ head: HTTPRequestHead, _ target: ImmediateTarget) { phase = .answering(head, target) }
}

// MARK: Input

extension ConnectionMachine {
    mutating func received(_ part: HTTPServerRequestPart) {
        hasBegunHead = false
        input.append(.part(part))
    }

    /// The following bytes are not a request. The requests before them are answered first.
    mutating func received(_ error: HTTPParserError) {
        let isCutOff = ends.isDraining && error == .invalidEOFState
        input.append(.failure(isCutOff ? .shuttingDown : Problem(error)))
    }

    /// The client sends nothing more, but may still read. Some written bytes may be outstanding: not acknowledged.
    mutating func endInput(outstanding: @autoclosure () -> Int) -> Action? {
        ends.input = true
        guard isClosing else {
            input.append(.end)
            return nil
        }
        return ends.output && outstanding() == 0 ? .disconnect : nil
    }

    /// The action for the next input; `nil` if there is none or if it must wait for the current request.
    mutating func next(
        canAnswer: @autoclosure () -> Bool,
        hasTokens: @autoclosure () -> Bool,
        at now: @autoclosure () -> NIODeadline
    ) -> Action? {
        while !input.isEmpty, acceptsInput(canAnswer()), let next = input.next() {
            // First the two parts of a read from memory: matching the phase and the input as a pair would copy both.
            if case .part(.head(let head)) = next, case .idle = phase {
                return begin(head, hasTokens: hasTokens(), at: now())
            }
            if case .part(.end) = next, case .answering(let head, let target) = phase { return .answer(head, target) }
            if let action = process(next, at: now()) { return action }
        }
        return nil
    }

    private func acceptsInput(_ canAnswer: @autoclosure () -> Bool) -> Bool {
        switch phase {
        case .idle: canAnswer()
        case .routed(let requestEnded): !requestEnded
        case .waiting: false
        case .answering, .streaming, .closing: true
        }
    }

    private mutating func process(_ next: Inbox.Element, at now: @autoclosure () -> NIODeadline) -> Action? {
        switch (phase, next) {
        case (.answering, .part(.body(let bytes))): return count(bytes, at: now())
        case (.routed, .part(let part)):
            if case .body(let bytes) = part, let refusal = count(bytes, at: now()) { return refusal }
            if case .end = part { wait(in: .routed(requestEnded: true)) }
            return .route(part)
        case (.idle, .failure(let problem)): return rejectNoRequest(problem)
        // A stream's answer does not end, so no request after it could fail.
        case (.streaming, .failure): return nil
        case (_, .failure(let problem)): return .reject(problem, hasRequest: true)
        case (.streaming, .end): return .endStream
        case (.idle, .end), (.answering, .end), (.routed, .end): return .close
        default: return nil
        }
    }

    private mutating func begin(
        _ head: HTTPRequestHead,
        hasTokens: @autoclosure () -> Bool,
        at now: NIODeadline
    ) -> Action {
        let fields = RequestFields(head)
        // A client of HTTP/1.0 takes the end of the connection for the end of an answer by default.
        ends.decoding = fields.endsDecoding
        keepsAlive = head.isKeepAlive && head.version.minor > 0 && !ends.decoding && !ends.isDraining
        isHead = head.method == .HEAD
        if let problem = rules.problem(in: head, fields, &knownGood, hasTokens: hasTokens()) {
            return .refuse(head, problem)
        }
        body = BodyProgress(from: now, limits)
        deadline = body.deadline
        let target = ImmediateTarget(head, rules.origins)
        phase = target.map { .answering(head, $0) } ?? .routed(requestEnded: false)
        return .begin(head, isRouted: target == nil, awaitsContinue: fields.awaitsContinue(head.version))
    }

    private mutating func count(_ bytes: ByteBuffer, at now: NIODeadline) -> Action? {
        body.received(bytes.readableBytes, at: now)
        guard body.bytes <= limits.bodyBytes else { return .reject(.tooLarge(limits), hasRequest: true) }
        deadline = body.deadline
        return nil
    }

    private mutating func rejectNoRequest(_ problem: Problem) -> Action {
        isHead = false
        return .reject(problem, hasRequest: false)
    }

    /// Whether nothing that still comes can be a request or a part of one.
    var ignoresInput: Bool {
        switch phase {
        case .streaming, .closing: true
        case .waiting, .routed(requestEnded: true): ends.decoding
        case .idle, .answering, .routed: false
        }
    }

    /// Bytes have come, before they are decoded. If the decoder makes nothing of them, a head has begun.
    mutating func bytesArrived(_ bytes: ByteBuffer) {
        isUntouched = false
        guard case .idle = phase, input.isEmpty, !hasBegunHead else { return }
        // Empty lines before a request are ignored (RFC 9112, 2.2).
        hasBegunHead = bytes.readableBytesView.contains { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
    }

    mutating func bytesDecoded(at now: @autoclosure () -> NIODeadline) {
        guard hasBegunHead, case .idle = phase else { return }
        deadline = min(deadline, now() + .seconds(Int64(limits.headSeconds)))
    }
}

// MARK: Answers

extension ConnectionMachine {
    private mutating func wait(in phase: Phase) {
        self.phase = phase
        deadline = .distantFuture
    }

    /// The response waits for a revision, with its own time limit.
    mutating func wait() { wait(in: .waiting) }

    /// A request that was read for an answer here goes to the routes, complete.
    mutating func routeComplete() { wait(in: .routed(requestEnded: true)) }

    mutating func beginStream() { wait(in: .streaming) }

    /// A route answers.
    mutating func beginResponse() {
        guard case .routed(let requestEnded) = phase else { return }
        // Of a request that is answered before it is complete, the rest is not read.
        if !requestEnded || ends.isDraining { keepsAlive = false }
    }

    /// - Returns: whether the connection continues; otherwise it must be closed.
    mutating func endAnswer(at now: NIODeadline) -> Bool {
        guard keepsAlive, !ends.isDraining else { return false }
        phase = .idle
        deadline = now + .seconds(Int64(limits.idleSeconds))
        restsSince = now
        return true
    }

    enum Rejection {
        /// No answer can be sent any more.
        case ignore
        /// Send the problem, then close.
        case answer
        /// Close: the answer is a stream, which has begun.
        case close
    }

    /// Rejects the current request, or the input in place of the next one.
    mutating func reject() -> Rejection {
        if isClosing { return .ignore }
        keepsAlive = false
        switch phase {
        case .streaming: return .close
        case .idle, .answering, .waiting, .routed, .closing: return .answer
        }
    }

    /// The server stops before the connection has ended: nothing more is read, and the present request is still answered.
    ///
    /// - Returns: whether only the input must be closed; otherwise the whole connection.
    mutating func cancelInput() -> Bool {
        switch phase {
        case .idle, .streaming, .closing: return false
        case .answering, .waiting, .routed:
            ends.isCancelled = true
            return true
        }
    }
}

// MARK: Time and the end

extension ConnectionMachine {
    mutating func wrote(_ bytes: Int) { writes.wrote(bytes) }

    /// Checks the clock, about once a second.
    mutating func tick(outstanding: @autoclosure () -> Int, at now: NIODeadline) -> Action? {
        if writes.isWatched {
            let patience = TimeAmount.seconds(Int64(limits.stalledSeconds))
            switch writes.check(outstanding: outstanding(), at: now, patience: patience) {
            case .nothingOutstanding: break
            // A stream that ends with the server is not waited for, nor is a client that has been idle.
            case .progresses where ends.isSilent && deadline <= now: return .disconnect
            case .progresses: postpone(now)
            case .stalled: return .drop
            }
        }
        return deadline <= now ? timeOut() : nil
    }

    /// Deadlines that count from the last byte of an answer begin again while the client still receives it.
    private mutating func postpone(_ now: NIODeadline) {
        switch phase {
        case .idle: deadline = now + .seconds(Int64(hasBegunHead ? limits.headSeconds : limits.idleSeconds))
        case .closing: deadline = now + (ends.isDraining ? Self.shortLinger : Self.linger)
        case .answering, .waiting, .routed, .streaming: break
        }
    }

    private mutating func timeOut() -> Action {
        switch phase {
        case .idle where hasBegunHead: rejectNoRequest(.tooSlow)
        case .answering, .routed(requestEnded: false): .reject(.tooSlow, hasRequest: true)
        case .idle, .waiting, .routed, .streaming, .closing: .disconnect
        }
    }

    /// The server shuts down: the present request is completed, and no other begins. A connection without a request is closed
    /// at once.
    mutating func drain(outstanding: @autoclosure () -> Int, at now: NIODeadline) -> Action? {
        ends.isDraining = true
        switch phase {
        case .idle:
            if isUntouched { return .disconnect }
            guard input.isEmpty else { return nil }
            ends.isSilent = !hasBegunHead && outstanding() == 0
            return .close
        case .streaming:
            ends.isSilent = true
            return .endStream
        case .closing: deadline = min(deadline, now + Self.shortLinger)
        case .answering, .waiting, .routed: break
        }
        return nil
    }

    /// The last answer is written: what still comes is read and dropped for a moment.
    mutating func close(at now: NIODeadline) {
        phase = .closing
        input.removeAll()
        deadline = now + (ends.isDraining ? Self.shortLinger : Self.linger)
        writes.wrote(0)
    }

    mutating func drop(at now: NIODeadline) {
        close(at: now)
        writes = WriteProgress()
    }

    enum OutputEnd {
        case half
        /// Close everything after the last byte: with both ends closed, NIO discards its remaining output.
        case afterLastByte
        case whole
    }

    /// The way to end the output, once the channel has everything; `nil` if that has been done.
    mutating func endOutput() -> OutputEnd? {
        guard !ends.output else { return nil }
        ends.output = true
        return ends.isCancelled ? .whole : ends.input || ends.isSilent ? .afterLastByte : .half
    }
}
