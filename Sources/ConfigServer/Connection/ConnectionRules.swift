internal import NIOHTTP1

/// The rules that the requests of all connections are judged by.
final class ConnectionRules: Sendable {
    let limits: ServerLimits
    let origins: SameOriginPolicy

    init(limits: ServerLimits, origins: SameOriginPolicy) {
        self.limits = limits
        self.origins = origins
    }

    /// What is wrong with a request's head; `nil` if nothing is.
    ///
    /// - Parameters:
    ///   - known: what was right in the connection's requests before, which are mostly alike.
    ///   - hasTokens: whether the server authenticates requests.
    func problem(
        in head: HTTPRequestHead,
        _ framing: RequestFraming,
        _ known: inout KnownGood,
        hasTokens: @autoclosure () -> Bool
    ) -> Problem? {
        if let problem = RequestCheck.problem(in: head, framing, limits, knownHost: known.host) { return problem }
        let origin = RequestOrigin(target: head.uri, framing)
        let changes: Bool
        switch head.method {
        case .GET, .HEAD, .OPTIONS: changes = false
        default: changes = true
        }
        if changes || origin != known.origin {
            if let problem = origins.problem(with: origin, changes: changes, hasTokens: hasTokens()) { return problem }
            known.origin = origin
        }
        known.host = framing.host
        return nil
    }
}

/// What was found right in earlier requests of a connection.
struct KnownGood {
    var origin: RequestOrigin?
    /// The value of `Host`.
    var host: String?
}
