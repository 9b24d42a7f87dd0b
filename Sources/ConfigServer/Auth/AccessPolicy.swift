internal import ConfigModel
internal import NIOHTTP1
internal import Synchronization

/// Decides who may do what.
package final class AccessPolicy: Sendable {
    private let table: Mutex<TokenTable?>
    private let failures: Mutex<FailedAttempts>

    /// - Parameters:
    ///   - tokens: the tokens; `nil` where everyone may do everything, which is for loopback alone.
    ///   - failedAttemptsPerMinute: how many failures an address has a minute.
    package init(tokens: TokenTable?, failedAttemptsPerMinute: Int = 20) {
        table = Mutex(tokens)
        failures = Mutex(FailedAttempts(perMinute: failedAttemptsPerMinute))
    }

    /// Whether there are tokens.
    package var hasTokens: Bool { table.withLock { $0 != nil } }

    /// Puts other tokens in the place of those there are.
    package func replace(with tokens: TokenTable) {
        table.withLock { $0 = tokens }
    }

    /// Decides about a request.
    ///
    /// - Parameters:
    ///   - access: what the request needs.
    ///   - namespace: the namespace that it is about.
    ///   - authorization: its `Authorization` field.
    ///   - address: where it comes from.
    /// - Returns: who asks; nobody in particular where there are no tokens or none is needed.
    /// - Throws: ``Problem`` with the status 401, 403 or 429.
    package func authorize(
        _ access: Access,
        namespace: String,
        authorization: String?,
        address: String
    ) throws(Problem) -> Principal {
        guard access != .open, let table = table.withLock({ $0 }) else { return Principal(token: nil) }
        guard let authorization else { throw Self.unauthenticated("send 'Authorization: Bearer' with a token") }
        let now = Self.now
        if let delay = failures.withLock({ $0.delay(for: address, at: now) }) {
            throw Problem(
                .tooManyRequests,
                "too-many-failures",
                "too many wrong tokens came from this address; try again in \(delay) s",
                headers: ["retry-after": "\(delay)"]
            )
        }
        guard let text = Self.bearer(authorization), let token = table.token(text) else {
            failures.withLock { $0.record(address, at: now) }
            throw Self.unauthenticated("this token is not known here; ask the server's operator for one")
        }
        guard case .namespace(let role) = access else { return Principal(token: token) }
        guard token.role >= role else {
            throw Self.forbidden("this needs the role \(role), the token has \(token.role)")
        }
        guard token.covers(namespace) else {
            throw Self.forbidden("the token is not for the namespace '\(namespace.excerpt(ofScalars: 64))'")
        }
        return Principal(token: token)
    }

    private static var now: Double {
        let elapsed = ContinuousClock.now - start
        return Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    }
    private static let start = ContinuousClock.now

    private static func bearer(_ authorization: String) -> Substring? {
        let parts = authorization.split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "bearer", parts[1].utf8.count <= 512 else { return nil }
        return parts[1]
    }

    private static func unauthenticated(_ detail: String) -> Problem {
        Problem(
            .unauthorized,
            "unauthenticated",
            detail,
            field: "Authorization",
            headers: ["www-authenticate": "Bearer realm=\"livery\""]
        )
    }

    private static func forbidden(_ detail: String) -> Problem {
        Problem(.forbidden, "forbidden", detail, field: "Authorization")
    }
}

/// Who asks.
package struct Principal: Hashable, Sendable {
    /// The token; `nil` where there are none.
    package var token: AccessToken?

    /// The author of what is written.
    package var name: String? { token?.name }

    /// Whether a namespace may be known to whoever asks.
    func mayRead(_ namespace: String) -> Bool {
        token?.covers(namespace) ?? true
    }
}
