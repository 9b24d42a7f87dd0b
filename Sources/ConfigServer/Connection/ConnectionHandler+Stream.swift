// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel
internal import ConfigWire
internal import NIOCore
internal import NIOHTTP1

// MARK: From a request to a stream

extension ConnectionHandler {
    func answerEvents(_ head: HTTPRequestHead, _ topic: StreamTopic, after catchUp: CatchUp?) throws(Problem) {
        let holder = try authorize(head, topic)
        let state = try services.state(of: topic)
        let conditions = ReadConditions(head.headers)
        if try conditions.isKnown(tag: nil) {
            return send(Reply(.notModified, headers: ["cache-control": "no-store"]))
        }
        guard head.method == .GET else {
            // Without a length: a stream has none.
            let answer = streamHead(of: state)
            send(answer.encoded(extra: answerLines, keepsAlive: machine.keepsAlive, isStream: true))
            endAnswer()
            return services.metrics.answered(route: topic.route, status: 200)
        }
        let lastEventID = head.headers.first(name: "last-event-id")
        let seen = conditions.latestSeen(of: state.cursor.epoch, lastEventID: lastEventID)
        if catchUp == nil, let seen, services.hub.head?.isBehind(seen) == true {
            return answerLater(head, .events(topic), seen)
        }
        beginStream(of: state, topic, for: holder, lastEventID: lastEventID)
        services.metrics.answered(route: topic.route, status: 200)
    }

    /// By the token of the request, or by the ticket in the address of flags' events.
    private func authorize(_ head: HTTPRequestHead, _ topic: StreamTopic) throws(Problem) -> Principal {
        if topic.form != .flags { return try authorize(topic.namespace, head.headers.joined("authorization")) }
        if let ticket = try RequestTarget(head.uri).parameter(.streamToken) {
            return try services.admit(ticket, to: topic.namespace, client: peer.client)
        }
        return try authorize(topic.namespace, RequestFields(head).authorizationOrKey)
    }

    private func streamHead(of state: NamespaceState) -> Reply {
        let fields: HTTPHeaders = [
            "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store", "x-accel-buffering": "no",
        ]
        return Reply(.ok, headers: fields).announcing(services.hub.quotas, state)
    }

    private func beginStream(
        of state: NamespaceState,
        _ topic: StreamTopic,
        for holder: Principal,
        lastEventID: String?
    ) {
        machine.beginStream()
        leaveHTTP()
        // Later commits are flushed on this loop, after this.
        let present = services.hub.state(of: topic) ?? state
        let opening = StreamEncoder(present, topic).opening(lastEventID: lastEventID)
        let socket = peer.isEncrypted ? nil : context.flatMap(StreamSocket.init)
        let (group, index) = loop.streams.add(self, to: topic, at: opening.position, through: socket)
        stream = (group, holder, index)
        var head = streamHead(of: state)
        if topic.framing == .chunks { head.headers.add(name: "transfer-encoding", value: "chunked") }
        var bytes = head.encoded(extra: answerLines, keepsAlive: topic.framing == .chunks, isStream: true)
        bytes.writeImmutableBuffer(topic.framing.framed(opening.events))
        sendNow(bytes)
        // The changes that the client has missed are in the ring: they follow as if they happened now, and are not copied.
        group.flush(self)
    }

    /// Frees what only requests and their answers need.
    private func leaveHTTP() {
        guard let context else { return }
        let pipeline = context.pipeline.syncOperations
        // It is absent if the pipeline was torn down.
        if let decoder = try? pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self) {
            pipeline.removeHandler(context: decoder, promise: nil)
        }
        endRequests()
    }
}

// MARK: Events

extension ConnectionHandler {
    var acceptsEvents: Bool { stream != nil && isReadyToAnswer }
    var hasNothingToSend: Bool { outbox.isEmpty }

    func sendNow(_ bytes: ByteBuffer) {
        send(bytes)
        flushWire()
    }

    func endStream() {
        if let end = stream?.group.topic.framing.end { send(end) }
        closeGently()
    }

    func leaveStream() {
        guard let stream else { return }
        loop.streams.remove(self, from: stream.group)
        self.stream = nil
    }
}
