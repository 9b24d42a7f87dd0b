// SPDX-License-Identifier: Apache-2.0

package import ConfigHub
internal import ConfigModel
internal import ConfigWire
package import NIOCore

/// Encodes the events that lead streams to a state, once for all streams at the same position.
package struct StreamEncoder {
    package struct Batch {
        package let pieces: [ByteBuffer]
        /// The revision that a stream has reached after them.
        package let position: UInt64
    }

    /// The maximum size of joined events: the memory that one stalled stream may cost.
    private static let batchBytes = 64 * 1024

    package let state: NamespaceState
    private let topic: StreamTopic
    private var batches: [UInt64: Batch] = [:]
    /// The most recently used one, which most streams need.
    private var last: (origin: UInt64, batch: Batch)?

    package init(_ state: NamespaceState, _ topic: StreamTopic) {
        (self.state, self.topic) = (state, topic)
    }

    /// The next changes after a position, or a `reset` if they are not known any more.
    package mutating func batch(after position: UInt64) -> Batch {
        if let last, last.origin == position { return last.batch }
        let batch = batches[position] ?? make(after: position)
        batches[position] = batch
        last = (position, batch)
        return batch
    }

    private func make(after position: UInt64) -> Batch {
        if topic.form == .flags { return state.hasSameFlags(since: position) ? heartbeat : reset }
        let isWithSchemas = topic.form == .changesWithSchemas
        let next = state.encodedEvents(after: position, atMost: Self.batchBytes, schemas: isWithSchemas)
        return next.map { Batch(pieces: topic.framing.pieces($0.events), position: $0.position) } ?? reset
    }

    /// The event that makes a client fetch everything.
    var reset: Batch { batch(of: topic.form.reset(state)) }

    package var heartbeat: Batch { batch(of: topic.form.heartbeat(state)) }

    private func batch(of event: [UInt8]) -> Batch {
        Batch(pieces: [topic.framing.framed(ByteBuffer(bytes: event))], position: state.revision)
    }

    /// The beginning of a stream: at the position of its client, if the changes since are known, or else at the present.
    ///
    /// Clients of flag evaluation are notified at once, since their flags may be older than the stream.
    package func opening(lastEventID: String?) -> (events: ByteBuffer, position: UInt64) {
        if topic.form == .flags { return (Self.first(topic.form.reset(state)), state.revision) }
        guard let lastEventID, !lastEventID.isEmpty else {
            return (hello(state.cursor, state.digests), state.revision)
        }
        guard let cursor = RevisionCursor(lastEventID), cursor.epoch == state.cursor.epoch,
            let digests = state.digests(at: cursor.revision)
        else {
            var bytes = hello(state.cursor, state.digests)
            bytes.writeBytes(topic.form.reset(state))
            return (bytes, state.revision)
        }
        return (hello(cursor, digests), cursor.revision)
    }

    private func hello(_ cursor: RevisionCursor, _ digests: NamespaceState.Digests) -> ByteBuffer {
        let schemas = topic.form.schemaDigest(digests)
        return Self.first(StreamEvent.hello(cursor, digests.values, schemas: schemas).encoded)
    }

    /// The first event of every stream, with the time that clients wait before they reconnect, in ms. They show a lost server
    /// within 2 s, so the first attempt has to come well before.
    private static func first(_ event: [UInt8]) -> ByteBuffer { ByteBuffer(bytes: Array("retry: 1000\n".utf8) + event) }
}

extension StreamFraming {
    /// The maximum number of bytes that are copied into a chunk.
    private static let chunkBytes = 64 * 1024

    /// Bytes in one piece if they are few, and else with their chunk around them as they are.
    fileprivate func pieces(_ payload: ByteBuffer) -> [ByteBuffer] {
        guard self == .chunks, payload.readableBytes > Self.chunkBytes else { return [framed(payload)] }
        return [ByteBuffer(string: Self.sizeLine(payload)), payload, ByteBuffer(string: "\r\n")]
    }

    func framed(_ payload: ByteBuffer) -> ByteBuffer {
        guard self == .chunks else { return payload }
        var chunk = ByteBufferAllocator().buffer(capacity: payload.readableBytes + 16)
        chunk.writeString(Self.sizeLine(payload))
        chunk.writeImmutableBuffer(payload)
        chunk.writeString("\r\n")
        return chunk
    }

    private static func sizeLine(_ payload: ByteBuffer) -> String { String(payload.readableBytes, radix: 16) + "\r\n" }

    /// The end of a stream; `nil` if only the connection ends it.
    var end: ByteBuffer? { self == .chunks ? ByteBuffer(string: "0\r\n\r\n") : nil }
}
