package import ConfigModel

extension HTTPResponseHead {
    /// What is wrong with the status, for those who want a 2xx; `nil` if nothing is.
    ///
    /// - Parameters:
    ///   - detail: what the server says about it, if it says something for people to read.
    ///   - now: what a date in `Retry-After` is counted from.
    package func problem(with detail: String? = nil, at now: Timestamp = .now) -> ConfigError? {
        if (200..<300).contains(status) { return nil }
        let server = Origin(url)?.name ?? "the server"
        var error =
            switch status {
            case 401:
                ConfigError(
                    .unauthorized,
                    "\(server) refused: it wants a token, or another one; run `livery login` or set LIVERY_TOKEN"
                        + ", or give a document's by --token-file (status 401)"
                )
            case 403:
                ConfigError(
                    .forbidden,
                    "\(server) refused; check the address, or ask for a token that may read this (status 403)"
                )
            case 407:
                ConfigError(.badResponse, "the proxy before \(server) wants a login; check http_proxy (status 407)")
            case 404, 410: ConfigError(.notFound, "\(server) has nothing at this address; check it (status \(status))")
            case 429: ConfigError(.rateLimited, "\(server) asks for fewer requests (status 429)")
            case 500...599: ConfigError(.unavailable, "\(server) cannot answer now (status \(status))")
            case 300..<400:
                ConfigError(.badResponse, "\(server) sends on to nowhere; check the address (status \(status))")
            default: ConfigError(.badResponse, "\(server) refuses the request (status \(status))")
            }
        if let detail { error.message += ": " + detail }
        error.retryAfter = headers["Retry-After"].flatMap { Self.delay($0, at: now) }
        return error
    }

    /// Reads `Retry-After`, which is in seconds or a date; no server is obeyed for more than a day.
    private static func delay(_ text: String, at now: Timestamp) -> Duration? {
        let most: Int64 = 86_400_000
        if let seconds = Int64(text) { return seconds < 0 ? nil : .milliseconds(min(seconds, most / 1000) * 1000) }
        guard let date = Timestamp(httpDate: text) else { return nil }
        return .milliseconds(min(max(0, date.milliseconds - now.milliseconds), most))
    }
}
