internal import CCurl
internal import ConfigModel

/// What a server's refusals mean to the one who asked.
enum ServerFault {
    /// The error that an answer stands for; `nil` for an answer of success.
    ///
    /// The words are the server's own where it gives problem details (RFC 9457).
    static func error(of head: HTTPResponseHead, body: [UInt8], from host: String) -> ConfigError? {
        guard !(200...299).contains(head.status) else { return nil }
        let problem = details(in: head, body)
        let code = HTTPResponseHead.code(of: head.status, isOurs: problem != nil)
        let message = code == .badResponse ? notOurs(head.status, host) : message(of: head.status, host)
        var error = ConfigError(code, problem.flatMap(sentence) ?? message)
        error.key = problem?.key
        error.retryAfter = head.retryAfter()
        return error
    }

    private static func details(in head: HTTPResponseHead, _ body: [UInt8]) -> ProblemDetails? {
        head.hasProblemDetails ? try? ProblemDetails(json: body) : nil
    }

    private static func sentence(_ problem: ProblemDetails) -> String? {
        let text = problem.detail.isEmpty ? problem.title : problem.detail
        return text.isEmpty ? nil : text
    }

    private static func notOurs(_ status: Int, _ host: String) -> String {
        "\(host) does not answer as a Livery server does (status \(status)); check the address"
    }

    private static func message(of status: Int, _ host: String) -> String {
        switch status {
        case 401: "\(host) asks for a token"
        case 403: "\(host) does not allow this with the token given"
        case 407: "the proxy before \(host) wants a login; check http_proxy"
        case 511: "the network before \(host) wants a login; open a web page"
        case 404, 410: "\(host) has nothing there; check the address, the namespace and the key"
        case 409, 412: "somebody else was first; look again and repeat"
        case 413: "\(host) takes no request as large as this"
        case 429: "\(host) asks for fewer requests; wait a while"
        case 400..<500: "\(host) refuses the request (status \(status))"
        case 500..<600: "\(host) cannot answer at present (status \(status)); try again later"
        default: notOurs(status, host)
        }
    }

    /// The error of a write, which may have been done where the answer to it is missing.
    static func ofWrite(_ error: ConfigError) -> ConfigError {
        let before = [
            CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_SSL_CONNECT_ERROR,
        ]
        let code = (error.underlying as? CurlError)?.code
        guard error.code == .unreachable, !before.contains(where: { Int($0.rawValue) == code }) else { return error }
        var uncertain = error
        uncertain.message += "; it is unknown whether this was written, so look before you write it again"
        return uncertain
    }

    /// The error with the question that is on the mind of whoever reads it.
    static func explained(_ error: ConfigError, host: String) -> ConfigError {
        guard let cause = error.underlying as? CurlError, cause.proxy == nil,
            cause.code == Int(CURLE_COULDNT_CONNECT.rawValue)
        else { return error }
        var explained = error
        explained.message = "nothing answers at \(host); is livery-server running?"
        return explained
    }
}
