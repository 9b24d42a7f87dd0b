internal import ConfigModel
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1

/// What the server knows about a request beside its contents.
struct RouteContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The sender's address.
    let client: ClientAddress
    /// The sender.
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
    ///
    /// - Throws: ``Problem`` if it may not.
    @discardableResult
    func authorize(_ services: ServerServices) throws(Problem) -> Principal {
        try services.authorize(access, namespace: namespace, authorization: authorization, client: client)
    }

    /// The key that the path names.
    func key() throws(Problem) -> String {
        let segment = coreContext.parameters.get("key") ?? ""
        let key = segment.percentDecoded() ?? segment
        guard let problem = KeyRule.problem(in: key) else { return key }
        throw Problem(.badRequest, "invalid-key", "the key \(problem)", key: key.excerpt(ofScalars: 128))
    }
}

extension Request {
    /// The target, still encoded.
    var target: RequestTarget { RequestTarget(head.path ?? "/") }

    /// The whole body.
    func bytes(_ limits: ServerLimits) async throws -> [UInt8] {
        do {
            return Array(try await body.collect(upTo: limits.bodyBytes).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw Problem.tooLarge(limits)
        }
    }
}
