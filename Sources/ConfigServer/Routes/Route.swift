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
    /// Answers a request that may be asked.
    var answer: @Sendable (Request, RouteContext) async throws -> Reply

    init(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ access: Access,
        _ answer: @escaping @Sendable (Request, RouteContext) async throws -> Reply
    ) {
        self.method = method
        self.path = path
        self.access = access
        self.answer = answer
    }

    /// The name in the metrics.
    var name: String { "\(verb) \(path)" }

    /// The method as it stands in a request.
    var verb: String { method.rawValue }

    /// Whether a request's path is of this form.
    func matches(_ segments: [Substring]) -> Bool {
        let templates = path.split(separator: "/")
        return templates.count == segments.count
            && zip(templates, segments).allSatisfy { template, segment in
                guard template.hasPrefix("{") else { return template == segment }
                return template.hasSuffix("}") || segment.hasSuffix(template.drop { $0 != "}" }.dropFirst())
            }
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
                try context.enter(request, route, services.policy)
                if route.access != .open {
                    var conditions = ReadConditions(request)
                    // Writes are judged by the store, which is never behind.
                    if request.method != .get { conditions.liveryRevision = nil }
                    try await services.catchUp(with: conditions, request.target)
                }
                return try await route.answer(request, context)
            }
        }
    }

    /// The methods that a path takes, sorted; none if there is nothing.
    func methods(for path: Substring) -> [String] {
        let segments = path.split(separator: "/")
        let methods = routes.filter { $0.matches(segments) }.map(\.method.rawValue)
        return Set(methods.contains("GET") ? methods + ["HEAD"] : methods).sorted()
    }
}
