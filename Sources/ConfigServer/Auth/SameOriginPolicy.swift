// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import NIOHTTP1

/// Protects a server that browsers can reach from pages of other origins: these may neither read nor write, nor reach the
/// server by a host name of theirs (DNS rebinding).
struct SameOriginPolicy: Sendable {
    private let origins: Set<ExactString>
    private let hosts: Set<String>

    /// - Parameters:
    ///   - origins: those whose pages may use the server nevertheless, or `*`.
    ///   - hosts: additional host names that the server answers to without tokens, besides those of this machine.
    init(origins: [String] = [], hosts: [String] = []) {
        self.origins = Set(origins.map { ExactString($0) })
        self.hosts = Set(hosts.map { $0.lowercased() })
    }

    func problem(with request: RequestOrigin, changes: Bool, hasTokens: Bool) -> Problem? {
        if !hasTokens, !answers(to: request) {
            let host = (request.host ?? "").excerpt(ofScalars: 128)
            return Problem(
                .misdirectedRequest,
                "misdirected-request",
                "a server without tokens accepts only local host names such as localhost, not "
                    + "'\(host)'; to accept this name, add it to the allowed hosts of the server",
                field: "Host"
            )
        }
        let isCrossOrigin = changes ? request.isCrossOrigin : request.hasForeignOrigin
        guard isCrossOrigin, !allows(request.origin) else { return nil }
        let origin = request.origin.map { "the origin '\($0.excerpt(ofScalars: 128))'" } ?? "another origin"
        return Self.crossOrigin(
            request,
            "requests from \(origin) are not allowed; to allow them, add it to the allowed origins of the server"
        )
    }

    private func answers(to request: RequestOrigin) -> Bool {
        // Browsers always send the host, and only they can be misled.
        guard let host = request.host else { return true }
        guard let name = HostField(host)?.name else { return false }
        return name == "localhost" || name.hasSuffix(".localhost") || hosts.contains(name)
            || IPAddress(name)?.isLoopback == true
    }

    private static func crossOrigin(_ request: RequestOrigin, _ detail: String) -> Problem {
        Problem(.forbidden, "cross-origin", detail, field: request.hasForeignOrigin ? "Origin" : "Sec-Fetch-Site")
    }

    /// The problem with the media type of a request's body; `nil` if it is allowed. Any page can send a form, or a body
    /// without a type, to any server without a preflight.
    func problem(
        with type: String?,
        accepted: [MediaTypeName],
        from origin: @autoclosure () -> RequestOrigin
    ) -> Problem? {
        guard let name = type.flatMap(MediaTypeName.init(field:)), accepted.contains(name) else {
            let names = accepted.map(\.rawValue)
            return Problem(
                .unsupportedMediaType,
                "unsupported-media-type",
                "unsupported Content-Type; send \(names.joined(separator: " or ")) in UTF-8",
                field: "Content-Type",
                headers: ["accept": names.joined(separator: ", ")]
            )
        }
        guard name == .form else { return nil }
        let request = origin()
        guard request.isCrossOrigin else { return nil }
        return Self.crossOrigin(request, "forms are accepted only from the server's own origin; send application/json")
    }
}

// MARK: Cross-origin resource sharing

extension SameOriginPolicy {
    /// Whether pages of any other origin may use the server.
    var isOpen: Bool { !origins.isEmpty }

    private func allows(_ origin: String?) -> Bool {
        origins.contains("*") || (origin.map { origins.contains(ExactString($0)) } ?? false)
    }

    /// The lines of the fields of an answer to a page of an origin, each with its end.
    func lines(origin: @autoclosure () -> String?) -> String {
        guard isOpen else { return "" }
        let exposed = "etag, location, livery-max-size, livery-revision, retry-after, www-authenticate"
        let expose = "access-control-expose-headers: \(exposed)\r\n"
        if origins.contains("*") { return "access-control-allow-origin: *\r\n" + expose }
        guard let origin = origin(), allows(origin) else { return "vary: origin\r\n" }
        return "vary: origin\r\naccess-control-allow-origin: \(origin)\r\n" + expose
    }

    /// The answer to a preflight request; `nil` for any other request.
    func preflight(_ head: HTTPRequestHead) -> Reply? {
        guard isOpen, head.method == .OPTIONS, head.headers.contains(name: "origin"),
            head.headers.contains(name: "access-control-request-method")
        else { return nil }
        return Reply(
            .noContent,
            headers: [
                "access-control-allow-methods": "GET, HEAD, PUT, PATCH, POST, DELETE",
                "access-control-allow-headers": Self.allowedFields(head.headers),
                "access-control-max-age": "600",
                "vary": "access-control-request-headers",
            ]
        )
    }

    /// Every field that the page requests: fields that the server does not know, such as a tracer's, have no effect. `*` does
    /// not include `Authorization`.
    private static func allowedFields(_ headers: HTTPHeaders) -> String {
        let names = headers[canonicalForm: "access-control-request-headers"].filter { name in
            !name.isEmpty && name.utf8.allSatisfy(\.isOfFieldName)
        }
        return names.isEmpty ? "authorization, content-type" : names.joined(separator: ", ")
    }
}

/// The host that a request was sent to, and the origin of the page that a browser sent it for.
struct RequestOrigin: Hashable, Sendable {
    /// The host, with its port if there is one; `nil` without a host, as in HTTP/1.0.
    var host: String?
    /// `Origin`; if there are several, a text that is not an origin.
    var origin: String?
    var site: String?

    fileprivate var hasForeignOrigin: Bool {
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

    /// Whether a browser reports, in either field, that it sends the request for a page of another origin.
    fileprivate var isCrossOrigin: Bool {
        hasForeignOrigin || (site.map { $0 != "same-origin" && $0 != "none" } ?? false)
    }
}

extension RequestOrigin {
    /// - Parameter target: the request's target as it was sent. A host in it takes precedence over `Host` (RFC 9112,
    ///   section 3.2.2).
    init(target: String, _ fields: RequestFields) {
        var host = fields.host
        if target.utf8.first != UInt8(ascii: "/"), let start = RequestTarget.endOfScheme(target) {
            host = String(target[start...].prefix { $0 != "/" && $0 != "?" })
        }
        self.init(host: host, origin: fields.origin, site: fields.fetchSite)
    }
}
