internal import ConfigModel
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1

/// A way to ask the server something: the router, the check of who asks, the list of allowed methods and the test of the
/// OpenAPI description all go by it.
struct Route: Sendable {
    /// The method.
    var method: HTTPRequest.Method
    /// The path with its parameters: `/v1/{ns}/entries/{key}`.
    var path: String
    /// What whoever asks must be allowed to.
    var access: Access
    /// The types that a body may have.
    var bodies: [MediaTypeName]
    /// Whether a write holds to `If-Match` and `If-None-Match`; it is refused with them where not. Answers to reads are
    /// judged by them in any case.
    var judgesConditions: Bool
    /// Answers a request that may be asked.
    var answer: @Sendable (Request, RouteContext) async throws -> Reply

    init(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ access: Access,
        takes bodies: [MediaTypeName] = [.json],
        judgesConditions: Bool = false,
        _ answer: @escaping @Sendable (Request, RouteContext) async throws -> Reply
    ) {
        self.method = method
        self.path = path
        self.access = access
        self.bodies = bodies
        self.judgesConditions = judgesConditions
        self.answer = answer
    }

    /// The name in the metrics.
    var name: String { "\(verb) \(path)" }

    /// The method as it stands in a request.
    var verb: String { method.rawValue }

    /// Whether it only reads.
    var isRead: Bool { method == .get }

    /// Whether it goes by a body.
    var hasBody: Bool { [.put, .patch, .post].contains(method) }

    /// Whether a request's path is of this form.
    func matches(_ segments: [Substring]) -> Bool {
        let templates = RequestTarget.segments(of: path)
        return templates.count == segments.count
            && zip(templates, segments).allSatisfy { template, segment in
                guard template.hasPrefix("{") else { return template == segment }
                return template.hasSuffix("}") || segment.hasSuffix(template.drop { $0 != "}" }.dropFirst())
            }
    }
}

extension Route {
    /// What is asked of every request to a route, before it is answered.
    ///
    /// - Returns: the conditions under which the answer is wanted.
    fileprivate func check(_ request: Request, _ services: ServerServices) throws(Problem) -> ReadConditions {
        let conditions = ReadConditions(request)
        if hasBody,
            let problem = services.origins.problem(
                with: request.headers[.contentType],
                taken: bodies,
                from: RequestOrigin(request)
            )
        {
            throw problem
        }
        if !isRead {
            _ = try conditions.matchTags()
            if !judgesConditions { try conditions.requireNone() }
        }
        return conditions
    }
}

/// Answers requests of one kind.
protocol RouteController: Sendable {
    /// What it answers.
    var routes: [Route] { get }
}

/// All routes of a server.
struct RouteTable: Sendable {
    let routes: [Route]

    init(_ controllers: [any RouteController]) {
        routes = controllers.flatMap(\.routes)
    }

    /// Puts the routes behind a check of who asks, and of what they have seen already.
    func register(on router: Router<RouteContext>, _ services: ServerServices) {
        for route in routes {
            router.on(RouterPath(route.path), method: route.method) { request, context in
                var context = context
                try context.enter(request, route, services)
                let conditions = try route.check(request, services)
                if route.access != .open {
                    var seen = conditions
                    // Writes are judged by the store, which is never behind.
                    if !route.isRead { seen.liveryRevision = nil }
                    try await services.catchUp(with: seen, request.target)
                    // The token may have been taken away meanwhile; writes ask once more when their body is whole.
                    if route.isRead { try context.admit(services) }
                }
                let reply = try await route.answer(request, context)
                return route.isRead ? try reply.judged(by: conditions) : reply
            }
        }
    }

    /// The methods that a path takes, sorted; none if there is nothing.
    func methods(for path: Substring) -> [String] {
        let segments = RequestTarget.segments(of: path)
        let methods = routes.filter { $0.matches(segments) }.map(\.method.rawValue)
        return Set(methods.contains("GET") ? methods + ["HEAD"] : methods).sorted()
    }
}
