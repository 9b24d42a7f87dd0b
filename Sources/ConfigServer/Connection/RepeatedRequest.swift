// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel
internal import NIOCore
internal import NIOHTTP1

/// Recognizes a request with the same bytes as the one before, as a polling client sends: it is not decoded again.
///
/// A request is remembered only if the decoder has turned its bytes into one whole request and buffers nothing of another. The
/// same bytes behind it are then the same request.
struct RepeatedRequest {
    /// Longer ones are not remembered: each connection keeps its own.
    private static let maximumBytes = 4096

    /// A read that was answered from memory, with the answer to it.
    final class Read {
        let head: HTTPRequestHead
        let target: ImmediateTarget
        /// Kept for a second: after it the answer has another date.
        fileprivate(set) var answer: ReadyAnswer?
        fileprivate var bytes = ByteBuffer()

        fileprivate init(_ head: HTTPRequestHead, _ target: ImmediateTarget, _ answer: ReadyAnswer) {
            (self.head, self.target, self.answer) = (head, target, answer)
        }
    }

    private var last: Read?
    /// The request in the bytes that are being decoded.
    private var next: Read?
    private var heads = 0
    /// Whether the last part of a request was its end.
    private var isAtEnd = false
    /// Whether the decoder buffers nothing: the next byte starts a request.
    private var isBetweenRequests = true
    /// Whether the bytes that are being decoded may be a whole request.
    private var mayBeWhole = false

    /// The last request, if the bytes begin with it again. It is removed from them.
    func next(in bytes: inout ByteBuffer) -> Read? {
        guard let last, bytes.getSlice(at: bytes.readerIndex, length: last.bytes.readableBytes) == last.bytes else {
            return nil
        }
        bytes.moveReaderIndex(forwardBy: last.bytes.readableBytes)
        return last
    }

    /// Bytes go to the decoder.
    mutating func decodes(_ bytes: ByteBuffer) {
        mayBeWhole = isBetweenRequests && bytes.readableBytes <= Self.maximumBytes
        (last, next, heads, isAtEnd, isBetweenRequests) = (nil, nil, 0, false, false)
    }

    /// The decoder has made a part of a request of them.
    mutating func received(_ part: HTTPServerRequestPart) {
        if case .head = part { heads += 1 }
        if case .end = part { isAtEnd = true } else { isAtEnd = false }
    }

    /// The decoder has failed, and nothing that follows is a request.
    mutating func failed() { isAtEnd = false }

    /// The last request was answered from memory: the one that ends with the last part, or the one that has come again.
    mutating func answered(_ head: HTTPRequestHead, _ target: ImmediateTarget, _ answer: ReadyAnswer) {
        if let last {
            last.answer = answer
        } else if mayBeWhole, heads == 1, isAtEnd {
            next = Read(head, target, answer)
        }
    }

    /// A second is over. An idle connection is not to keep an answer that cannot be sent any more.
    mutating func forgetAnswer() { last?.answer = nil }

    /// The decoder has processed the bytes.
    mutating func decoded(_ bytes: ByteBuffer) {
        // An empty line after the end of a request is ignored, and anywhere else it would end a head. So the decoder buffers
        // nothing if the last part was an end and the bytes end with an empty line.
        isBetweenRequests = isAtEnd && bytes.readableBytesView.suffix(4).elementsEqual("\r\n\r\n".utf8)
        if isBetweenRequests, heads == 1, let next {
            // A copy, since the buffer is larger and is read into again.
            next.bytes = ByteBuffer(bytes: bytes.readableBytesView)
            last = next
        }
        next = nil
    }
}

/// The bytes of a response, and the state that they depend on besides the request.
struct ReadyAnswer {
    let bytes: ByteBuffer
    let count: ServerMetrics.Answers
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
        guard machine.mayRepeat, isReadyToAnswer, let read = repeated.next(in: &bytes) else { return false }
        let start = NIODeadline.now()
        guard let answer = read.answer, answer.moment == loop.moment, !answer.hasExpired(services.policy.now) else {
            machine.repeat(read.head, read.target)
            self.answer(read.head, read.target)
            return true
        }
        send(answer.bytes)
        endAnswer()
        answer.count.add(in: .now() - start)
        return true
    }
}
