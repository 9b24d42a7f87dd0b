internal import HTTPTypes
internal import Hummingbird

/// What a request says of the name that it was sent to, and of the page that a browser sent it for.
struct RequestOrigin: Hashable, Sendable {
    /// The host that was asked for, with its port if it names one; `nil` where there is none, as in HTTP/1.0.
    var host: String?
    /// `Origin`; where it stands several times, a text that is no origin.
    var origin: String?
    /// `Sec-Fetch-Site`.
    var site: String?

    init(host: String?, origin: String? = nil, site: String? = nil) {
        self.host = host
        self.origin = origin
        self.site = site
    }

    /// - Parameter target: the request's target, as it was sent.
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

    /// The host in a target in absolute form, which goes before the field `Host` (RFC 9112, section 3.2.2).
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
        // The root of all names may be spelled out.
        return String(name.last == "." ? name.dropLast() : name)
    }

    /// Whether the page is of another origin than what it asks.
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

    /// Whether a browser says that a page of another origin had it send the request, in one field or the other.
    var isFromElsewhere: Bool {
        isForeign || (site.map { $0 != "same-origin" && $0 != "none" } ?? false)
    }
}
