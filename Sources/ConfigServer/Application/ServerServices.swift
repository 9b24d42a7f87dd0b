internal import ConfigStore
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import Synchronization

/// What the parts of a running server share.
final class ServerServices: Sendable {
    let hub: ConfigHub
    let policy: AccessPolicy
    let limits: ServerLimits
    let workers: Workers
    let origins: SameOriginPolicy
    let proxies: TrustedProxies
    let certificate: ServerCertificate?
    /// The lines about requests that tokens did not allow: others that were refused cannot crowd them out.
    let denials: RefusalLog
    let metrics: ServerMetrics
    let registry: PrometheusRegistry
    let logger: Logger
    let refusals: RefusalLog

    private struct Loop: Sendable {
        let eventLoop: any EventLoop
        let connections: NIOLoopBoundBox<ConnectionLoop?>
        let isFlushDue: FlushFlag
    }

    /// Whether a loop has been told to bring its streams forward and has not begun yet.
    private final class FlushFlag: Sendable {
        let value = Atomic(false)
    }

    private let loops: [ObjectIdentifier: Loop]
    private let observation = Mutex<Observation?>(nil)

    init(
        hub: ConfigHub,
        policy: AccessPolicy,
        settings: ServerSettings,
        certificate: ServerCertificate?,
        registry: PrometheusRegistry,
        logger: Logger,
        group: any EventLoopGroup
    ) {
        self.hub = hub
        self.policy = policy
        self.limits = settings.limits
        workers = Workers(compress: settings.compress)
        self.origins = SameOriginPolicy(cors: CORSPolicy(origins: settings.corsOrigins), hosts: settings.allowedHosts)
        self.proxies = settings.trustedProxies
        self.certificate = certificate
        self.denials = RefusalLog(logger: logger)
        self.metrics = ServerMetrics(factory: registry)
        self.registry = registry
        self.logger = logger
        self.refusals = RefusalLog(logger: logger)
        let pairs = group.makeIterator().map { eventLoop in
            let box = NIOLoopBoundBox<ConnectionLoop?>.makeEmptyBox(eventLoop: eventLoop)
            return (ObjectIdentifier(eventLoop), Loop(eventLoop: eventLoop, connections: box, isFlushDue: FlushFlag()))
        }
        loops = Dictionary(uniqueKeysWithValues: pairs)
    }

    /// Begins to bring streams forward.
    func start() {
        let observation = hub.observe { [weak self] _ in self?.flush() }
        self.observation.withLock { $0 = observation }
        policy.onReplace { [weak self] in await self?.endForbiddenStreams() ?? 0 }
    }

    /// Lets go of everything.
    func stop() {
        observation.withLock { $0 = nil }
        policy.onReplace(nil)
        for loop in loops.values {
            loop.eventLoop.execute {
                loop.connections.value?.stop()
                loop.connections.value = nil
            }
        }
    }

    var cors: CORSPolicy { origins.cors }

    /// The connections of a loop. To be called on the loop.
    func connections(on eventLoop: any EventLoop) -> ConnectionLoop? {
        guard let loop = loops[ObjectIdentifier(eventLoop)] else { return nil }
        if let connections = loop.connections.value { return connections }
        let connections = ConnectionLoop(services: self, eventLoop: eventLoop)
        loop.connections.value = connections
        return connections
    }

    /// Has each loop bring its streams forward, once for all that has happened until it gets to it.
    private func flush() {
        for loop in loops.values where !loop.isFlushDue.value.exchange(true, ordering: .acquiringAndReleasing) {
            loop.eventLoop.execute {
                loop.isFlushDue.value.store(false, ordering: .releasing)
                loop.connections.value?.flushStreams()
            }
        }
    }
}

extension ServerServices {
    /// Decides about a request, and says in the log who was refused.
    func authorize(
        _ access: Access,
        namespace: String,
        authorization: @autoclosure () -> String?,
        client: @autoclosure () -> ClientAddress
    ) throws(Problem) -> Principal {
        do throws(Problem) {
            return try policy.authorize(access, namespace: namespace, authorization: authorization(), client: client())
        } catch {
            denials.note(
                "access was refused",
                [
                    "from": "\(client())", "status": "\(error.status.code)", "problem": "\(error.code)",
                    "detail": "\(error.detail)",
                ]
            )
            throw error
        }
    }

    /// Ends the streams whose tokens do not allow them any more.
    ///
    /// - Returns: how many those were.
    private func endForbiddenStreams() async -> Int {
        guard let tokens = policy.tokens else { return 0 }
        var count = 0
        for loop in loops.values {
            let ended = loop.eventLoop.submit {
                loop.connections.value?.endStreams { !tokens.stillAllows($0, toRead: $1) } ?? 0
            }
            count += (try? await ended.get()) ?? 0
        }
        return count
    }

    /// Changes the configuration for whoever asks, if that is still allowed now that the request is whole: its body may
    /// have taken minutes. The audit log says so.
    ///
    /// - Parameter action: what it is called there.
    func publish(
        _ action: String,
        _ change: Publish.Change,
        conditions: [Publish.Condition] = [],
        message: String? = nil,
        for context: RouteContext
    ) async throws -> PublishOutcome {
        let author = try context.admit(self).name
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
