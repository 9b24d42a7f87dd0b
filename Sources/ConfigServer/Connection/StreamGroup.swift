internal import ConfigModel
internal import NIOCore

/// The streams of one namespace on one event loop.
///
/// A stream has no queue, only a position. The events between that and the present are in the state's ring, encoded once
/// for all streams; a stream whose client is slow stays at its position.
final class StreamGroup {
    let namespace: String
    private(set) var members: [ConnectionHandler] = []
    private let hub: ConfigHub
    private var epoch: Epoch?

    init(namespace: String, hub: ConfigHub) {
        self.namespace = namespace
        self.hub = hub
    }

    func add(_ member: ConnectionHandler) {
        member.streamIndex = members.count
        members.append(member)
    }

    func remove(_ member: ConnectionHandler) {
        let index = member.streamIndex
        guard index < members.count, members[index] === member else { return }
        members.swapAt(index, members.count - 1)
        members.removeLast()
        if index < members.count { members[index].streamIndex = index }
    }

    func flush() {
        guard let state = hub.state(of: namespace) else { return }
        let isOtherHistory = epoch != nil && epoch != state.cursor.epoch
        epoch = state.cursor.epoch
        var encoder = StreamEncoder(state: state)
        for member in members where isOtherHistory || member.streamPosition != state.revision {
            if isOtherHistory { member.write(encoder.reset) } else { advance(member, &encoder) }
        }
    }

    func flush(_ member: ConnectionHandler) {
        guard let state = hub.state(of: namespace) else { return }
        // A position means nothing in another history: that resets all streams.
        if epoch != state.cursor.epoch { return flush() }
        var encoder = StreamEncoder(state: state)
        advance(member, &encoder)
    }

    /// Writes events until the stream reaches the present or accepts no more. It continues from its position later.
    private func advance(_ member: ConnectionHandler, _ encoder: inout StreamEncoder) {
        while member.acceptsEvents, member.streamPosition != encoder.state.revision {
            member.write(encoder.batch(after: member.streamPosition))
        }
    }

    func heartbeat() {
        flush()
        guard let state = hub.state(of: namespace) else { return }
        let heartbeat = StreamEncoder(state: state).heartbeat
        for member in members where member.acceptsEvents && member.streamPosition == state.revision {
            member.write(heartbeat)
        }
    }
}

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
    private var batches: [UInt64: Batch] = [:]
    /// The one that was asked for last, which most streams need.
    private var last: (origin: UInt64, batch: Batch)?

    init(state: NamespaceState) {
        self.state = state
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
        let next = state.encodedEvents(after: position, atMost: Self.batchBytes)
        return next.map { Batch(pieces: Self.pieces($0.events), position: $0.position) } ?? reset
    }

    /// The event that makes a client fetch a snapshot.
    var reset: Batch { batch(of: StreamEvent.reset(state.cursor, state.digest)) }

    var heartbeat: Batch { batch(of: StreamEvent.head(state.cursor, state.digest)) }

    private func batch(of event: StreamEvent) -> Batch {
        Batch(pieces: [Self.chunk(ByteBuffer(bytes: event.encoded))], position: state.revision)
    }

    /// The beginning of a stream: at the position of its client, if the changes since are known, or else at the present.
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

    static let end = ByteBuffer(string: "0\r\n\r\n")
}
