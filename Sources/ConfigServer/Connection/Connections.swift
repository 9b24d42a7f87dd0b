internal import NIOCore
internal import Observing
internal import Synchronization

/// All connections of a server, by event loop.
final class Connections: Sendable {
    let services: ServerServices
    let certificate: ServerCertificate?
    private let rules: ConnectionRules
    private let refusals: RefusalLog

    private struct Loop: Sendable {
        let eventLoop: any EventLoop
        let connections: NIOLoopBoundBox<ConnectionLoop?>
        let isFlushDue: FlushFlag
    }

    /// Whether a flush of a loop's streams is scheduled and has not begun yet.
    private final class FlushFlag: Sendable {
        let value = Atomic(false)
    }

    private let loops: [ObjectIdentifier: Loop]
    private let observation = Mutex<Subscription?>(nil)

    init(services: ServerServices, certificate: ServerCertificate?, group: any EventLoopGroup) {
        self.services = services
        self.certificate = certificate
        rules = ConnectionRules(limits: services.limits, origins: services.origins)
        refusals = RefusalLog(logger: services.logger)
        let pairs = group.makeIterator().map { eventLoop in
            let box = NIOLoopBoundBox<ConnectionLoop?>.makeEmptyBox(eventLoop: eventLoop)
            return (ObjectIdentifier(eventLoop), Loop(eventLoop: eventLoop, connections: box, isFlushDue: FlushFlag()))
        }
        loops = Dictionary(uniqueKeysWithValues: pairs)
    }

    /// Begins to write changes to the streams.
    func start() {
        let observation = services.hub.observe { [weak self] _ in self?.flush() }
        self.observation.withLock { $0 = observation }
        services.policy.onReplace { [weak self] in await self?.endForbiddenStreams() ?? 0 }
    }

    /// Releases everything.
    func stop() {
        observation.withLock { $0 = nil }
        services.policy.onReplace(nil)
        for loop in loops.values {
            loop.eventLoop.execute {
                loop.connections.value?.stop()
                loop.connections.value = nil
            }
        }
    }

    /// The connections of a loop. To be called on the loop.
    func on(_ eventLoop: any EventLoop) -> ConnectionLoop? {
        guard let loop = loops[ObjectIdentifier(eventLoop)] else { return nil }
        if let connections = loop.connections.value { return connections }
        let connections = ConnectionLoop(services, rules, refusals, on: eventLoop)
        loop.connections.value = connections
        return connections
    }

    /// Flushes the streams of each loop, once for all that has happened until the loop begins.
    private func flush() {
        for loop in loops.values where !loop.isFlushDue.value.exchange(true, ordering: .acquiringAndReleasing) {
            loop.eventLoop.execute {
                loop.isFlushDue.value.store(false, ordering: .releasing)
                loop.connections.value?.flushStreams()
            }
        }
    }

    /// Ends the streams that their tokens do not allow any more.
    ///
    /// - Returns: how many those were.
    private func endForbiddenStreams() async -> Int {
        guard let tokens = services.policy.tokens else { return 0 }
        var count = 0
        for loop in loops.values {
            let ended = loop.eventLoop.submit {
                loop.connections.value?.endStreams { !tokens.stillAllows($0, toRead: $1) } ?? 0
            }
            count += (try? await ended.get()) ?? 0
        }
        return count
    }
}
