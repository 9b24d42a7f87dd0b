// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
internal import ConfigWire
internal import Essentials
package import HTTPTransport

extension HTTPResponseHead {
    /// The error for a status outside 2xx, for callers that expect 2xx; `nil` for 2xx.
    ///
    /// - Parameters:
    ///   - isDocument: whether the request was for a document, which may come from any host and not only from a Livery server.
    ///   - body: the response body; if it contains problem details (RFC 9457), their text is used.
    package func problem(isDocument: Bool = false, body: [UInt8] = [], at now: Timestamp = .now) -> ConfigError? {
        if (200..<300).contains(status) { return nil }
        // A document may be on any host, whose other responses are not described in the server's own words.
        let isOurs = isDocument ? status == 404 || status == 410 : hasProblemDetails
        // Without details that can be read, the status words the error.
        let details = hasProblemDetails && !isDocument ? try? ProblemDetails(json: body) : nil
        let code = code(isOurs: isOurs)
        if status == 422, let violations = details?.violations, !violations.isEmpty {
            return .breakingSchemas(violations)
        }
        let words = details.map { $0.detail.isEmpty ? $0.title : $0.detail } ?? ""
        let isEnded = status == 410 && details?.type == Self.endOfDraft
        let message = words.isEmpty ? message(of: code, isDocument: isDocument) : words
        var error = ConfigError(isEnded ? .ended : code, message)
        error.key = details?.key
        error.retryAfter = retryAfter(at: now)
        error.underlying = details
        return error
    }

    /// The type of the problem with the preview of a draft that was applied or closed.
    private static let endOfDraft = "urn:livery:problem:draft-ended"

    /// Checks that the response comes from a Livery server. A captive portal answers every request with its own page and status
    /// 200.
    package func check(isOf type: String) throws(ConfigError) {
        if let problem = problem() { throw problem }
        guard headers.mediaType == type else {
            let server = Origin(url)?.name ?? "the server"
            let advice = "check the address, and log in if the network requires it"
            throw ConfigError(.badResponse, "unexpected response from \(server): not a Livery server; \(advice)")
        }
    }

    /// The kind of error for the status.
    ///
    /// - Parameter isOurs: whether the response comes from the Livery server itself, whose errors have problem details. Errors
    ///   of a proxy count without them, except that a missing resource or a conflict does not.
    private func code(isOurs: Bool) -> ConfigError.Code {
        switch status {
        case 401: .unauthorized
        // A proxy or a network may require a separate login, for which no token exists.
        case 403, 407, 511: .forbidden
        case 413: .tooLarge
        case 429: .rateLimited
        case 408, 425, 500, 502..<505, 507, 520..<600: .unavailable
        case _ where !isOurs: .badResponse
        case 404, 410: .notFound
        case 409, 412: .conflict
        case 400..<500: .rejected
        case 500..<600: .unavailable
        default: .badResponse
        }
    }

    /// RFC 9457.
    private var hasProblemDetails: Bool { headers.mediaType == "application/problem+json" }

    /// The server's `Retry-After`: seconds, or a date by its own clock; limited to one hour.
    private func retryAfter(at now: Timestamp) -> Duration? {
        guard let text = headers["Retry-After"] else { return nil }
        let most: Int64 = 3_600_000
        if let seconds = Int64(text) { return seconds < 0 ? nil : .milliseconds(min(seconds, most / 1000) * 1000) }
        guard let date = Timestamp(httpDate: text) else { return nil }
        return .milliseconds(min(max(0, date.milliseconds - headers.time(or: now).milliseconds), most))
    }

    /// The host and port that a redirect leads to; `nil` if it names none.
    private var redirectTarget: String? {
        let target = headers["Location"].flatMap { URL(string: $0, relativeTo: url)?.absoluteURL }
        return target.flatMap(Origin.init(_:)).map { "\($0.scheme)://\($0.name)" }
    }

    private func message(of code: ConfigError.Code, isDocument: Bool) -> String {
        let server = Origin(url)?.name ?? "the server"
        return switch status {
        case 401:
            "\(server) rejected the request (status 401): missing or invalid token"
        case 403: "\(server) denied access (status 403); check the address, or use a token with more permissions"
        case 407:
            "the proxy for \(server) requires authentication (status 407); set the user and password in the proxy URL"
        case 511: "the network requires a login (status 511) to reach \(server); log in with a browser"
        case 413: "request too large for \(server) (status 413); send less at a time, or raise the limit of the proxy"
        case 426:
            "\(server) requires a newer version of HTTP (status 426); if a proxy sends HTTP/1.0, let it use HTTP/1.1"
                + " (nginx: 'proxy_http_version 1.1')"
        case 429: "too many requests to \(server) (status 429); try again later"
        case _ where code == .unavailable: "\(server) is unavailable (status \(status)); try again later"
        case 404 where code == .notFound, 410 where code == .notFound:
            "not found on \(server) (status \(status)); check the address"
        case _ where code == .conflict:
            "conflict with another writer (status \(status)); read the current state and retry"
        case 304:
            "\(server) returned 'not modified' for an unconditional request (status 304);"
                + " check for a proxy that modifies requests"
        case 300..<400 where redirectTarget != nil:
            "\(server) redirected the request to \(redirectTarget ?? "another address") (status \(status));"
                + " requests of this kind do not follow redirects; set the new address"
        case 300..<400 where isDocument:
            "\(server) sent a redirect without a location (status \(status)); check the address"
        case _ where code == .badResponse && !isDocument:
            "unexpected response from \(server) (status \(status)): not a Livery server; check the address"
        default: "\(server) rejected the request (status \(status))"
        }
    }
}

extension HTTPHeaders {
    /// The time of the response by the server's clock, from `Date`; otherwise the given time.
    package func time(or now: Timestamp) -> Timestamp { self["Date"].flatMap(Timestamp.init(httpDate:)) ?? now }

    /// The content's type without parameters, in lower case; empty if there is none.
    package var mediaType: String {
        (self["Content-Type"] ?? "").prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
    }
}

/// The maximum size of a namespace's state, as announced by the server, in bytes of JSON.
enum AnnouncedSize {
    /// The maximum announced size that is accepted.
    private static let ceiling = 1 << 30

    /// `nil` without the header.
    static func stated(in headers: HTTPHeaders) -> Int? {
        guard let text = headers["livery-max-size"], !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) })
        else { return nil }
        return min(Int(text) ?? ceiling, ceiling)
    }
}
