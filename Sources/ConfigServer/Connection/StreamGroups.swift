// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import Synchronization

/// The streams of one event loop, by topic.
final class StreamGroups {
    private let hub: NamespaceHub
    private let metrics: ServerMetrics
    private var groups: [StreamTopic: StreamGroup] = [:]

    init(_ hub: NamespaceHub, _ metrics: ServerMetrics) {
        (self.hub, self.metrics) = (hub, metrics)
    }

    func add(
        _ connection: ConnectionHandler,
        to topic: StreamTopic,
        at position: UInt64,
        through socket: StreamSocket?
    ) -> (group: StreamGroup, index: Int) {
        let group = groups[topic] ?? StreamGroup(topic, hub: hub, at: .secondsNow)
        groups[topic] = group
        metrics.streams.wrappingAdd(1, ordering: .relaxed)
        return (group, group.add(connection, at: position, through: socket))
    }

    func remove(_ connection: ConnectionHandler, from group: StreamGroup) {
        group.remove(connection)
        metrics.streams.wrappingSubtract(1, ordering: .relaxed)
        if group.isEmpty, groups[group.topic] === group { groups[group.topic] = nil }
    }

    /// Ends the streams that are not allowed any more by their holder and namespace, and returns their number.
    func end(_ isForbidden: (Principal, String) -> Bool) -> Int {
        let ending = groups.values.flatMap { group in
            group.connections.filter { $0.stream.map { isForbidden($0.holder, group.topic.namespace) } ?? true }
        }
        for connection in ending { connection.endStream() }
        return ending.count
    }

    func flush() {
        for group in groups.values { group.flush() }
    }

    func tick(at second: Int) {
        for group in groups.values { group.tick(at: second) }
    }

    func heartbeat() {
        for group in groups.values { group.heartbeat() }
    }
}
