internal import ConfigModel
internal import ConfigStore
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import NIOHTTP1

/// What routes and connections need to answer: the configuration, who may use it, and where work is done.
final class ServerServices: Sendable {
    let hub: ConfigHub
    let policy: AccessPolicy
    let origins: SameOriginPolicy
    let proxies: TrustedProxies
    let limits: ServerLimits
    let workers: Workers
    let registry: PrometheusRegistry
    let metrics: ServerMetrics
    let logger: Logger
    /// The log of requests that tokens did not allow. Other refusals cannot use up its budget.
    private let denials: RefusalLog

    init(
        hub: ConfigHub,
        policy: AccessPolicy,
        origins: SameOriginPolicy,
        proxies: TrustedProxies,
        limits: ServerLimits,
        compress: @escaping @Sendable (ByteBuffer) -> ByteBuffer?,
        registry: PrometheusRegistry,
        logger: Logger
    ) {
        self.hub = hub
        self.policy = policy
        self.origins = origins
        self.proxies = proxies
        self.limits = limits
        workers = Workers(compress: compress)
        self.registry = registry
        metrics = ServerMetrics(factory: registry)
        self.logger = logger
        denials = RefusalLog(logger: logger)
    }
}

extension ServerServices {
    /// The namespace as it is now.
    ///
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
        do throws(Problem) {
            return try policy.authorize(access, namespace: namespace, authorization: authorization, client: client)
        } catch {
            denials.record(
                "access was refused",
                [
                    "from": "\(client())", "status": "\(error.status.code)", "problem": "\(error.code)",
                    "detail": "\(error.detail)",
                ]
            )
            throw error
        }
    }

    /// Waits a moment until memory has the revision that a client has seen on another server.
    ///
    /// - Throws: ``Problem`` if it takes too long; the client tries again, here or elsewhere.
    func catchUp(with conditions: ReadConditions, _ target: RequestTarget) async throws(Problem) -> CatchUp {
        guard let head = hub.head, let seen = SeenRevision.latest(of: head.epoch, in: conditions, target),
            hub.isBehind(seen)
        else { return .done }
        let outcome = await hub.catchUp(with: seen)
        if outcome == .stillBehind { throw .behind }
        return outcome
    }

    /// Parses the body of a request.
    func body<Value: Sendable, Failure: Error>(
        of request: Request,
        _ parse: @escaping @Sendable ([UInt8]) throws(Failure) -> Value
    ) async throws -> Value {
        try await workers.parsed(try await request.bytes(limits), parse)
    }

    /// Changes the configuration, if the sender is still allowed to: the body may have taken minutes. The audit log records
    /// it.
    ///
    /// - Parameter action: the name of the change in the audit log.
    func publish(
        _ action: String,
        _ change: Publish.Change,
        conditions: [Publish.Condition] = [],
        message: String? = nil,
        for context: RouteContext
    ) async throws -> PublishOutcome {
        let author = try context.authorize(self).name
        let publish = Publish(
            namespace: context.namespace,
            change: change,
            conditions: conditions,
            author: author,
            message: message
        )
        return try await AuditLog(logger: logger).publish(publish, action, context, to: hub)
    }
}
