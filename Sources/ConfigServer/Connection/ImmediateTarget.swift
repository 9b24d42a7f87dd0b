// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel
internal import ConfigWire
internal import NIOCore
internal import NIOHTTP1

/// A request that is answered on the event loop from memory, without a task, as nearly all are.
enum ImmediateTarget {
    case config(namespace: String, RequestTarget)
    case events(StreamTopic)
    /// An answer that is ready.
    case reply(Reply)

    /// - Returns: `nil` if the request is for the routes, which also reject invalid names.
    init?(_ head: HTTPRequestHead, _ origins: SameOriginPolicy) {
        if let reply = origins.preflight(head) {
            self = .reply(reply)
            return
        }
        guard head.method == .GET || head.method == .HEAD else { return nil }
        let isOFREP = head.uri.utf8.starts(with: "/ns/".utf8)
        guard isOFREP || head.uri.utf8.starts(with: "/v1/".utf8) else { return nil }
        let target = RequestTarget(head.uri)
        let rest = target.path.utf8.dropFirst(4)
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        let namespace = String(target.path[rest.startIndex..<slash])
        guard NamespaceRule.problem(in: namespace) == nil else { return nil }
        let resource = rest[slash...].dropFirst()
        let framing = head.version.minor > 0 ? StreamFraming.chunks : .connection
        if isOFREP {
            guard resource.elementsEqual("ofrep/v1/events".utf8) else { return nil }
            self = .events(StreamTopic(namespace: namespace, form: .flags, framing: framing))
        } else if resource.elementsEqual("config".utf8) {
            // Any other target is for editing and does not have to be fast.
            guard target.asksForChangesAtMost else { return nil }
            self = .config(namespace: namespace, target)
        } else if resource.elementsEqual("events".utf8) {
            guard let isWithSchemas = try? target.wantsSchemas(), let hasDrafts = try? target.wantsDrafts() else {
                return nil
            }
            let form = isWithSchemas ? StreamForm.changesWithSchemas : .changes
            self = .events(StreamTopic(namespace: namespace, form: form, hasDrafts: hasDrafts, framing: framing))
        } else if let draft = Self.previewed(resource) {
            self = .events(StreamTopic(namespace: namespace, form: .changes, draft: draft, framing: framing))
        } else {
            return nil
        }
    }

    /// The draft whose events a resource is: `drafts/ID/events`.
    private static func previewed(_ resource: Substring.UTF8View) -> String? {
        let parts = resource.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].elementsEqual("drafts".utf8), parts[2].elementsEqual("events".utf8) else {
            return nil
        }
        return String(Substring(parts[1]))
    }

    fileprivate var route: String {
        switch self {
        case .config: Self.configRoute
        case .events(let topic): topic.route
        case .reply: "OPTIONS"
        }
    }

    // Made once: they are needed for each request.
    fileprivate static let configRoute = WireRoute.config.name
}

extension ConnectionHandler {
    /// - Parameter catchUp: the outcome of waiting for the revision that the client has seen; `nil` before that.
    func answer(_ head: HTTPRequestHead, _ target: ImmediateTarget, after catchUp: CatchUp? = nil) {
        do throws(Problem) {
            switch target {
            case .config(let namespace, let path): try answerConfig(head, namespace, path, after: catchUp)
            case .events(let topic): try answerEvents(head, topic, after: catchUp)
            case .reply(let reply): send(reply)
            }
        } catch {
            send(error.reply)
            services.metrics.answered(route: target.route, status: error.status.code)
        }
    }

    /// Whether the sender may read a namespace.
    ///
    /// - Parameter authorization: evaluated only if there are tokens.
    func authorize(_ namespace: String, _ authorization: @autoclosure () -> String?) throws(Problem) -> Principal {
        let access = Access.namespace(.read)
        return try services.authorize(access, namespace: namespace, authorization: authorization(), client: peer.client)
    }

    private func answerConfig(
        _ head: HTTPRequestHead,
        _ namespace: String,
        _ target: RequestTarget,
        after catchUp: CatchUp?
    ) throws(Problem) {
        let start = NIODeadline.now()
        // Read first: an answer may be newer than its moment, but never older.
        let moment = loop.moment
        let principal = try authorize(namespace, head.headers.joined("authorization"))
        guard let (state, position) = services.hub.stateAndHead(of: namespace) else { throw .notReady }
        let question = ConfigRequest(target: target, conditions: ReadConditions(head.headers))
        switch try question.decide(state, after: catchUp, at: position, services.workers.compress) {
        case .wait(let seen):
            answerLater(head, .config(namespace: namespace, target), seen)
        case .answer(let form):
            guard form.isInexpensive(of: state), let bytes = encoded(form, state, head) else {
                return routeComplete(head)
            }
            let counter = services.metrics.counter(route: ImmediateTarget.configRoute, status: form.status)
            if head.method == .GET, machine.keepsAlive, machine.input.isEmpty {
                let answer = ReadyAnswer(
                    bytes: bytes,
                    counter: counter,
                    moment: moment,
                    expiresAt: principal.token?.expiresAt
                )
                repeated.answered(head, .config(namespace: namespace, target), answer)
            }
            send(bytes)
            endAnswer()
            services.metrics.answered(counter, in: .now() - start)
        }
    }

    /// - Returns: `nil` if only the store can answer.
    private func encoded(_ form: ConfigForm, _ state: NamespaceState, _ head: HTTPRequestHead) -> ByteBuffer? {
        let (quotas, compress) = (services.hub.quotas, services.workers.compress)
        let cors = corsLines
        func encoded(keepsAlive: Bool, omitsBody: Bool = false) -> ByteBuffer? {
            form.reply(state, quotas, compress)?
                .encoded(extra: loop.replies.dateLine + cors, keepsAlive: keepsAlive, omitsBody: omitsBody)
        }
        guard machine.keepsAlive, head.method == .GET else {
            return encoded(keepsAlive: machine.keepsAlive, omitsBody: machine.isHead)
        }
        return loop.replies.bytes(form, of: state, cors: cors) { encoded(keepsAlive: true) }
    }

    /// Answers once memory has a revision that the client has seen elsewhere.
    func answerLater(_ head: HTTPRequestHead, _ target: ImmediateTarget, _ seen: RevisionCursor) {
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
