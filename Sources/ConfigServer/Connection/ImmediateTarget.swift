internal import ConfigModel
internal import NIOCore
internal import NIOHTTP1

/// Requests that are answered on the event loop from memory, without a task: the many.
enum ImmediateTarget {
    /// `GET /v1/{namespace}/config`.
    case config(namespace: String, RequestTarget)
    /// `GET /v1/{namespace}/events`.
    case events(namespace: String)
    /// An answer that is there already.
    case reply(Reply)

    /// - Returns: `nil` if a route has to see to it. The routes judge names that break the rule.
    init?(_ head: HTTPRequestHead) {
        guard head.method == .GET || head.method == .HEAD, head.uri.utf8.starts(with: "/v1/".utf8) else { return nil }
        let target = RequestTarget(head.uri)
        let rest = target.path.utf8.dropFirst(4)
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        let namespace = String(target.path[rest.startIndex..<slash])
        guard ConfigNamespace.problem(in: namespace) == nil else { return nil }
        let resource = rest[slash...].dropFirst()
        if resource.elementsEqual("config".utf8) {
            self = .config(namespace: namespace, target)
        } else if resource.elementsEqual("events".utf8) {
            self = .events(namespace: namespace)
        } else {
            return nil
        }
    }
}

extension ConnectionHandler {
    /// Answers a request whose end has come.
    ///
    /// - Parameter wait: what came of waiting for what the client has seen, if that was necessary.
    func answer(_ head: HTTPRequestHead, _ target: ImmediateTarget, after wait: Wait? = nil) {
        do throws(Problem) {
            switch target {
            case .config(let namespace, let path): try answerConfig(head, namespace, path, after: wait)
            case .events(let namespace): try answerEvents(head, namespace, after: wait)
            case .reply(let reply): send(reply)
            }
        } catch {
            send(error.reply)
            loop.services.metrics.answered(route: target.route, status: error.status.code, nanoseconds: 0)
        }
    }

    private func admit(_ head: HTTPRequestHead, _ namespace: String) throws(Problem) -> Principal {
        try loop.services.authorize(
            .namespace(.read),
            namespace: namespace,
            authorization: head.headers.first(name: "authorization"),
            client: address
        )
    }

    private func state(_ namespace: String) throws(Problem) -> NamespaceState {
        guard let state = loop.services.hub.state(of: namespace) else { throw .notReady }
        return state
    }

    private func answerConfig(
        _ head: HTTPRequestHead,
        _ namespace: String,
        _ target: RequestTarget,
        after wait: Wait?
    ) throws(Problem) {
        let start = ContinuousClock.now
        _ = try admit(head, namespace)
        let state = try state(namespace)
        let conditions = ReadConditions(head.headers)
        let form = try ConfigForm(
            for: state,
            target: target,
            conditions: conditions,
            isOtherHistory: wait == .otherHistory,
            compress: loop.services.workers.compress
        )
        if wait == nil, form.mayBeOld(for: conditions),
            let seen = SeenRevision.latest(of: state.cursor.epoch, in: conditions, target),
            loop.services.hub.isBehind(seen)
        {
            return answerLater(head, .config(namespace: namespace, target), seen)
        }
        try conditions.requireMatch(of: form.tag(state))
        if !form.isAtHand(of: state) { return forwardWhole(head) }
        let (quotas, compress) = (loop.services.hub.quotas, loop.services.workers.compress)
        let status: UInt
        if isPlain, head.method == .GET {
            let cors = loop.services.cors.lines(origin: origin)
            let bytes = loop.encoded(form, of: state, cors: cors) {
                form.reply(state, quotas, compress)?.encoded(extra: loop.standardLines + cors, keepsAlive: true)
            }
            guard let bytes else { return forwardWhole(head) }
            sendWhole(bytes)
            status = form.status
        } else {
            guard let reply = form.reply(state, quotas, compress) else { return forwardWhole(head) }
            send(reply)
            status = reply.status.code
        }
        let elapsed = (ContinuousClock.now - start).components.attoseconds / 1_000_000_000
        loop.services.metrics.answered(route: ImmediateTarget.configRoute, status: status, nanoseconds: elapsed)
    }

    private func answerEvents(_ head: HTTPRequestHead, _ namespace: String, after wait: Wait?) throws(Problem) {
        let holder = try admit(head, namespace)
        let state = try state(namespace)
        let conditions = ReadConditions(head.headers)
        if try conditions.verdict(tag: nil) == .notModified {
            return send(Reply(.notModified, headers: ["cache-control": "no-store"]))
        }
        guard head.method == .GET else {
            return send(
                Reply(.ok, headers: ["content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store"])
            )
        }
        guard head.version.minor > 0 else {
            throw Problem(
                .upgradeRequired,
                "unsupported-version",
                "a stream needs HTTP/1.1",
                headers: ["upgrade": "HTTP/1.1"]
            )
        }
        let lastEventID = head.headers.first(name: "last-event-id")
        let seen = SeenRevision.latest(of: state.cursor.epoch, lastEventID: lastEventID, conditions)
        if wait == nil, let seen, loop.services.hub.isBehind(seen) {
            return answerLater(head, .events(namespace: namespace), seen)
        }
        becomeStream(of: state, for: holder, lastEventID: lastEventID)
        loop.services.metrics.answered(route: ImmediateTarget.eventsRoute, status: 200, nanoseconds: 0)
    }
}

// Clients that have seen more than is known here.
extension ConnectionHandler {
    /// What came of waiting for what a client has seen elsewhere.
    enum Wait: Sendable {
        /// It is known here now.
        case caughtUp
        /// The store itself has never been so far.
        case otherHistory
        /// It was in vain.
        case behind

        init(for seen: Cursor, _ hub: ConfigHub) async {
            let mayAnswer = await hub.catchesUp(with: seen)
            self = !mayAnswer ? .behind : hub.isBehind(seen) ? .otherHistory : .caughtUp
        }
    }

    private func answerLater(_ head: HTTPRequestHead, _ target: ImmediateTarget, _ seen: Cursor) {
        beginWait()
        let (hub, eventLoop, handler) = (
            loop.services.hub, loop.eventLoop, NIOLoopBound(self, eventLoop: loop.eventLoop)
        )
        Task {
            let wait = await Wait(for: seen, hub)
            eventLoop.execute { handler.value.finishWait(head, target, wait) }
        }
    }

    private func finishWait(_ head: HTTPRequestHead, _ target: ImmediateTarget, _ wait: Wait) {
        guard case .waiting = phase else { return }
        // The next connection may lead to another server.
        if wait == .behind { reject(.behind) } else { answer(head, target, after: wait) }
        resume()
    }
}

extension ConfigForm {
    /// Whether a client might have seen more than this form says.
    fileprivate func mayBeOld(for conditions: ReadConditions) -> Bool {
        if conditions.liveryRevision != nil { return true }
        return switch self {
        case .snapshot: conditions.ifNoneMatch != nil
        case .reset: true
        case .notModified, .changes, .older: false
        }
    }
}

extension ImmediateTarget {
    static let configRoute = "GET /v1/{ns}/config"
    static let eventsRoute = "GET /v1/{ns}/events"

    /// The route's name for the metrics.
    var route: String {
        switch self {
        case .config: Self.configRoute
        case .events: Self.eventsRoute
        case .reply: "OPTIONS"
        }
    }
}

extension ConfigForm {
    var status: UInt {
        if case .notModified = self { 304 } else { 200 }
    }
}
