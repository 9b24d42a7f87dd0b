internal import NIOHTTP1

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
