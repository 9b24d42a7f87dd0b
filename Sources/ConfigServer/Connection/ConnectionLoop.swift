// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import NIOCore
internal import Synchronization

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
    let bodies: BodyTurns
    let streams: StreamGroups

    private var connections: [ObjectIdentifier: ConnectionHandler] = [:]
    private var drained: EventLoopPromise<Void>?
    private var ticking = Ticking()

    /// The clock of the connections, which moves once a second.
    private struct Ticking {
        var task: RepeatedTask?
        var count = 0
    }

    init(
        _ services: ServerServices,
        _ rules: ConnectionRules,
        _ refusals: RefusalLog,
        _ routes: any RouteResponder,
        on eventLoop: any EventLoop
    ) {
        (self.services, self.rules, self.refusals) = (services, rules, refusals)
        (self.routes, self.eventLoop) = (routes, eventLoop)
        bodies = BodyTurns(services.metrics, on: eventLoop)
        streams = StreamGroups(services.hub, services.metrics)
        let box = NIOLoopBound(self, eventLoop: eventLoop)
        ticking.task = eventLoop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in
            box.value.tick()
        }
    }

    func stop() {
        close()
        ticking.task?.cancel()
        ticking.task = nil
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
        ticking.count += 1
        replies.refresh()
        for connection in connections.values { connection.tick(now) }
        streams.tick(at: .secondsNow)
        if ticking.count.isMultiple(of: max(1, services.limits.heartbeatSeconds)) { streams.heartbeat() }
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

    /// The present moment, as far as it matters for an answer.
    var moment: ReadyAnswer.Moment {
        ReadyAnswer.Moment(
            memory: services.hub.version,
            tokens: services.policy.version.load(ordering: .acquiring),
            second: ticking.count
        )
    }
}
