// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import NIOCore

/// Encodes the events that lead streams to a state, as chunks of HTTP/1.1 and once for all streams at the same position.
struct StreamEncoder {
    struct Batch {
        let pieces: [ByteBuffer]
        /// The revision that a stream has reached after them.
        let position: UInt64
    }

    /// The most bytes of events that are joined: the memory that a stalled stream may cost on its own.
    private static let batchBytes = 64 * 1024

    let state: NamespaceState
    private let form: StreamForm
    private var batches: [UInt64: Batch] = [:]
    /// The one that was asked for last, which most streams need.
    private var last: (origin: UInt64, batch: Batch)?

    init(_ state: NamespaceState, _ form: StreamForm) {
        self.state = state
        self.form = form
    }

    /// The next changes after a position, or a `reset` if they are not known any more.
    mutating func batch(after position: UInt64) -> Batch {
        if let last, last.origin == position { return last.batch }
        let batch = batches[position] ?? make(after: position)
        batches[position] = batch
        last = (position, batch)
        return batch
    }

    private func make(after position: UInt64) -> Batch {
        if form == .flags { return state.hasSameFlags(since: position) ? heartbeat : reset }
        let next = state.encodedEvents(after: position, atMost: Self.batchBytes)
        return next.map { Batch(pieces: Self.pieces($0.events), position: $0.position) } ?? reset
    }

    /// The event that makes a client fetch everything.
    var reset: Batch { batch(of: form.reset(state)) }

    var heartbeat: Batch { batch(of: form.heartbeat(state)) }

    private func batch(of event: [UInt8]) -> Batch {
        Batch(pieces: [Self.chunk(ByteBuffer(bytes: event))], position: state.revision)
    }

    /// The beginning of a stream: at the position of its client, if the changes since are known, or else at the present.
    ///
    /// Those whom flags are evaluated for are told to ask at once: what they have may be older than the stream.
    static func opening(
        _ state: NamespaceState,
        _ form: StreamForm,
        lastEventID: String?
    ) -> (bytes: ByteBuffer, position: UInt64) {
        if form == .flags { return (chunk(first(form.reset(state))), state.revision) }
        guard let lastEventID, !lastEventID.isEmpty else {
            return (chunk(hello(state.cursor, state.digest)), state.revision)
        }
        guard let cursor = Cursor(lastEventID), cursor.epoch == state.cursor.epoch,
            let digest = state.digest(at: cursor.revision)
        else {
            var bytes = hello(state.cursor, state.digest)
            bytes.writeBytes(form.reset(state))
            return (chunk(bytes), state.revision)
        }
        return (chunk(hello(cursor, digest)), cursor.revision)
    }

    private static func hello(_ cursor: Cursor, _ digest: ConfigDigest) -> ByteBuffer {
        first(StreamEvent.hello(cursor, digest).encoded)
    }

    /// The first event of every stream, with the time that browsers wait before they reconnect, in ms.
    private static func first(_ event: [UInt8]) -> ByteBuffer { ByteBuffer(bytes: Array("retry: 2000\n".utf8) + event) }

    /// A chunk, in one piece if it is small, and else around the bytes as they are.
    private static func pieces(_ payload: ByteBuffer) -> [ByteBuffer] {
        guard payload.readableBytes > batchBytes else { return [chunk(payload)] }
        return [ByteBuffer(string: sizeLine(payload)), payload, ByteBuffer(string: "\r\n")]
    }

    private static func chunk(_ payload: ByteBuffer) -> ByteBuffer {
        var chunk = ByteBufferAllocator().buffer(capacity: payload.readableBytes + 16)
        chunk.writeString(sizeLine(payload))
        chunk.writeImmutableBuffer(payload)
        chunk.writeString("\r\n")
        return chunk
    }

    private static func sizeLine(_ payload: ByteBuffer) -> String { String(payload.readableBytes, radix: 16) + "\r\n" }

    static let end = ByteBuffer(string: "0\r\n\r\n")
}
