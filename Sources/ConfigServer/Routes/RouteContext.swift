internal import ConfigModel
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1

/// What is known about a request beside what it says.
struct RouteContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Where it comes from.
    let address: String
    /// Who asks.
    private(set) var principal = Principal(token: nil)
    /// The namespace that it is about.
    private(set) var namespace = ConfigNamespace.standard

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        address = source.channel.remoteAddress?.ipAddress ?? "local"
    }

    /// Finds out whether a route may be taken, and for which namespace.
    mutating func enter(_ request: Request, _ route: Route, _ policy: AccessPolicy) throws(Problem) {
        if let namespace = coreContext.parameters.get("ns") {
            self.namespace = namespace.percentDecoded() ?? namespace
        }
        principal = try policy.authorize(
            route.access,
            namespace: namespace,
            authorization: request.headers[.authorization],
            address: address
        )
        if let problem = ConfigNamespace.problem(in: namespace) {
            throw Problem(.badRequest, "invalid-namespace", "the namespace \(problem)", field: "ns")
        }
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

    /// The body of a request that is to be JSON.
    func jsonBody(_ limits: ServerLimits) async throws -> [UInt8] {
        if let type = headers[.contentType], MediaTypeName(type) != .json {
            throw Problem(
                .unsupportedMediaType,
                "unsupported-media-type",
                "send the body as application/json in UTF-8",
                field: "Content-Type",
                headers: ["accept": "application/json"]
            )
        }
        return try await bytes(limits)
    }

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
        case "application/json": self = .json
        case "application/x-www-form-urlencoded": self = .form
        default: self = .other
        }
    }
}
