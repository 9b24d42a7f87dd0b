// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel
internal import ConfigWire
internal import Files
internal import Foundation
internal import NIOCore

/// The streams of one topic on one event loop.
///
/// A stream has no queue, only a position. The events between that and the present are in the state's ring, encoded once
/// for all streams; a stream whose client is slow stays at its position.
final class StreamGroup {
    /// The data of a stream that a flush needs, contiguous in memory, unlike the connections.
    fileprivate struct Member {
        let connection: ConnectionHandler
        /// The revision that the stream's events have reached.
        var position: UInt64
        var socket: StreamSocket?
        /// The last change of drafts that it has been sent.
        var draftChange: Int?
    }

    /// The number of streams that are written to before the current state is read again.
    private static let stride = 32

    let topic: StreamTopic
    private var members: [Member] = []
    private let hub: NamespaceHub
    private var epoch: Epoch?
    /// The second of the last tick.
    private var second: Int
    /// The next second after that at which the time changes flags of a state.
    private var nextChange: (cursor: RevisionCursor, second: Int?)?

    /// - Parameter second: The time, in seconds since 1970.
    init(_ topic: StreamTopic, hub: NamespaceHub, at second: Int) {
        (self.topic, self.hub, self.second) = (topic, hub, second)
    }

    var connections: [ConnectionHandler] { members.map(\.connection) }
    var isEmpty: Bool { members.isEmpty }

    /// - Returns: the place of the connection, which it keeps for the group.
    func add(_ connection: ConnectionHandler, at position: UInt64, through socket: StreamSocket?) -> Int {
        members.append(Member(connection: connection, position: position, socket: socket))
        return members.count - 1
    }

    func remove(_ connection: ConnectionHandler) {
        guard let index = index(of: connection) else { return }
        members.swapAt(index, members.count - 1)
        members.removeLast()
        if index < members.count { members[index].connection.stream?.index = index }
    }

    private func index(of connection: ConnectionHandler) -> Int? {
        guard let index = connection.stream?.index else { return nil }
        return index < members.count && members[index].connection === connection ? index : nil
    }

    func flush() {
        guard let state = hub.state(of: topic) else {
            // A draft that has ended has no preview.
            if topic.draft != nil { for connection in connections { connection.endStream() } }
            return
        }
        if let epoch, epoch != state.cursor.epoch {
            self.epoch = state.cursor.epoch
            let reset = StreamEncoder(state, topic).reset
            for connection in connections { write(reset, to: connection) }
        } else {
            epoch = state.cursor.epoch
            advance(members.indices, to: state)
        }
        if topic.hasDrafts { for connection in connections { sendDrafts(to: connection) } }
    }

    /// Writes the states of drafts that have changed.
    private func sendDrafts(to connection: ConnectionHandler) {
        guard connection.acceptsEvents, let index = index(of: connection) else { return }
        let (marks, change) = hub.draftBoard.marks(of: topic.namespace, after: members[index].draftChange)
        members[index].draftChange = change
        if marks.isEmpty { return }
        members[index].socket?.close()
        connection.sendNow(topic.framing.framed(ByteBuffer(bytes: marks.flatMap(\.encoded))))
    }

    func flush(_ connection: ConnectionHandler) {
        guard let state = hub.state(of: topic) else { return }
        // A position means nothing in another history: that resets all streams.
        if epoch != state.cursor.epoch { return flush() }
        if let index = index(of: connection) { advance(index..<index + 1, to: state) }
        if topic.hasDrafts { sendDrafts(to: connection) }
    }

    /// Makes clients fetch the flags again if one may have changed because time has passed.
    ///
    /// Rules are not compiled here: a client that has the flags of a state has had that done.
    func tick(at now: Int) {
        guard topic.form == .flags, let state = hub.state(of: topic), state.knowsTime else { return }
        let next = nextChange?.cursor == state.cursor ? nextChange?.second : state.nextChange(after: second)
        second = now
        let isReached = next.map { $0 <= now } ?? false
        nextChange = (state.cursor, isReached ? state.nextChange(after: now) : next)
        guard isReached else { return }
        // Before every change of a flag.
        for index in members.indices { members[index].position = 0 }
        flush()
    }

    func heartbeat() {
        flush()
        guard let state = hub.state(of: topic) else { return }
        let heartbeat = StreamEncoder(state, topic).heartbeat
        for member in members where member.connection.acceptsEvents && member.position == state.revision {
            write(heartbeat, to: member.connection)
        }
    }

    /// Writes missing changes to streams, as far as they accept them. They continue from their position later.
    private func advance(_ range: Range<Int>, to state: NamespaceState) {
        var encoder = StreamEncoder(state, topic)
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

    /// Reads the state again: the streams that follow receive the commits made since in the same write.
    private func refresh(_ encoder: inout StreamEncoder) {
        guard let newer = hub.state(of: topic), newer !== encoder.state, newer.cursor.epoch == epoch else {
            return
        }
        encoder = StreamEncoder(newer, topic)
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

/// Writes a stream's events straight to its socket: the way through the channel takes several times as long.
///
/// It is open only while the channel has no pending output. Bytes that the kernel does not accept go through the channel, and
/// so does everything after them until the kernel has accepted those: order, waiting and errors remain with the channel.
struct StreamSocket {
    private let channel: any Channel
    private let descriptor: NIOBSDSocket.Handle
    private var isOpen = false

    /// - Returns: `nil` if the channel has no socket.
    init?(_ context: ChannelHandlerContext) {
        guard let descriptor = context.withSocket({ $0 }) else { return nil }
        (channel, self.descriptor) = (context.channel, descriptor)
    }

    /// Whether bytes may be written here.
    ///
    /// - Parameter isReady: whether the connection itself has no pending output; not evaluated while the socket is open.
    mutating func isOpen(if isReady: @autoclosure () -> Bool) -> Bool {
        // A channel that is closed is not open for bytes.
        if !isOpen, isReady() { isOpen = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) == 0 }
        return isOpen
    }

    /// Bytes have been written to the channel.
    mutating func close() { isOpen = false }

    /// Writes bytes without waiting, and returns how many of them the kernel has accepted; the others are for the channel.
    ///
    /// To be called on the event loop: there, a channel is active exactly as long as its descriptor is its own.
    mutating func write(_ bytes: ByteBuffer) -> Int {
        guard isOpen, channel.isActive else {
            isOpen = false
            return 0
        }
        let count = bytes.withUnsafeReadableBytes { send(descriptor, $0.baseAddress, $0.count, Sockets.sendFlags) }
        isOpen = count == bytes.readableBytes
        // The channel detects an error as well, and closes.
        return max(0, count)
    }
}
