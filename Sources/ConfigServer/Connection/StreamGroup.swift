internal import ConfigModel
internal import NIOCore

/// The streams of one namespace on one event loop.
///
/// A stream has no queue, only a position. The events between that and the present are in the state's ring, encoded once
/// for all streams; a stream whose client is slow stays at its position.
final class StreamGroup {
    /// What a flush needs of a stream. The members lie side by side in memory; the connections do not.
    fileprivate struct Member {
        let connection: ConnectionHandler
        /// The revision that the stream's events have reached.
        var position: UInt64
        var socket: StreamSocket?
    }

    /// So many streams are written to before the present is read again.
    private static let stride = 32

    let namespace: String
    private var members: [Member] = []
    private let hub: ConfigHub
    private var epoch: Epoch?

    init(namespace: String, hub: ConfigHub) {
        self.namespace = namespace
        self.hub = hub
    }

    var connections: [ConnectionHandler] { members.map(\.connection) }
    var isEmpty: Bool { members.isEmpty }

    func add(_ connection: ConnectionHandler, at position: UInt64, through socket: StreamSocket?) {
        connection.streamIndex = members.count
        members.append(Member(connection: connection, position: position, socket: socket))
    }

    func remove(_ connection: ConnectionHandler) {
        guard let index = index(of: connection) else { return }
        members.swapAt(index, members.count - 1)
        members.removeLast()
        if index < members.count { members[index].connection.streamIndex = index }
    }

    private func index(of connection: ConnectionHandler) -> Int? {
        let index = connection.streamIndex
        return index < members.count && members[index].connection === connection ? index : nil
    }

    func flush() {
        guard let state = hub.state(of: namespace) else { return }
        if let epoch, epoch != state.cursor.epoch {
            self.epoch = state.cursor.epoch
            let reset = StreamEncoder(state: state).reset
            for connection in connections { write(reset, to: connection) }
        } else {
            epoch = state.cursor.epoch
            advance(members.indices, to: state)
        }
    }

    func flush(_ connection: ConnectionHandler) {
        guard let state = hub.state(of: namespace) else { return }
        // A position means nothing in another history: that resets all streams.
        if epoch != state.cursor.epoch { return flush() }
        if let index = index(of: connection) { advance(index..<index + 1, to: state) }
    }

    func heartbeat() {
        flush()
        guard let state = hub.state(of: namespace) else { return }
        let heartbeat = StreamEncoder(state: state).heartbeat
        for member in members where member.connection.acceptsEvents && member.position == state.revision {
            write(heartbeat, to: member.connection)
        }
    }

    /// Writes streams what they lack, as far as they accept it. They continue from their position later.
    private func advance(_ range: Range<Int>, to state: NamespaceState) {
        var encoder = StreamEncoder(state: state)
        var others: [(connection: ConnectionHandler, rest: ByteBuffer?)] = []
        members.withUnsafeMutableBufferPointer { members in
            for index in range {
                if index % Self.stride == Self.stride - 1 { refresh(&encoder) }
                if members[index].position == encoder.state.revision { continue }
                let rest = members[index].advance(&encoder)
                if rest != nil || members[index].position != encoder.state.revision {
                    others.append((members[index].connection, rest))
                }
            }
        }
        for (connection, rest) in others {
            if let rest { connection.sendNow(rest) }
            while connection.acceptsEvents, let index = index(of: connection),
                members[index].position != encoder.state.revision
            {
                write(encoder.batch(after: members[index].position), to: connection)
            }
        }
    }

    /// Reads the state again: the streams that follow receive what has been committed meanwhile in the same write.
    private func refresh(_ encoder: inout StreamEncoder) {
        guard let newer = hub.state(of: namespace), newer !== encoder.state, newer.cursor.epoch == epoch else { return }
        encoder = StreamEncoder(state: newer)
    }

    /// Writes events through the channel.
    private func write(_ events: StreamEncoder.Batch, to connection: ConnectionHandler) {
        guard let index = index(of: connection) else { return }
        members[index].position = events.position
        members[index].socket?.close()
        for piece in events.pieces { connection.sendNow(piece) }
    }
}

extension StreamGroup.Member {
    /// Writes events to the socket, as far as it is open and accepts them.
    ///
    /// - Returns: the bytes of an event that the socket has not accepted.
    fileprivate mutating func advance(_ encoder: inout StreamEncoder) -> ByteBuffer? {
        while position != encoder.state.revision, socket?.isOpen(if: connection.hasNothingToSend) ?? false {
            let events = encoder.batch(after: position)
            guard events.pieces.count == 1, let count = socket?.write(events.pieces[0]) else { return nil }
            position = events.position
            let rest = events.pieces[0].readableBytes - count
            if rest > 0 { return events.pieces[0].getSlice(at: events.pieces[0].readerIndex + count, length: rest) }
        }
        return nil
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
