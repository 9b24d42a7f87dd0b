// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel
internal import Metrics
internal import NIOCore
internal import NIOHTTP1

/// Recognizes a request with the same bytes as the one before, as a polling client sends, and one with the same head before
/// another body, as a client of evaluations sends: its head is not decoded and checked again.
///
/// A request is remembered only if the decoder has turned its bytes into one whole request and buffers nothing of another. The
/// same bytes behind it are then the same request.
///
/// | state | event | next state |
/// |---|---|---|
/// | `between`, `within` | ``decodes(_:)`` | `decoding`, of nothing so far |
/// | `decoding` | ``received(_:)``, ``failed()`` | `decoding`, with the number of heads, and whether the last part was an end |
/// | `decoding` | ``answered(_:_:_:)``, ``answered(_:)`` | `decoding`, with the request if that is the only one in the bytes |
/// | `decoding` | ``decoded(_:)`` | `between`, with the request, at the end of one; else `within` |
/// | `between` | ``answered(_:_:_:)``, ``forgetAnswer()`` | `between`, with another answer to the read |
struct RepeatedRequest {
    /// Longer ones are not remembered: each connection keeps its own.
    private static let maximumBytes = 4096

    enum Last {
        case read(Read)
        /// A request that its route answers at once in most cases. It has no body here.
        case call(RouteCall)
    }

    /// A read that was answered from memory, with the answer to it.
    final class Read {
        let head: HTTPRequestHead
        let target: ImmediateTarget
        /// Kept for a second: after it the answer has another date.
        fileprivate(set) var answer: ReadyAnswer?

        fileprivate init(_ head: HTTPRequestHead, _ target: ImmediateTarget, _ answer: ReadyAnswer) {
            (self.head, self.target, self.answer) = (head, target, answer)
        }
    }

    private enum State {
        /// The decoder buffers nothing: the next byte begins a request, which may be the last one again.
        case between(last: (Last, HeadBytes)?)
        /// The decoder buffers the beginning of a request.
        case within
        case decoding(Decoded)
    }

    /// The result of the bytes that are being decoded.
    private struct Decoded {
        /// Whether the bytes may be a whole request.
        let mayBeWhole: Bool
        var heads = 0
        var isAtEnd = false
        var last: Last?
    }

    private var state = State.between(last: nil)

    private var read: Read? { if case .between((.read(let read), _)?) = state { read } else { nil } }

    /// The last request, with the body that it has now, if the bytes begin with it again. It is removed from them.
    func next(in bytes: inout ByteBuffer) -> (Last, body: ByteBuffer)? {
        guard case .between((let last, let head)?) = state, let body = head.removeRequest(from: &bytes) else {
            return nil
        }
        return (last, body)
    }

    /// Bytes go to the decoder.
    mutating func decodes(_ bytes: ByteBuffer) {
        let isBetween = if case .between = state { true } else { false }
        state = .decoding(Decoded(mayBeWhole: isBetween && bytes.readableBytes <= Self.maximumBytes))
    }

    /// The decoder has made a part of a request of them.
    mutating func received(_ part: HTTPServerRequestPart) {
        guard case .decoding(var decoded) = state else { return }
        if case .head = part { decoded.heads += 1 }
        decoded.isAtEnd = if case .end = part { true } else { false }
        state = .decoding(decoded)
    }

    /// The decoder has failed, and nothing that follows is a request.
    mutating func failed() {
        guard case .decoding(var decoded) = state else { return }
        decoded.isAtEnd = false
        state = .decoding(decoded)
    }

    /// The last request was answered from memory: the one that ends with the last part, or the one that has come again.
    mutating func answered(_ head: HTTPRequestHead, _ target: ImmediateTarget, _ answer: ReadyAnswer) {
        read?.answer = answer
        remember(.read(Read(head, target, answer)))
    }

    /// The last request is answered by its route.
    mutating func answered(_ call: RouteCall) { remember(.call(call.withoutBody)) }

    private mutating func remember(_ last: Last) {
        guard case .decoding(var decoded) = state, decoded.mayBeWhole, decoded.heads == 1, decoded.isAtEnd else {
            return
        }
        decoded.last = last
        state = .decoding(decoded)
    }

    /// A second has passed: an idle connection must not keep an answer that is out of date.
    mutating func forgetAnswer() { read?.answer = nil }

    /// The decoder has processed the bytes.
    mutating func decoded(_ bytes: ByteBuffer) {
        guard case .decoding(let decoded) = state else { return }
        guard decoded.isAtEnd else {
            state = .within
            return
        }
        // The head that a later request in the same bytes has would be a second one.
        if decoded.heads == 1, let last = decoded.last, let head = HeadBytes(ofRequest: bytes) {
            state = .between(last: (last, head))
            return
        }
        // An empty line after the end of a request is ignored, and anywhere else it would end a head. So the decoder buffers
        // nothing if the last part was an end and the bytes end with an empty line.
        let endsWithEmptyLine = bytes.readableBytesView.suffix(4).elementsEqual("\r\n\r\n".utf8)
        state = endsWithEmptyLine ? .between(last: nil) : .within
    }
}

/// The bytes of a response, and the state that they depend on besides the request.
struct ReadyAnswer {
    let bytes: ByteBuffer
    let counter: Counter
    let moment: Moment
    /// The expiry of the request's token; `nil` if it does not expire.
    let expiresAt: Timestamp?

    /// Everything that can change between two responses to one request, as numbers that change with it.
    struct Moment: Equatable {
        /// The configuration in memory.
        let memory: UInt64
        let tokens: UInt64
        /// The second that answers are dated with.
        let second: Int
    }

    fileprivate func hasExpired(_ now: () -> Timestamp) -> Bool { expiresAt.map { $0 <= now() } ?? false }
}

extension ConnectionHandler {
    /// Answers the last request again if the bytes begin with it, and removes it from them.
    func answerAgain(_ bytes: inout ByteBuffer) -> Bool {
        guard machine.mayRepeat, isReadyToAnswer, let (last, body) = repeated.next(in: &bytes) else { return false }
        switch last {
        case .read(let read): answerAgain(read)
        case .call(let call):
            machine.routeComplete()
            slices.begin()
            let call = call.repeated(with: body, services.bodies)
            if call.refusal != nil { refuse(call) } else { answer(call) }
        }
        return true
    }

    private func answerAgain(_ read: RepeatedRequest.Read) {
        let start = NIODeadline.now()
        guard let answer = read.answer, answer.moment == loop.moment, !answer.hasExpired(services.policy.now) else {
            machine.repeat(read.head, read.target)
            return self.answer(read.head, read.target)
        }
        send(answer.bytes)
        endAnswer()
        services.metrics.answered(answer.counter, in: .now() - start)
    }
}
