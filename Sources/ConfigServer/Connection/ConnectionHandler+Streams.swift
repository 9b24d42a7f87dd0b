internal import ConfigModel
internal import NIOCore
internal import NIOHTTP1

extension ConnectionHandler {
    /// Turns the connection into a stream.
    func becomeStream(of state: NamespaceState, for holder: Principal, lastEventID: String?) {
        streamHolder = holder
        let group = loop.addStream(self, of: state.namespace)
        phase = .streaming(group)
        deadline = .distantFuture
        // Subscribed first, read then: what is committed in between is flushed on this loop after this.
        let present = loop.services.hub.state(of: state.namespace) ?? state
        let head = Reply(
            .ok,
            headers: [
                "content-type": "text/event-stream; charset=utf-8",
                "cache-control": "no-store",
                "x-accel-buffering": "no",
                "transfer-encoding": "chunked",
            ]
        ).announcing(loop.services.hub.quotas, state)
        let extra = loop.standardLines + loop.services.cors.lines(origin: origin)
        var bytes = head.encodedHead(extra: extra)
        let opening = StreamEncoder.opening(present, lastEventID: lastEventID)
        bytes.writeImmutableBuffer(opening.bytes)
        streamPosition = opening.position
        send(bytes)
        flushWire()
        // What the client has missed is in the ring already: it follows as if it happened now, and is copied for nobody.
        group.flush(self, loop.services)
    }

    /// Whether events are to be written now.
    var takesEvents: Bool {
        guard case .streaming = phase, outbox.isEmpty else { return false }
        return context?.channel.isWritable ?? false
    }

    /// Writes events.
    func sendEvents(_ batch: StreamEncoder.Batch) {
        streamPosition = batch.position
        for piece in batch.pieces { send(piece) }
        flushWire()
    }

    /// Ends a stream as HTTP ends a body.
    func endStream() {
        send(StreamEncoder.end)
        closeGently()
    }
}
