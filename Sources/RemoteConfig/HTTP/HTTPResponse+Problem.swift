package import ConfigModel

extension HTTPResponseHead {
    /// What is wrong with the status, for those who want a 2xx; `nil` if nothing is.
    ///
    /// - Parameters:
    ///   - isDocument: whether a document was asked for, which may be on anybody's host, and not a Livery server.
    ///   - now: what a date in `Retry-After` is counted from.
    package func problem(isDocument: Bool = false, at now: Timestamp = .now) -> ConfigError? {
        if (200..<300).contains(status) { return nil }
        // Any host may say that a document is not there; of anything else it says it in words that are not ours.
        let isOurs = isDocument ? status == 404 || status == 410 : hasProblemDetails
        let code = Self.code(of: status, isOurs: isOurs)
        var error = ConfigError(code, message(of: code))
        error.retryAfter = retryAfter(at: now)
        return error
    }

    /// The kind of error that a status stands for: the one place where that is decided.
    ///
    /// - Parameter isOurs: whether the answer is of the one that was asked. A Livery server's refusals have problem
    ///   details. What a proxy says before it counts without them; that a thing is not there, or that somebody was
    ///   first, does not.
    static func code(of status: Int, isOurs: Bool) -> ConfigError.Code {
        switch status {
        case 401: .unauthorized
        // The login that a proxy or a network wants is not the one that a token is for.
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

    /// Whether the answer says by its type that it has problem details (RFC 9457).
    var hasProblemDetails: Bool {
        headers["Content-Type"]?.lowercased().hasPrefix("application/problem+json") == true
    }

    /// How long the server asks to be left alone, in seconds or until a date; none is obeyed for more than an hour.
    ///
    /// - Parameter now: what a date is counted from.
    func retryAfter(at now: Timestamp = .now) -> Duration? {
        guard let text = headers["Retry-After"] else { return nil }
        let most: Int64 = 3_600_000
        if let seconds = Int64(text) { return seconds < 0 ? nil : .milliseconds(min(seconds, most / 1000) * 1000) }
        guard let date = Timestamp(httpDate: text) else { return nil }
        return .milliseconds(min(max(0, date.milliseconds - now.milliseconds), most))
    }

    private func message(of code: ConfigError.Code) -> String {
        let server = Origin(url)?.name ?? "the server"
        return switch status {
        case 401:
            "\(server) refused: it wants a token, or another one; run `livery login` or set LIVERY_TOKEN"
                + ", or give a document's by --token-file (status 401)"
        case 403:
            "\(server) refused; check the address, or ask for a token that may read this (status 403)"
        case 407: "the proxy before \(server) wants a login; check http_proxy (status 407)"
        case 511: "the network before \(server) wants a login; open a web page (status 511)"
        case 404, 410: "\(server) has nothing at this address; check it (status \(status))"
        case 429: "\(server) asks for fewer requests (status 429)"
        case _ where code == .unavailable: "\(server) cannot answer now (status \(status))"
        case 300..<400: "\(server) sends on to nowhere; check the address (status \(status))"
        default: "\(server) refuses the request (status \(status))"
        }
    }
}
