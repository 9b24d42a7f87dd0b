internal import Hummingbird

/// The code that answers a route.
struct RouteHandler: Sendable {
    let route: Route
    private let answer: @Sendable (Request, RouteContext) async throws -> Reply

    init(_ route: Route, _ answer: @escaping @Sendable (Request, RouteContext) async throws -> Reply) {
        self.route = route
        self.answer = answer
    }
}

/// The handlers of related routes.
protocol RouteController: Sendable {
    var handlers: [RouteHandler] { get }
}

extension RouteHandler {
    /// The handlers of all routes.
    static func all(_ services: ServerServices) -> [RouteHandler] {
        let controllers: [any RouteController] = [
            ConfigController(services: services),
            EntriesController(services: services),
            HistoryController(services: services),
            TableController(services: services),
            OperationsController(services: services),
        ]
        return controllers.flatMap(\.handlers)
    }

    /// Adds the handler to a router, behind the checks that all routes share.
    func register(on router: Router<RouteContext>, _ services: ServerServices) {
        router.on(RouterPath(route.path), method: route.method) { request, context in
            try await reply(to: request, context, services)
        }
    }

    private func reply(
        to request: Request,
        _ context: RouteContext,
        _ services: ServerServices
    ) async throws -> Reply {
        var context = context
        try context.enter(request, route, services)
        let conditions = try check(request, services)
        if route.access != .open {
            var seen = conditions
            // Writes are judged by the store, which is never behind.
            if !route.isRead { seen.liveryRevision = nil }
            context.catchUp = try await services.catchUp(with: seen, request.target)
            // The token may be revoked meanwhile. Writes check it again once their body is complete.
            if route.isRead { try context.authorize(services) }
        }
        let reply = try await answer(request, context)
        return route.isRead ? try reply.judged(by: conditions) : reply
    }

    /// Checks the type of the body and the conditions.
    private func check(_ request: Request, _ services: ServerServices) throws(Problem) -> ReadConditions {
        let conditions = ReadConditions(request)
        if !route.bodyTypes.isEmpty,
            let problem = services.origins.problem(
                with: request.headers[.contentType],
                accepted: route.bodyTypes,
                from: RequestOrigin(request)
            )
        {
            throw problem
        }
        if !route.isRead {
            _ = try conditions.matchTags()
            if !route.honoursConditions { try conditions.requireNone() }
        }
        return conditions
    }
}
