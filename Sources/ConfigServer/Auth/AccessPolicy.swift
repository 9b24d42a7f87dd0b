package import ConfigModel
internal import NIOHTTP1
internal import Synchronization

/// Decides who may do what.
package final class AccessPolicy: Sendable {
    private let table: Mutex<TokenTable?>
    private let failures: Mutex<FailedAttempts>
    private let follower = Mutex<(@Sendable () async -> Int)?>(nil)

    /// - Parameters:
    ///   - tokens: the tokens; `nil` where everyone may do everything, which is for loopback alone.
    ///   - failedAttemptsPerMinute: how many failures an address has a minute.
    package init(tokens: TokenTable?, failedAttemptsPerMinute: Int = 20) {
        table = Mutex(tokens)
        failures = Mutex(FailedAttempts(perMinute: failedAttemptsPerMinute))
    }

    /// Whether there are tokens.
    package var hasTokens: Bool { table.withLock { $0 != nil } }

    /// Puts other tokens in the place of those there are, and ends what they do not allow any more.
    ///
    /// - Returns: how many streams were ended. Once this returns, nobody has a stream whose token does not allow it.
    /// - Throws: ``ConfigError`` if there are no tokens at all, which is a file that somebody is writing at the moment
    ///   or that was lost; the tokens stay as they were.
    package func replace(with tokens: TokenTable) async throws(ConfigError) -> Int {
        if tokens.tokens.isEmpty {
            throw ConfigError(.syntax, "the file has no token, so that nobody could do anything; it may be cut off")
        }
        table.withLock { $0 = tokens }
        guard let follower = follower.withLock({ $0 }) else { return 0 }
        return await follower()
    }

    /// Has something done after each change of the tokens.
    ///
    /// - Parameter action: ends what is not allowed any more, and returns how many streams that were.
    func onReplace(_ action: (@Sendable () async -> Int)?) {
        follower.withLock { $0 = action }
    }

    /// The tokens as they are now, to look many of them up.
    var tokens: TokenIndex? { table.withLock { $0 }.map(TokenIndex.init) }

    /// Decides about a request.
    ///
    /// - Parameters:
    ///   - access: what the request needs.
    ///   - namespace: the namespace that it is about.
    ///   - authorization: its `Authorization` field; asked for only where there are tokens.
    ///   - client: where it comes from; asked for only where that matters.
    /// - Returns: who asks; nobody in particular where there are no tokens or none is needed.
    /// - Throws: ``Problem`` with the status 401, 403 or 429.
    package func authorize(
        _ access: Access,
        namespace: String,
        authorization: @autoclosure () -> String?,
        client: @autoclosure () -> ClientAddress
    ) throws(Problem) -> Principal {
        guard access != .open, let table = table.withLock({ $0 }) else { return Principal(token: nil) }
        guard let authorization = authorization() else {
            throw Self.unauthenticated("send 'Authorization: Bearer' with a token")
        }
        // The token first: whoever has a right one shares nothing with those who guess, not even behind one proxy.
        guard let text = Self.bearer(authorization), let token = table.token(text) else { throw failure(of: client()) }
        guard case .namespace(let role) = access else { return Principal(token: token) }
        guard token.role >= role else {
            throw Self.forbidden("this needs the role \(role), the token has \(token.role)")
        }
        guard token.covers(namespace) else {
            throw Self.forbidden("the token is not for the namespace '\(namespace.excerpt(ofScalars: 64))'")
        }
        return Principal(token: token)
    }

    /// Counts a wrong token.
    private func failure(of client: ClientAddress) -> Problem {
        let now = Self.now
        let delay = failures.withLock { failures in
            let delay = failures.delay(for: client, at: now)
            if delay == nil { failures.record(client, at: now) }
            return delay
        }
        guard let delay else {
            return Self.unauthenticated("this token is not known here; ask the server's operator for one")
        }
        return Problem(
            .tooManyRequests,
            "too-many-failures",
            "too many wrong tokens came from this address; try again in \(delay) s",
            headers: ["retry-after": "\(delay)"]
        )
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

/// What a token may do; each role may do what the ones before it may.
package enum Role: String, Comparable, CaseIterable, Sendable {
    /// Read configurations, their history and their streams.
    case read
    /// Change them as well, key by key.
    case write
    /// Undo what others did as well: roll a whole namespace back.
    case admin

    package static func < (left: Role, right: Role) -> Bool {
        guard let left = allCases.firstIndex(of: left), let right = allCases.firstIndex(of: right) else { return false }
        return left < right
    }
}

/// What a request needs.
package enum Access: Hashable, Sendable {
    /// Nothing: anyone may ask.
    case open
    /// Any token, where there are tokens.
    case anyToken
    /// A token with at least this role for the namespace that the path names, or else the standard one.
    case namespace(Role)
}
