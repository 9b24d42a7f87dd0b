internal import HTTPTypes
internal import Hummingbird

/// The host that a request was sent to, and the origin of the page that a browser sent it for.
struct RequestOrigin: Hashable, Sendable {
    /// The host, with its port if there is one; `nil` without a host, as in HTTP/1.0.
    var host: String?
    /// `Origin`; if there are several, a text that is not an origin.
    var origin: String?
    /// `Sec-Fetch-Site`.
    var site: String?

    init(host: String?, origin: String? = nil, site: String? = nil) {
        self.host = host
        self.origin = origin
        self.site = site
    }

    /// - Parameter target: the request's target as it was sent.
    init(target: String, _ framing: RequestFraming) {
        self.init(
            host: Self.authority(of: target) ?? framing.host,
            origin: framing.origin,
            site: framing.fetchSite
        )
    }

    init(_ request: Request) {
        self.init(
            host: request.head.authority,
            origin: request.headers[.origin],
            site: HTTPField.Name("sec-fetch-site").flatMap { request.headers[$0] }
        )
    }

    /// The host in a target in absolute form, which takes precedence over `Host` (RFC 9112, section 3.2.2).
    private static func authority(of target: String) -> String? {
        guard target.utf8.first != UInt8(ascii: "/"), let start = RequestTarget.endOfScheme(target) else { return nil }
        return String(target[start...].prefix { $0 != "/" && $0 != "?" })
    }

    /// The host without its port, in lower case.
    var hostName: String? {
        guard let host else { return nil }
        var name = host.lowercased()[...]
        if name.utf8.first == UInt8(ascii: "["), let end = name.firstIndex(of: "]") {
            name = name[..<end].dropFirst()
        } else {
            name = name.prefix { $0 != ":" }
        }
        // A fully qualified name may end with a dot.
        return String(name.last == "." ? name.dropLast() : name)
    }

    /// Whether the page is of another origin than the server.
    var isForeign: Bool {
        guard let origin else { return false }
        guard let host else { return true }
        for (scheme, port) in [("http://", ":80"), ("https://", ":443")] where origin.lowercased().hasPrefix(scheme) {
            func plain(_ text: some StringProtocol) -> String {
                let text = text.lowercased()
                return text.hasSuffix(port) ? String(text.dropLast(port.count)) : text
            }
            return plain(origin.dropFirst(scheme.count)) != plain(host)
        }
        return true
    }

    /// Whether a browser says, in either field, that it sends the request for a page of another origin.
    var isFromElsewhere: Bool {
        isForeign || (site.map { $0 != "same-origin" && $0 != "none" } ?? false)
    }
}
