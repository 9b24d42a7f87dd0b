internal import ConfigModel
internal import NIOCore

/// Encodes the events that lead streams to a state, as chunks of HTTP/1.1 and once for all streams at the same position.
struct StreamEncoder {
    /// Events as they stand on the wire.
    struct Batch {
        /// The bytes, which all streams share.
        let pieces: [ByteBuffer]
        /// The revision that a stream has reached after them.
        let position: UInt64
    }

    /// The most bytes of events that are joined: the memory that a stalled stream may cost on its own.
    static let batchBytes = 64 * 1024

    let state: NamespaceState
    private var batches: [UInt64: Batch] = [:]

    init(state: NamespaceState) {
        self.state = state
    }

    /// The next changes after a position, or a `reset` if they are not known any more.
    mutating func batch(after position: UInt64) -> Batch {
        if let batch = batches[position] { return batch }
        let next = state.encodedEvents(after: position, atMost: Self.batchBytes)
        let batch = next.map { Batch(pieces: Self.pieces($0.events), position: $0.position) } ?? reset
        batches[position] = batch
        return batch
    }

    /// The event that makes a client fetch a snapshot.
    var reset: Batch {
        batch(of: StreamEvent.reset(state.cursor, state.digest))
    }

    /// The event with the server's revision.
    var heartbeat: Batch {
        batch(of: StreamEvent.head(state.cursor, state.digest))
    }

    private func batch(of event: StreamEvent) -> Batch {
        Batch(pieces: [Self.chunk(ByteBuffer(bytes: event.encoded))], position: state.revision)
    }
}

extension StreamEncoder {
    /// The beginning of a stream: at the position of its client, if the changes since are known, or else at the present.
    ///
    /// - Parameter lastEventID: the `Last-Event-ID` field.
    /// - Returns: the bytes, and the position after which events follow.
    static func opening(_ state: NamespaceState, lastEventID: String?) -> (bytes: ByteBuffer, position: UInt64) {
        guard let lastEventID, !lastEventID.isEmpty else {
            return (chunk(hello(state.cursor, state.digest)), state.revision)
        }
        guard let cursor = Cursor(lastEventID), cursor.epoch == state.cursor.epoch,
            let digest = state.digest(at: cursor.revision)
        else {
            var bytes = hello(state.cursor, state.digest)
            bytes.writeBytes(StreamEvent.reset(state.cursor, state.digest).encoded)
            return (chunk(bytes), state.revision)
        }
        return (chunk(hello(cursor, digest)), cursor.revision)
    }

    /// The first event of every stream, with the time that browsers wait before they reconnect, in ms.
    private static func hello(_ cursor: Cursor, _ digest: ConfigDigest) -> ByteBuffer {
        ByteBuffer(bytes: Array("retry: 2000\n".utf8) + StreamEvent.hello(cursor, digest).encoded)
    }

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

    /// The end of a stream.
    static let end = ByteBuffer(string: "0\r\n\r\n")
}
