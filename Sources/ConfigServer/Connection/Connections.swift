// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel
internal import ConfigStore
internal import NIOCore
internal import NIOHTTP1
internal import Observing
internal import Synchronization

final class Connections: Sendable {
    let services: ServerServices
    let certificate: ServerCertificate?
    private let rules: ConnectionRules
    private let refusals: RefusalLog

    private final class Loop: Sendable {
        let eventLoop: any EventLoop
        let connections: NIOLoopBoundBox<ConnectionLoop?>
        /// Whether a flush of the streams is scheduled and has not begun yet.
        let isFlushDue = Atomic(false)

        init(_ eventLoop: any EventLoop) {
            self.eventLoop = eventLoop
            connections = .makeEmptyBox(eventLoop: eventLoop)
        }
    }

    private let loops: [ObjectIdentifier: Loop]
    private let turns: Mutex<FlushTurns<Loop>>
    private let observation = Mutex<ObservationToken?>(nil)

    init(services: ServerServices, certificate: ServerCertificate?, group: any EventLoopGroup) {
        (self.services, self.certificate) = (services, certificate)
        rules = ConnectionRules(limits: services.limits, origins: services.origins)
        refusals = RefusalLog(logger: services.logger)
        loops = Dictionary(uniqueKeysWithValues: group.makeIterator().map { (ObjectIdentifier($0), Loop($0)) })
        turns = Mutex(FlushTurns(loops: loops.count))
    }

    func start() {
        let observation = services.hub.observe { [weak self] _ in self?.flush() }
        self.observation.withLock { $0 = observation }
        services.policy.onReplace(at: self) { [weak self] in await self?.endForbiddenStreams() ?? 0 }
    }

    func stop() {
        observation.withLock { $0 = nil }
        services.policy.onReplace(at: self, nil)
        for loop in loops.values {
            loop.eventLoop.execute {
                loop.connections.value?.stop()
                loop.connections.value = nil
            }
        }
    }

    /// Waits until all connections have ended: no task waits for the streams. If the wait is cancelled, they are closed.
    func drain() async {
        await withTaskCancellationHandler {
            for loop in loops.values {
                let drained = loop.eventLoop.flatSubmit {
                    loop.connections.value?.drain() ?? loop.eventLoop.makeSucceededVoidFuture()
                }
                // A loop that has been shut down has no connections.
                try? await drained.get()
            }
        } onCancel: {
            for loop in loops.values { loop.eventLoop.execute { loop.connections.value?.close() } }
        }
    }

    func on(_ eventLoop: any EventLoop) -> ConnectionLoop? {
        guard let loop = loops[ObjectIdentifier(eventLoop)] else { return nil }
        if let connections = loop.connections.value { return connections }
        let routes = ServerRoutes(services, on: eventLoop)
        let connections = ConnectionLoop(services, rules, refusals, routes, on: eventLoop)
        loop.connections.value = connections
        return connections
    }

    /// Flushes the streams of each loop, once for all that has happened until the loop begins.
    private func flush() {
        for loop in loops.values where !loop.isFlushDue.exchange(true, ordering: .acquiringAndReleasing) {
            loop.eventLoop.execute {
                guard self.turns.withLock({ $0.begin(loop) }) else { return }
                self.flush(loop)
            }
        }
    }

    private func flush(_ loop: Loop) {
        loop.isFlushDue.store(false, ordering: .releasing)
        loop.connections.value?.flushStreams()
        guard let next = turns.withLock({ $0.end() }) else { return }
        next.eventLoop.execute { self.flush(next) }
    }

    /// Ends the streams that their tokens do not allow any more, and returns their number.
    private func endForbiddenStreams() async -> Int {
        guard let mayRead = services.policy.tokens?.readingRule(at: services.policy.now()) else { return 0 }
        var count = 0
        for loop in loops.values {
            let ended = loop.eventLoop.submit {
                loop.connections.value?.endStreams { !mayRead($0, $1) } ?? 0
            }
            // As above, for a loop that has been shut down.
            count += (try? await ended.get()) ?? 0
        }
        return count
    }
}

/// The connections of one event loop, and their shared state: a clock, encoded responses, and the streams.
///
/// Everything here runs on the loop, so nothing is locked.
final class ConnectionLoop {
    let services: ServerServices
    let rules: ConnectionRules
    let refusals: RefusalLog
    let routes: any RouteResponder
    let eventLoop: any EventLoop
    /// The time of the last tick: near enough for deadlines of seconds.
    private(set) var now = NIODeadline.now()
    let replies = EncodedReplies()

    private var connections: [ObjectIdentifier: ConnectionHandler] = [:]
    private var groups: [StreamTopic: StreamGroup] = [:]
    private var drained: EventLoopPromise<Void>?
    private var ticking: RepeatedTask?
    /// The connections whose next slice of a body waits for its turn.
    private var readers = CircularBuffer<ConnectionHandler>()
    /// The time until which requests on other connections than the reading one are expected.
    private var othersUntil = NIODeadline.uptimeNanoseconds(0)
    private(set) var ticks = 0

    init(
        _ services: ServerServices,
        _ rules: ConnectionRules,
        _ refusals: RefusalLog,
        _ routes: any RouteResponder,
        on eventLoop: any EventLoop
    ) {
        (self.services, self.rules, self.refusals) = (services, rules, refusals)
        (self.routes, self.eventLoop) = (routes, eventLoop)
        let box = NIOLoopBound(self, eventLoop: eventLoop)
        ticking = eventLoop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in
            box.value.tick()
        }
    }

    func stop() {
        close()
        ticking?.cancel()
        ticking = nil
    }

    /// Closes all connections at once.
    func close() {
        for connection in connections.values { connection.context?.close(promise: nil) }
    }

    /// Waits for the end of all connections.
    func drain() -> EventLoopFuture<Void> {
        if connections.isEmpty { return eventLoop.makeSucceededVoidFuture() }
        let drained = drained ?? eventLoop.makePromise()
        self.drained = drained
        return drained.futureResult
    }

    private func tick() {
        now = .now()
        ticks += 1
        replies.refresh()
        for connection in connections.values { connection.tick(now) }
        if ticks.isMultiple(of: max(1, services.limits.heartbeatSeconds)) {
            for group in groups.values { group.heartbeat() }
        }
    }

    /// - Returns: whether there is room for one more.
    func add(_ connection: ConnectionHandler) -> Bool {
        let count = services.metrics.connections.wrappingAdd(1, ordering: .relaxed).newValue
        connections[ObjectIdentifier(connection)] = connection
        return count <= services.limits.connections
    }

    func remove(_ connection: ConnectionHandler) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        services.metrics.connections.wrappingSubtract(1, ordering: .relaxed)
        guard connections.isEmpty else { return }
        drained?.succeed()
        drained = nil
    }
}

// MARK: Long bodies

extension ConnectionLoop {
    /// Whether a connection may be read at once. Otherwise it has read a slice of a long body while others are answered, and
    /// reads the next one after the connections before it.
    func mayRead(_ connection: ConnectionHandler) -> Bool {
        guard connection.slices.endSlice() else { return true }
        let (now, answers) = (NIODeadline.now(), services.metrics.answerCount.load(ordering: .relaxed))
        if connection.slices.othersWereAnswered(of: answers) { othersUntil = now + BodySlices.lull }
        if othersUntil <= now { return true }
        readers.append(connection)
        if readers.count == 1 { scheduleRead() }
        return false
    }

    private func scheduleRead() {
        eventLoop.assumeIsolated().scheduleTask(in: BodySlices.pause) { [self] in
            // A connection that has been closed in the meantime has no context.
            readers.removeFirst().context?.read()
            if !readers.isEmpty { scheduleRead() }
        }
    }
}

// MARK: Streams

extension ConnectionLoop {
    func addStream(
        _ connection: ConnectionHandler,
        of topic: StreamTopic,
        at position: UInt64,
        through socket: StreamSocket?
    ) -> (group: StreamGroup, index: Int) {
        let group = groups[topic] ?? StreamGroup(topic, hub: services.hub)
        groups[topic] = group
        services.metrics.streams.wrappingAdd(1, ordering: .relaxed)
        return (group, group.add(connection, at: position, through: socket))
    }

    func removeStream(_ connection: ConnectionHandler, from group: StreamGroup) {
        group.remove(connection)
        services.metrics.streams.wrappingSubtract(1, ordering: .relaxed)
        if group.isEmpty, groups[group.topic] === group { groups[group.topic] = nil }
    }

    /// Ends the streams that are not allowed any more by their holder and namespace, and returns their number.
    func endStreams(_ isForbidden: (Principal, String) -> Bool) -> Int {
        let ending = groups.values.flatMap { group in
            group.connections.filter { $0.stream.map { isForbidden($0.holder, group.topic.namespace) } ?? true }
        }
        for connection in ending { connection.endStream() }
        return ending.count
    }

    func flushStreams() {
        for group in groups.values { group.flush() }
    }
}
