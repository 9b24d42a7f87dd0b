internal import ConfigModel
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1

/// What is known about a request beside what it says.
struct RouteContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Where it comes from.
    private(set) var client: ClientAddress
    /// Who asks.
    private(set) var principal = Principal(token: nil)
    /// The namespace that it is about.
    private(set) var namespace = ConfigNamespace.standard
    private let peer: ConnectionPeer
    private var access = Access.open
    private var authorization: String?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peer = ConnectionPeer.current ?? ConnectionPeer(IPAddress(source.channel.remoteAddress))
        client = ClientAddress(peer.address)
    }

    /// Finds out whether a route may be taken, and for which namespace.
    mutating func enter(_ request: Request, _ route: Route, _ services: ServerServices) throws(Problem) {
        if let namespace = coreContext.parameters.get("ns") {
            self.namespace = namespace.percentDecoded() ?? namespace
        }
        client = services.proxies.client(of: peer, request.headers)
        access = route.access
        authorization = request.headers[.authorization]
        principal = try admit(services)
        if let problem = ConfigNamespace.problem(in: namespace) {
            throw Problem(.badRequest, "invalid-namespace", "the namespace \(problem)", field: "ns")
        }
        if route.hasBody, let problem = ConfigNamespace.reservation(of: namespace) {
            throw Problem(.badRequest, "reserved-namespace", "the namespace \(problem)", field: "ns")
        }
    }

    /// Asks who may do this, again after a wait, for tokens may have changed.
    ///
    /// - Throws: ``Problem`` if it is not allowed, or not any more.
    @discardableResult
    func admit(_ services: ServerServices) throws(Problem) -> Principal {
        try services.authorize(access, namespace: namespace, authorization: authorization, client: client)
    }

    /// The key that the path names.
    func key() throws(Problem) -> String {
        let segment = coreContext.parameters.get("key") ?? ""
        let key = segment.percentDecoded() ?? segment
        guard let problem = ConfigKey.problem(in: key) else { return key }
        throw Problem(.badRequest, "invalid-key", "the key \(problem)", key: key.excerpt(ofScalars: 128))
    }
}

extension Request {
    /// The target, still encoded.
    var target: RequestTarget { RequestTarget(head.path ?? "/") }

    /// The body, whatever it is.
    func bytes(_ limits: ServerLimits) async throws -> [UInt8] {
        do {
            return Array(try await body.collect(upTo: limits.bodyBytes).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw RequestCheck.tooLarge(limits)
        }
    }
}

/// The media types that bodies may have.
enum MediaTypeName: Hashable {
    case json
    case form
    case other

    init(_ text: String) {
        let parts = text.lowercased().split(separator: ";").map(\.trimmed)
        let charsets = parts.dropFirst().filter { $0.hasPrefix("charset=") }
        guard charsets.allSatisfy({ ["charset=utf-8", "charset=\"utf-8\""].contains($0) }) else {
            self = .other
            return
        }
        switch parts.first {
        case Self.json.text: self = .json
        case Self.form.text: self = .form
        default: self = .other
        }
    }

    /// The name; `nil` for what is none of those that bodies may have.
    var text: String? {
        switch self {
        case .json: "application/json"
        case .form: "application/x-www-form-urlencoded"
        case .other: nil
        }
    }
}
