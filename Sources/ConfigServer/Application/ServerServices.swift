internal import Logging
internal import NIOCore
internal import Synchronization

/// What the parts of a running server share.
final class ServerServices: Sendable {
    let hub: ConfigHub
    let policy: AccessPolicy
    let limits: ServerLimits
    let cors: CORSPolicy
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
        registry: PrometheusRegistry,
        logger: Logger,
        group: any EventLoopGroup
    ) {
        self.hub = hub
        self.policy = policy
        self.limits = settings.limits
        self.cors = CORSPolicy(origins: settings.corsOrigins)
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
    }

    /// Lets go of everything.
    func stop() {
        observation.withLock { $0 = nil }
        for loop in loops.values {
            loop.eventLoop.execute {
                loop.connections.value?.stop()
                loop.connections.value = nil
            }
        }
    }

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
