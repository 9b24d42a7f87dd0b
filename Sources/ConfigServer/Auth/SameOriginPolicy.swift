internal import ConfigModel
internal import NIOHTTP1

/// Keeps pages of other origins away from a server that a browser can reach: they may neither read nor write, nor come
/// under a name of their own that leads here (DNS rebinding).
struct SameOriginPolicy: Sendable {
    let cors: CORSPolicy
    private let hosts: Set<String>

    /// - Parameters:
    ///   - cors: the origins that may use the server all the same.
    ///   - hosts: names that the server answers to, beside those of this machine, while it has no tokens.
    init(cors: CORSPolicy = CORSPolicy(origins: []), hosts: [String] = []) {
        self.cors = cors
        self.hosts = Set(hosts.map { $0.lowercased() })
    }

    /// What is wrong with where a request comes from and where it went; `nil` if nothing is.
    ///
    /// - Parameters:
    ///   - changes: whether its method may change something.
    ///   - hasTokens: whether the server asks who it is.
    func problem(with request: RequestOrigin, changes: Bool, hasTokens: Bool) -> Problem? {
        if !hasTokens, !answers(to: request) { return Self.misdirected(request.host ?? "") }
        let isFromElsewhere = changes ? request.isFromElsewhere : request.isForeign
        guard isFromElsewhere, !cors.allows(request.origin) else { return nil }
        return Self.foreign(request)
    }

    /// What is wrong with the type of a request's body. A form is what any page can send anywhere without being asked, and
    /// so is a body without a type.
    ///
    /// - Parameters:
    ///   - type: the `Content-Type` field.
    ///   - accepted: the types that the route accepts.
    func problem(with type: String?, accepted: [MediaTypeName], from request: RequestOrigin) -> Problem? {
        guard let name = type.map(MediaTypeName.init), accepted.contains(name) else {
            let names = accepted.compactMap(\.text)
            return Problem(
                .unsupportedMediaType,
                "unsupported-media-type",
                "send the body as \(names.joined(separator: " or ")) in UTF-8, and say so in 'Content-Type'",
                field: "Content-Type",
                headers: ["accept": names.joined(separator: ", ")]
            )
        }
        guard name == .form, request.isFromElsewhere else { return nil }
        return Problem(
            .forbidden,
            "cross-origin",
            "a form is taken only from this server's own origin; send application/json",
            field: request.isForeign ? "Origin" : "Sec-Fetch-Site"
        )
    }

    private func answers(to request: RequestOrigin) -> Bool {
        // Browsers name the host, and nobody else can be led astray.
        guard let name = request.hostName else { return true }
        return name == "localhost" || name.hasSuffix(".localhost") || hosts.contains(name)
            || IPAddress(name)?.isLoopback == true
    }

    private static func misdirected(_ host: String) -> Problem {
        Problem(
            .misdirectedRequest,
            "misdirected-request",
            "without tokens this server answers to names of its own machine only, such as localhost, and not to "
                + "'\(host.excerpt(ofScalars: 128))'; its operator can add the name with --allow-host",
            field: "Host"
        )
    }

    private static func foreign(_ request: RequestOrigin) -> Problem {
        let origin = request.origin.map { "the origin '\($0.excerpt(ofScalars: 128))'" } ?? "another site"
        return Problem(
            .forbidden,
            "cross-origin",
            "pages of \(origin) may not use this server; its operator can let them in with --cors-origin",
            field: request.isForeign ? "Origin" : "Sec-Fetch-Site"
        )
    }
}

/// Which pages of other origins may use the server from a browser: none, unless it is told.
struct CORSPolicy: Hashable, Sendable {
    private let origins: Set<String>

    init(origins: [String]) {
        self.origins = Set(origins)
    }

    /// Whether any may.
    var isOpen: Bool { !origins.isEmpty }

    /// Whether the pages of an origin may.
    func allows(_ origin: String?) -> Bool {
        origins.contains("*") || (origin.map(origins.contains) ?? false)
    }

    /// The fields of an answer to a page of an origin.
    func fields(origin: String?) -> [(name: String, value: String)] {
        guard isOpen else { return [] }
        let exposed = (
            name: "access-control-expose-headers",
            value: "etag, location, livery-max-size, livery-revision, retry-after, www-authenticate"
        )
        if origins.contains("*") { return [("access-control-allow-origin", "*"), exposed] }
        guard let origin, origins.contains(origin) else { return [("vary", "origin")] }
        return [("vary", "origin"), ("access-control-allow-origin", origin), exposed]
    }

    /// The same as lines.
    func lines(origin: String?) -> String {
        isOpen ? fields(origin: origin).map { "\($0.name): \($0.value)\r\n" }.joined() : ""
    }

    /// The answer to a browser that asks beforehand; `nil` if the request is no such question.
    func preflight(_ head: HTTPRequestHead) -> Reply? {
        guard isOpen, head.method == .OPTIONS, head.headers.contains(name: "origin"),
            head.headers.contains(name: "access-control-request-method")
        else { return nil }
        return Reply(
            .noContent,
            headers: [
                "access-control-allow-methods": "GET, HEAD, PUT, PATCH, POST, DELETE",
                "access-control-allow-headers":
                    "authorization, content-type, if-match, if-none-match, last-event-id, livery-revision",
                "access-control-max-age": "600",
            ]
        )
    }
}
