internal import ConfigModel
internal import NIOCore
internal import NIOHTTP1

/// A request that is answered on the event loop from memory, without a task, as nearly all are.
enum ImmediateTarget {
    case config(namespace: String, RequestTarget)
    case events(namespace: String)
    /// An answer that is ready.
    case reply(Reply)

    /// - Returns: `nil` if the request is for the routes. They also judge names that break the rules.
    init?(_ head: HTTPRequestHead, _ origins: SameOriginPolicy) {
        if let reply = origins.preflight(head) {
            self = .reply(reply)
            return
        }
        guard head.method == .GET || head.method == .HEAD, head.uri.utf8.starts(with: "/v1/".utf8) else { return nil }
        let target = RequestTarget(head.uri)
        let rest = target.path.utf8.dropFirst(4)
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        let namespace = String(target.path[rest.startIndex..<slash])
        guard NamespaceRule.problem(in: namespace) == nil else { return nil }
        let resource = rest[slash...].dropFirst()
        if resource.elementsEqual("config".utf8) {
            self = .config(namespace: namespace, target)
        } else if resource.elementsEqual("events".utf8) {
            self = .events(namespace: namespace)
        } else {
            return nil
        }
    }

    fileprivate var route: String {
        switch self {
        case .config: Self.configRoute
        case .events: Self.eventsRoute
        case .reply: "OPTIONS"
        }
    }

    // Made once: they are needed for each request.
    fileprivate static let configRoute = Route.config.name
    static let eventsRoute = Route.events.name
}

extension ConnectionHandler {
    /// - Parameter catchUp: the outcome of waiting for what the client has seen; `nil` before that.
    func answer(_ head: HTTPRequestHead, _ target: ImmediateTarget, after catchUp: CatchUp? = nil) {
        do throws(Problem) {
            switch target {
            case .config(let namespace, let path): try answerConfig(head, namespace, path, after: catchUp)
            case .events(let namespace): try answerEvents(head, namespace, after: catchUp)
            case .reply(let reply): send(reply)
            }
        } catch {
            send(error.reply)
            services.metrics.answered(route: target.route, status: error.status.code)
        }
    }

    func authorize(_ head: HTTPRequestHead, _ namespace: String) throws(Problem) -> Principal {
        try services.authorize(
            .namespace(.read),
            namespace: namespace,
            authorization: head.headers.first(name: "authorization"),
            client: peer.client
        )
    }

    private func answerConfig(
        _ head: HTTPRequestHead,
        _ namespace: String,
        _ target: RequestTarget,
        after catchUp: CatchUp?
    ) throws(Problem) {
        let start = ContinuousClock.now
        _ = try authorize(head, namespace)
        guard let (state, position) = services.hub.stateAndHead(of: namespace) else { throw .notReady }
        let question = ConfigRequest(target: target, conditions: ReadConditions(head.headers))
        switch try question.decide(state, after: catchUp, at: position, services.workers.compress) {
        case .wait(let seen):
            answerLater(head, .config(namespace: namespace, target), seen)
        case .answer(let form):
            guard form.isAtHand(of: state), let status = send(form, state, head) else { return forwardWhole(head) }
            services.metrics.answered(route: ImmediateTarget.configRoute, status: status, in: .now - start)
        }
    }

    /// - Returns: the status; `nil` if only the store can answer.
    private func send(_ form: ConfigForm, _ state: NamespaceState, _ head: HTTPRequestHead) -> UInt? {
        let (quotas, compress) = (services.hub.quotas, services.workers.compress)
        guard machine.keepsAlive, head.method == .GET else {
            guard let reply = form.reply(state, quotas, compress) else { return nil }
            send(reply)
            return reply.status.code
        }
        let cors = corsLines
        let bytes = loop.encoded(form, of: state, cors: cors) {
            form.reply(state, quotas, compress)?.encoded(extra: loop.standardLines + cors, keepsAlive: true)
        }
        guard let bytes else { return nil }
        send(bytes)
        endAnswer()
        return form.status
    }

    /// Answers once memory has a revision that the client has seen elsewhere.
    func answerLater(_ head: HTTPRequestHead, _ target: ImmediateTarget, _ seen: Cursor) {
        machine.wait()
        let (hub, eventLoop) = (services.hub, loop.eventLoop)
        let handler = NIOLoopBound(self, eventLoop: eventLoop)
        Task {
            let catchUp = await hub.catchUp(with: seen)
            eventLoop.execute { handler.value.endWait(head, target, catchUp) }
        }
    }

    private func endWait(_ head: HTTPRequestHead, _ target: ImmediateTarget, _ catchUp: CatchUp) {
        guard machine.isWaiting else { return }
        // The next connection may lead to another server.
        if catchUp == .stillBehind { reject(.behind) } else { answer(head, target, after: catchUp) }
        resume()
    }
}
