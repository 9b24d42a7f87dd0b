internal import ConfigModel
internal import NIOCore

/// Encodes what leads streams to a state as chunks of HTTP/1.1, once for all streams at the same position.
struct StreamEncoder {
    let state: NamespaceState
    private var chunks: [UInt64: ByteBuffer] = [:]

    init(state: NamespaceState) {
        self.state = state
    }

    /// The changes since a position, or a `reset` if they are not known any more.
    mutating func events(after position: UInt64) -> ByteBuffer {
        if let chunk = chunks[position] { return chunk }
        let chunk = state.encodedEvents(after: position).map(Self.chunk) ?? reset
        chunks[position] = chunk
        return chunk
    }

    /// Tells streams to take a snapshot.
    var reset: ByteBuffer {
        Self.chunk(StreamEvent.reset(state.cursor, state.digest).encoded)
    }

    /// How a stream begins: where it is, and what has happened since.
    ///
    /// - Parameters:
    ///   - lastEventID: the `Last-Event-ID` field.
    ///   - isReset: whether a client with a last event is told to take a snapshot.
    static func opening(_ state: NamespaceState, lastEventID: String?) -> ByteBuffer {
        // Browsers wait so long before they connect again.
        var bytes = Array("retry: 2000\n\n".utf8)
        let present = StreamEvent.hello(state.cursor, state.digest).encoded
        guard let lastEventID, !lastEventID.isEmpty else { return chunk(bytes + present) }
        guard let cursor = Cursor(lastEventID), cursor.epoch == state.cursor.epoch,
            let digest = state.digest(at: cursor.revision),
            let events = state.encodedEvents(after: cursor.revision)
        else {
            return chunk(bytes + present + StreamEvent.reset(state.cursor, state.digest).encoded)
        }
        bytes += StreamEvent.hello(cursor, digest).encoded
        return chunk(bytes + Array(events.readableBytesView))
    }

    static func chunk(_ bytes: [UInt8]) -> ByteBuffer {
        chunk(ByteBuffer(bytes: bytes))
    }

    static func chunk(_ payload: ByteBuffer) -> ByteBuffer {
        var chunk = ByteBufferAllocator().buffer(capacity: payload.readableBytes + 16)
        chunk.writeString(String(payload.readableBytes, radix: 16) + "\r\n")
        chunk.writeImmutableBuffer(payload)
        chunk.writeString("\r\n")
        return chunk
    }

    /// The end of a stream.
    static let end = ByteBuffer(string: "0\r\n\r\n")
}
