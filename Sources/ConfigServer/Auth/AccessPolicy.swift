// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
public import ConfigModel
public import ConfigStore
internal import ConfigWire
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import ServiceLifecycle
internal import Synchronization

/// Decides on the rights of requests by their tokens.
///
/// The tokens can be replaced while the server runs: removing a token ends its streams.
public final class AccessPolicy: Sendable {
    private let table: Mutex<TokenTable?>
    /// A number that changes together with the tokens.
    let version = Atomic<UInt64>(0)
    private let failures: Mutex<FailedAttempts>
    /// The actions of the servers that use the policy.
    private let followers = Mutex<[ObjectIdentifier: @Sendable () async -> Int]>([:])
    /// The expired tokens whose streams have been ended.
    private let ended = Mutex<Set<AccessToken>>([])
    let now: @Sendable () -> Timestamp

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - tokens: the tokens that are accepted; `nil` to allow everything to everyone, which is for loopback only.
    ///   - failedAttemptsPerMinute: the number of wrong tokens that one address may send in a minute, at least 1.
    ///   - now: the clock by which tokens expire.
    public init(
        tokens: TokenTable?,
        failedAttemptsPerMinute: Int = 20,
        now: @escaping @Sendable () -> Timestamp = Timestamp.ofClock
    ) {
        table = Mutex(tokens)
        self.now = now
        failures = Mutex(FailedAttempts(perMinute: failedAttemptsPerMinute))
    }

    var hasTokens: Bool { table.withLock { $0 != nil } }

    /// Replaces the tokens, and ends the streams that the new ones do not allow.
    ///
    /// - Returns: the number of the streams that it ended.
    /// - Throws: `ConfigError` if there are no tokens at all, as in a file that is lost or being written.
    @discardableResult
    public func replace(with tokens: TokenTable) async throws(ConfigError) -> Int {
        try tokens.requireTokens()
        return await change { $0 = tokens }
    }

    /// Removes the rights that an untrusted token file no longer grants, without adding any.
    ///
    /// - Returns: the number of the streams that it ended.
    /// - Throws: ``ConfigError`` if there are no tokens at all.
    package func restrict(to tokens: TokenTable) async throws(ConfigError) -> Int {
        try tokens.requireTokens()
        return await change { $0 = $0?.restricted(to: tokens) }
    }

    private func change(_ body: (inout TokenTable?) -> Void) async -> Int {
        table.withLock {
            body(&$0)
            version.wrappingAdd(1, ordering: .releasing)
        }
        return await endForbiddenStreams()
    }

    /// Ends the streams of the tokens that have expired since the last call.
    ///
    /// - Returns: the names of the tokens, and the number of the streams; `nil` if no token has expired.
    func endExpired() async -> (names: [String], streams: Int)? {
        guard let tokens = table.withLock({ $0?.tokens }) else { return nil }
        let expired = tokens.filter { $0.hasExpired(at: now()) }
        let new = ended.withLock { ended in
            defer { ended = Set(expired) }
            return expired.filter { !ended.contains($0) }
        }
        if new.isEmpty { return nil }
        version.wrappingAdd(1, ordering: .releasing)
        return (new.map(\.name), await endForbiddenStreams())
    }

    /// Sets the action of a server that ends the streams that are not allowed any more after a change of the tokens, and
    /// returns their number; `nil` once the server has stopped.
    func onReplace(at server: AnyObject, _ action: (@Sendable () async -> Int)?) {
        followers.withLock { $0[ObjectIdentifier(server)] = action }
    }

    private func endForbiddenStreams() async -> Int {
        var count = 0
        for action in followers.withLock({ Array($0.values) }) { count += await action() }
        return count
    }

    var tokens: TokenTable? { table.withLock { $0 } }

    /// - Parameters:
    ///   - authorization: evaluated only if there are tokens.
    ///   - client: evaluated only after a failure.
    /// - Throws: ``Problem`` with the status 401, 403 or 429.
    func authorize(
        _ access: Access,
        namespace: String,
        authorization: () -> String?,
        client: () -> ClientAddress
    ) throws(Problem) -> Principal {
        guard access != .open, let table = table.withLock({ $0 }) else { return Principal(token: nil) }
        guard let authorization = authorization() else {
            throw Self.unauthenticated("missing token; send 'Authorization: Bearer TOKEN'")
        }
        // The token first: the failures of others behind the same proxy do not count against a valid token.
        guard let text = Self.bearer(authorization), let token = table.token(text) else {
            throw failure(of: client(), "unknown token; request one from the operator of the server")
        }
        try requireLasting(token)
        guard case .namespace(let role) = access else { return Principal(token: token) }
        guard token.role >= role else {
            throw Self.forbidden("requires the role \(role); the token has the role \(token.role)")
        }
        try Self.require(token, for: namespace)
        return Principal(token: token)
    }

    /// Whether the token of a review exists, has not expired and still may review in a namespace.
    func mayStillApprove(_ actor: DraftActor, in namespace: String) -> Bool {
        guard let table = table.withLock({ $0 }) else { return actor.hash == nil }
        guard let token = table.tokens.first(where: { $0.hash.hexDigits == actor.hash }) else { return false }
        return !token.hasExpired(at: now()) && token.role >= .approve && token.covers(namespace)
            && token.subject == actor.subject
    }

    /// Decides by the ticket in a stream's address.
    ///
    /// - Parameter client: evaluated only after a failure.
    /// - Throws: ``Problem`` with the status 401, 403 or 429.
    func admit(
        _ ticket: String,
        to namespace: String,
        at seconds: Int,
        client: () -> ClientAddress
    ) throws(Problem) -> Principal {
        guard let table = table.withLock({ $0 }) else { return Principal(token: nil) }
        guard let ticket = StreamTicket(ticket), let token = table.holder(of: ticket, to: namespace) else {
            let detail = "invalid stream URL; fetch the flags again for a new one"
            throw failure(of: client(), detail, field: "token")
        }
        // A valid ticket cannot be a guess, so it does not count as a failure.
        guard ticket.isValid(at: seconds) else {
            let detail = "the stream URL has expired; fetch the flags again for a new one"
            throw Self.unauthenticated(detail, field: "token")
        }
        try requireLasting(token)
        try Self.require(token, for: namespace)
        return Principal(token: token)
    }

    /// An expired token cannot be a guess, so it does not count as a failure.
    private func requireLasting(_ token: AccessToken) throws(Problem) {
        guard let end = token.expiresAt, token.hasExpired(at: now()) else { return }
        throw Self.unauthenticated("the token expired at \(end); request a new one from the operator of the server")
    }

    private static func require(_ token: AccessToken, for namespace: String) throws(Problem) {
        guard !token.covers(namespace) else { return }
        throw forbidden("the token has no access to the namespace '\(namespace.excerpt(ofScalars: 64))'")
    }

    private func failure(of client: ClientAddress, _ detail: String, field: String = "Authorization") -> Problem {
        let now = Double(NIODeadline.now().uptimeNanoseconds) / 1e9
        let delay = failures.withLock { failures in
            let delay = failures.delay(for: client, at: now)
            if delay == nil { failures.record(client, at: now) }
            return delay
        }
        guard let delay else {
            return Self.unauthenticated(detail, field: field)
        }
        return Problem(
            .tooManyRequests,
            "too-many-failures",
            "too many failed attempts from this address; try again in \(delay) s",
            headers: ["retry-after": "\(delay)"]
        )
    }

    private static func bearer(_ authorization: String) -> Substring? {
        let parts = authorization.split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "bearer", parts[1].utf8.count <= 512 else { return nil }
        return parts[1]
    }

    private static func unauthenticated(_ detail: String, field: String = "Authorization") -> Problem {
        let challenge: HTTPHeaders = ["www-authenticate": "Bearer realm=\"livery\""]
        return Problem(.unauthorized, "unauthenticated", detail, field: field, headers: challenge)
    }

    private static func forbidden(_ detail: String) -> Problem {
        Problem(.forbidden, "forbidden", detail, field: "Authorization")
    }
}

/// The sender of a request.
struct Principal: Hashable, Sendable {
    /// The token; `nil` if the server has none or the request needs none.
    var token: AccessToken?

    /// The author of changes.
    var name: String? { token?.name }

    /// Whether the sender may know of a namespace.
    func mayRead(_ namespace: String) -> Bool { token?.covers(namespace) ?? true }
}

/// The failed authentications of networks (``ClientAddress/network``): a token bucket for each.
///
/// Bounded: of too many networks, those with the oldest failures are forgotten.
struct FailedAttempts: Sendable {
    private var buckets: [IPAddress?: (level: Double, filledAt: Double)] = [:]
    private let capacity: Double
    private let networks: Int

    init(perMinute: Int, networks: Int = 4096) {
        capacity = Double(max(perMinute, 1))
        self.networks = networks
    }

    /// The seconds after which the client may try again; `nil` if it may now.
    func delay(for client: ClientAddress, at now: Double) -> Int? {
        let level = level(of: client.network, at: now)
        return level >= 1 ? nil : max(1, Int(((1 - level) * 60 / capacity).rounded(.up)))
    }

    mutating func record(_ client: ClientAddress, at now: Double) {
        let network = client.network
        let level = level(of: network, at: now)
        if buckets[network] == nil, buckets.count >= networks { forget(at: now) }
        buckets[network] = (max(0, level - 1), now)
    }

    private func level(of network: IPAddress?, at now: Double) -> Double {
        guard let bucket = buckets[network] else { return capacity }
        return min(capacity, bucket.level + (now - bucket.filledAt) * capacity / 60)
    }

    /// Drops the networks whose buckets are full again, or else the oldest quarter.
    private mutating func forget(at now: Double) {
        buckets = buckets.filter { level(of: $0.key, at: now) < capacity }
        guard buckets.count >= networks else { return }
        let oldest = buckets.sorted { $0.value.filledAt < $1.value.filledAt }.prefix(networks / 4 + 1)
        for (network, _) in oldest { buckets[network] = nil }
    }
}

/// Ends the streams of tokens when they expire. Requests are checked against the clock directly.
struct TokenExpiry: Service {
    let policy: AccessPolicy
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            // By looking rather than by waiting for a moment: clocks are set, and machines sleep.
            while (try? await Task.sleep(for: .seconds(1), tolerance: .milliseconds(500))) != nil {
                guard let (names, streams) = await policy.endExpired() else { continue }
                logger.notice(
                    "tokens have expired",
                    metadata: ["names": "\(names.joined(separator: ","))", "streams-ended": "\(streams)"]
                )
            }
        }
    }
}
