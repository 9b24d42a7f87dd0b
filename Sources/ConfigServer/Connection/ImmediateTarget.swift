internal import ConfigModel
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
    func answer(_ head: HTTPRequestHead, _ target: ImmediateTarget) {
        do throws(Problem) {
            switch target {
            case .config(let namespace, let target): try answerConfig(head, namespace, target)
            case .events(let namespace): try answerEvents(head, namespace)
            case .reply(let reply): send(reply)
            }
        } catch {
            send(error.reply)
            loop.services.metrics.answered(route: target.route, status: error.status.code, nanoseconds: 0)
        }
    }

    private func state(_ head: HTTPRequestHead, _ namespace: String) throws(Problem) -> NamespaceState {
        _ = try loop.services.policy.authorize(
            .namespace(.read),
            namespace: namespace,
            authorization: head.headers.first(name: "authorization"),
            address: address
        )
        guard let state = loop.services.hub.state(of: namespace) else { throw .notReady }
        return state
    }

    private func answerConfig(
        _ head: HTTPRequestHead,
        _ namespace: String,
        _ target: RequestTarget
    ) throws(Problem) {
        let start = ContinuousClock.now
        let state = try state(head, namespace)
        let conditions = ReadConditions(
            ifNoneMatch: head.headers.joined("if-none-match"),
            acceptEncoding: head.headers.joined("accept-encoding")
        )
        let form = try ConfigForm(for: state, target: target, conditions: conditions)
        if case .older = form { return forwardWhole(head) }
        let status: UInt
        if isPlain, head.method == .GET {
            let cors = loop.services.cors.lines(origin: origin)
            let bytes = loop.encoded(form, of: state, cors: cors) {
                form.reply(state)?.encoded(extra: loop.standardLines + cors, keepsAlive: true)
            }
            guard let bytes else { return forwardWhole(head) }
            sendWhole(bytes)
            status = form.status
        } else {
            guard let reply = form.reply(state) else { return forwardWhole(head) }
            send(reply)
            status = reply.status.code
        }
        let elapsed = (ContinuousClock.now - start).components.attoseconds / 1_000_000_000
        loop.services.metrics.answered(route: ImmediateTarget.configRoute, status: status, nanoseconds: elapsed)
    }

    private func answerEvents(_ head: HTTPRequestHead, _ namespace: String) throws(Problem) {
        let state = try state(head, namespace)
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
        becomeStream(of: state, lastEventID: head.headers.first(name: "last-event-id"))
        loop.services.metrics.answered(route: ImmediateTarget.eventsRoute, status: 200, nanoseconds: 0)
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

extension HTTPHeaders {
    /// The values of a field that is a list, whose parts may have come in several lines.
    func joined(_ name: String) -> String? {
        guard let first = first(name: name) else { return nil }
        let values = self[name]
        return values.count == 1 ? first : values.joined(separator: ",")
    }
}
