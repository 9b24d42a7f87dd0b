// SPDX-License-Identifier: Apache-2.0

public import ConfigHub
internal import ConfigModel
public import ConfigStore
internal import ConfigWire
internal import Foundation
internal import Logging
package import NIOCore
internal import NIOHTTP1

/// The services that routes and connections use to answer: configuration, access and executors.
final class ServerServices: Sendable {
    let hub: NamespaceHub
    let policy: AccessPolicy
    let origins: SameOriginPolicy
    let proxies: TrustedProxies
    let limits: ServerLimits
    let bodies: MemoryBudget
    /// For answers that many clients do not share.
    let answers: MemoryBudget
    let workers: Workers
    let storeTurns: StoreTurns
    let registry: PrometheusRegistry
    let metrics: ServerMetrics
    let logger: Logger
    /// The log of rejected requests and dropped connections.
    let refusals: RefusalLog
    /// The log of requests that tokens did not allow. Other refusals cannot use up its budget.
    private let denials: RefusalLog

    init(
        hub: NamespaceHub,
        policy: AccessPolicy,
        settings: ServerSettings,
        registry: PrometheusRegistry,
        logger: Logger
    ) {
        (self.hub, self.policy, self.registry, self.logger) = (hub, policy, registry, logger)
        origins = SameOriginPolicy(origins: settings.corsOrigins, hosts: settings.allowedHosts)
        proxies = settings.trustedProxies
        limits = settings.limits
        // Any body that is not too large fits if it is alone.
        bodies = MemoryBudget(limit: max(limits.allBodyBytes, limits.bodyBytes))
        answers = MemoryBudget(limit: limits.allAnswerBytes)
        workers = Workers(limits, compress: settings.compress)
        storeTurns = StoreTurns(patience: .seconds(Int64(limits.workSeconds)))
        metrics = ServerMetrics(factory: registry)
        refusals = RefusalLog(logger: logger)
        denials = RefusalLog(logger: logger)
        hub.approvals.set { [policy] in policy.mayStillApprove($0, in: $1) }
    }
}

extension ServerServices {
    /// - Throws: ``Problem`` until the store has been loaded.
    func state(of namespace: String) throws(Problem) -> NamespaceState {
        guard let state = hub.state(of: namespace) else { throw .notReady }
        return state
    }

    /// Decides whether a request is allowed, and logs it if not.
    func authorize(
        _ access: Access,
        namespace: String,
        authorization: @autoclosure () -> String?,
        client: @autoclosure () -> ClientAddress
    ) throws(Problem) -> Principal {
        try logged(client) { () throws(Problem) in
            try policy.authorize(access, namespace: namespace, authorization: authorization, client: client)
        }
    }

    /// The same by the ticket in a stream's address, which is not logged.
    func admit(
        _ ticket: String,
        to namespace: String,
        client: @autoclosure () -> ClientAddress
    ) throws(Problem) -> Principal {
        try logged(client) { () throws(Problem) in
            try policy.admit(ticket, to: namespace, at: .secondsNow, client: client)
        }
    }

    private func logged(
        _ client: () -> ClientAddress,
        _ decide: () throws(Problem) -> Principal
    ) throws(Problem) -> Principal {
        do throws(Problem) {
            return try decide()
        } catch {
            metrics.refusedToken(Int(error.status.code))
            let metadata: Logger.Metadata = [
                "from": "\(client())", "status": "\(error.status.code)", "problem": "\(error.code)",
                "detail": "\(error.detail)",
            ]
            denials.record("access denied", metadata)
            throw error
        }
    }

    /// The revision that the client has seen, if memory does not have it yet.
    func missing(from conditions: ReadConditions, _ target: RequestTarget) -> RevisionCursor? {
        guard let head = hub.head, let seen = conditions.latestSeen(of: head.epoch, target), head.isBehind(seen) else {
            return nil
        }
        return seen
    }

    /// Waits a moment until memory has the revision that a client has seen on another server.
    ///
    /// - Throws: ``Problem`` if it takes too long; the client tries again, here or elsewhere.
    func catchUp(with conditions: ReadConditions, _ target: RequestTarget) async throws(Problem) -> CatchUp {
        guard let seen = missing(from: conditions, target) else { return .done }
        let outcome = await hub.catchUp(with: seen)
        if outcome == .stillBehind { throw .behind }
        return outcome
    }

    /// An answer that is made for one client.
    ///
    /// - Parameter bytes: about how many bytes it will have; 0 if that is found out by making it.
    /// - Throws: ``Problem/tooManyAnswers`` if the budget has no room for it.
    func single(_ bytes: Int, _ make: (AnswerLease) async throws -> Reply) async throws -> Reply {
        let lease = try AnswerLease(bytes, of: answers)
        var reply = try await make(lease)
        try lease.resize(to: reply.body.readableBytes)
        reply.lease = lease
        return reply
    }

    /// An answer that is made of what the store reads for one client, in turn with other clients.
    ///
    /// - Parameter bytes: about how many bytes it will have, as far as that is known.
    func past(
        _ bytes: Int,
        _ context: RouteContext,
        _ make: (AnswerLease) async throws -> Reply
    ) async throws -> Reply {
        try await single(bytes) { lease in
            try await storeTurns.run(in: context.namespace, for: context.caller) { try await make(lease) }
        }
    }

    /// Changes the configuration, if the sender is still allowed to: the body may have taken minutes. The audit log records
    /// it, also if the outcome is unknown. It never sees values.
    ///
    /// - Parameter action: the name of the change in the audit log.
    /// - Returns: the outcome, and the namespace after it.
    func publish(
        _ action: String,
        _ change: Publish.Change,
        conditions: [Publish.Condition] = [],
        message: String? = nil,
        for context: RouteContext
    ) async throws -> (outcome: PublishOutcome, state: NamespaceState) {
        let principal = try context.authorize(self)
        var publish = Publish(
            namespace: context.namespace,
            change: change,
            conditions: conditions,
            author: principal.name,
            message: message
        )
        if let reason = context.emergency {
            try Problem.requireEmergency(principal, reason)
            publish.isEmergency = true
            publish.message = ["emergency: \(reason)", message].compactMap(\.self).joined(separator: "; ")
            audit("emergency", context, [], ["reason": "\(reason)"])
        }
        let outcome: PublishOutcome
        do throws(StoreError) {
            outcome = try await hub.publish(publish)
        } catch {
            // The keys that a rollback changes are not known.
            let keys = if case .edit(let edits) = change { Array(edits.keys) } else { [String]() }
            if error.code == .uncertain { audit(action, context, keys, ["outcome": "uncertain"]) }
            throw error
        }
        if case .reviewRequired(let keys) = outcome { throw Problem.reviewRequired(keys) }
        if case .invalid(let violations) = outcome { throw Problem.invalid(violations) }
        if case .committed(let commit) = outcome {
            audit(action, context, Array(commit.changes.keys), ["revision": "\(commit.revision)"])
        }
        return (outcome, try state(of: context.namespace))
    }

    func audit(_ action: String, _ context: RouteContext, _ keys: [String], _ result: Logger.Metadata) {
        guard logger.logLevel <= .notice else { return }
        let metadata: Logger.Metadata = [
            "action": "\(action)",
            "author": "\(context.principal.name ?? "-")",
            "address": "\(context.client)",
            "namespace": "\(context.namespace)",
            "count": "\(keys.count)",
            "keys": "\(keys.sorted().prefix(20).joined(separator: ","))",
        ]
        logger.notice("audit", metadata: metadata.merging(result) { $1 })
    }
}

extension Int {
    /// The time in whole seconds since 1970.
    static var secondsNow: Int { Int(Date().timeIntervalSince1970) }
}

/// The settings of a server. The defaults here and in ``ServerLimits`` are those of `livery-server`.
public struct ServerSettings: Sendable {
    /// The address to listen on: 127.0.0.1:3000. Port 0 is any free one.
    public var address = HostAndPort(host: "127.0.0.1", port: 3000)
    /// The certificate for TLS; without encryption if `nil`.
    public var tls: ServerCertificate?
    /// The origins whose pages may read and write, or `*`; none by default.
    public var corsOrigins: [String] = []
    /// Additional host names that the server answers to without tokens, besides those of this machine.
    public var allowedHosts: [String] = []
    /// The proxies whose reports of the client's address are trusted; none by default.
    public var trustedProxies = TrustedProxies()
    /// The limits of connections and requests.
    public var limits = ServerLimits()
    /// The quotas of the configuration, and the memory for clients that are behind.
    public var hubLimits = NamespaceHub.Limits()
    /// The number of threads that serve connections; `nil` for the threads that all servers of the process share, one
    /// for each processor.
    public var eventLoops: Int?
    /// Compresses a body; `nil` if that does not pay.
    package var compress: @Sendable (ByteBuffer) -> ByteBuffer? = { Gzip.compress($0) }

    /// Creates the settings of `livery-server`.
    public init() {}
}
