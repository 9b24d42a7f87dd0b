// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import Logging
internal import NIOCore
internal import Synchronization

/// The connections of one event loop, and their shared state: a clock, encoded responses, and the streams.
///
/// Everything here runs on the loop, so nothing is locked.
final class ConnectionLoop {
    let services: ServerServices
    let rules: ConnectionRules
    let routes: any RouteResponder
    let eventLoop: any EventLoop
    /// The time of the last tick: near enough for deadlines of seconds.
    private(set) var now = NIODeadline.now()
    let replies = EncodedReplies()
    let bodies: BodyTurns
    let streams: StreamGroups

    private var connections: [ObjectIdentifier: ConnectionHandler] = [:]
    /// The connections that were ended to make room, which do not count any more.
    private var ending: Set<ObjectIdentifier> = []
    private var drained: EventLoopPromise<Void>?
    private var ticking = Ticking()
    /// The clock of connections that end with the server.
    private var drainTask: RepeatedTask?
    /// Whether there may be idle connections: those of a loop are looked at once a second if there are none.
    private var mayHaveIdle = true

    /// The clock of the connections, which moves once a second.
    private struct Ticking {
        var task: RepeatedTask?
        var count = 0
    }

    init(_ services: ServerServices, _ routes: any RouteResponder, on eventLoop: any EventLoop) {
        (self.services, self.routes, self.eventLoop) = (services, routes, eventLoop)
        rules = ConnectionRules(limits: services.limits, origins: services.origins)
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
        drainTask?.cancel()
        (ticking.task, drainTask) = (nil, nil)
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
        tickOften()
        return drained.futureResult
    }

    /// The server ends: what is closed when the client has everything is looked at more often.
    func tickOften() {
        let box = NIOLoopBound(self, eventLoop: eventLoop)
        let period = TimeAmount.milliseconds(50)
        drainTask =
            drainTask
            ?? eventLoop.scheduleRepeatedTask(initialDelay: period, delay: period) { _ in
                for connection in box.value.connections.values { connection.tick(.now()) }
            }
    }

    private func tick() {
        now = .now()
        mayHaveIdle = true
        ticking.count += 1
        replies.refresh()
        for connection in connections.values { connection.tick(now) }
        makeRoom()
        streams.tick(at: .secondsNow)
        if ticking.count.isMultiple(of: max(1, services.limits.heartbeatSeconds)) { streams.heartbeat() }
    }

    /// - Returns: whether there is room for one more.
    func add(_ connection: ConnectionHandler) -> Bool {
        makeRoom()
        let count = services.metrics.connections.wrappingAdd(1, ordering: .relaxed).newValue
        connections[ObjectIdentifier(connection)] = connection
        return count <= services.limits.connections
    }

    /// Closes idle connections where the limit is near.
    private func makeRoom() {
        let limit = services.limits.connections
        guard services.metrics.connections.load(ordering: .relaxed) >= limit - limit / 16 else { return }
        endIdle(atMost: max(1, limit / 32))
    }

    /// Closes the longest idle connections of the address that has the most of them, so that no client takes the place of others.
    private func endIdle(atMost count: Int) {
        guard mayHaveIdle else { return }
        let idle = connections.values.compactMap { connection in
            connection.idleSince(at: now).map { (connection, $0) }
        }
        let addresses = Dictionary(grouping: idle) { ClientAddress($0.0.peer.address).network }
        guard let most = addresses.values.max(by: { $0.count < $1.count }) else {
            mayHaveIdle = false
            return
        }
        let ended = most.sorted { $0.1 < $1.1 }.prefix(count).map(\.0)
        for connection in ended {
            ending.insert(ObjectIdentifier(connection))
            services.metrics.connections.wrappingSubtract(1, ordering: .relaxed)
            connection.end()
        }
        let metadata: Logger.Metadata = ["from": "\(ended[0].peer.client)", "count": "\(ended.count)"]
        services.refusals.record("closed idle connections: the connection limit is near", metadata)
    }

    func remove(_ connection: ConnectionHandler) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        if ending.remove(ObjectIdentifier(connection)) == nil {
            services.metrics.connections.wrappingSubtract(1, ordering: .relaxed)
        }
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
