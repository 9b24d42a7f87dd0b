internal import ConfigModel
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1

/// What the server knows about a request beside its contents.
struct RouteContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let client: ClientAddress
    private(set) var principal = Principal(token: nil)
    /// The namespace in the path.
    private(set) var namespace = NamespaceRule.standard
    /// Whether memory has what the client has seen.
    var catchUp = CatchUp.done
    private var access = Access.open
    private var authorization: String?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        client = ConnectionPeer.current?.client ?? ClientAddress(IPAddress(source.channel.remoteAddress))
    }

    /// Reads the namespace from the path, and checks whether the sender may use the route.
    mutating func enter(_ request: Request, _ route: Route, _ services: ServerServices) throws(Problem) {
        if let namespace = coreContext.parameters.get("ns") {
            self.namespace = namespace.percentDecoded() ?? namespace
        }
        access = route.access
        authorization = request.headers[.authorization]
        principal = try authorize(services)
        if let problem = NamespaceRule.problem(in: namespace) {
            throw Problem(.badRequest, "invalid-namespace", "the namespace \(problem)", field: "ns")
        }
        if route.body != nil, let problem = NamespaceRule.reservation(of: namespace) {
            throw Problem(.badRequest, "reserved-namespace", "the namespace \(problem)", field: "ns")
        }
    }

    /// Checks whether the sender may use the route: again after a wait, since tokens may have changed.
    @discardableResult
    func authorize(_ services: ServerServices) throws(Problem) -> Principal {
        try services.authorize(access, namespace: namespace, authorization: authorization, client: client)
    }

    /// The key that the path names.
    func key() throws(Problem) -> String {
        let segment = coreContext.parameters.get("key") ?? ""
        return try Problem.validKey(segment.percentDecoded() ?? segment)
    }
}

extension Request {
    /// The target, still encoded.
    var target: RequestTarget { RequestTarget(head.path ?? "/") }

    func bytes(_ limits: ServerLimits) async throws -> [UInt8] {
        do {
            return Array(try await body.collect(upTo: limits.bodyBytes).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw Problem.tooLarge(limits)
        }
    }
}

extension Problem {
    /// A key, if it is one.
    static func validKey(_ key: String) throws(Problem) -> String {
        guard let problem = KeyRule.problem(in: key) else { return key }
        throw Problem(.badRequest, "invalid-key", "the key \(problem)", key: key.excerpt(ofScalars: 128))
    }

    static func invalidParameter(_ field: String, _ detail: String) -> Problem {
        Problem(.badRequest, "invalid-parameter", detail, field: field)
    }
}

extension Route {
    /// Adds the handler to a router, behind the checks that all routes share.
    func register(on router: Router<RouteContext>, _ services: ServerServices) {
        router.on(RouterPath(path), method: method) { request, context in
            try await reply(to: request, context, services)
        }
    }

    private func reply(to request: Request, _ context: RouteContext, _ services: ServerServices) async throws -> Reply {
        var context = context
        try context.enter(request, self, services)
        let conditions = try check(request, services)
        if access != .open {
            var seen = conditions
            // Writes are judged by the store, which is never behind.
            if !isRead { seen.liveryRevision = nil }
            context.catchUp = try await services.catchUp(with: seen, request.target)
            // The token may be revoked meanwhile. Writes check it again once their body is complete.
            if isRead { try context.authorize(services) }
        }
        let reply = try await handler(services, request, context)
        return isRead ? try reply.judged(by: conditions) : reply
    }

    /// Checks the type of the body and the conditions.
    private func check(_ request: Request, _ services: ServerServices) throws(Problem) -> ReadConditions {
        let conditions = ReadConditions(request)
        if !bodyTypes.isEmpty,
            let problem = services.origins.problem(
                with: request.headers[.contentType],
                accepted: bodyTypes,
                from: RequestOrigin(request)
            )
        {
            throw problem
        }
        if !isRead {
            _ = try conditions.matchTags()
            if !honoursConditions { try conditions.requireNone() }
        }
        return conditions
    }
}
