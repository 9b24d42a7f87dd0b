internal import ConfigModel
internal import ConfigStore
internal import NIOCore
internal import NIOHTTP1
internal import Synchronization

/// The connections of one event loop, and what they share: a clock, encoded answers, and the streams.
///
/// Everything here happens on the loop, so nothing is locked.
final class ConnectionLoop {
    let services: ServerServices
    let rules: ConnectionRules
    /// The log of connections that were refused or dropped.
    let refusals: RefusalLog
    let eventLoop: any EventLoop
    /// The time of the last tick: near enough for deadlines of seconds.
    private(set) var now = NIODeadline.now()
    /// The lines that every answer has, the date among them.
    private(set) var standardLines = ""

    private var connections: [ObjectIdentifier: ConnectionHandler] = [:]
    private var groups: [String: StreamGroup<ConnectionHandler>] = [:]
    private var replies = ReplyCache()
    private var ticking: RepeatedTask?
    private var ticks = 0

    init(_ services: ServerServices, _ rules: ConnectionRules, _ refusals: RefusalLog, on eventLoop: any EventLoop) {
        self.services = services
        self.rules = rules
        self.refusals = refusals
        self.eventLoop = eventLoop
        refreshDate()
        let box = NIOLoopBound(self, eventLoop: eventLoop)
        ticking = eventLoop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in
            box.value.tick()
        }
    }

    func stop() {
        ticking?.cancel()
        ticking = nil
    }

    private func refreshDate() {
        standardLines = StandardFields.lines + "date: \(Timestamp.ofClock().httpDate)\r\n"
        replies.removeAll()
    }

    private func tick() {
        now = .now()
        ticks += 1
        refreshDate()
        for connection in connections.values { connection.tick(now) }
        if ticks.isMultiple(of: max(1, services.limits.heartbeatSeconds)) {
            for group in groups.values { group.heartbeat() }
        }
    }
}

extension ConnectionLoop {
    /// - Returns: whether there is room for one more.
    func add(_ connection: ConnectionHandler) -> Bool {
        let count = services.metrics.connections.wrappingAdd(1, ordering: .relaxed).newValue
        connections[ObjectIdentifier(connection)] = connection
        return count <= services.limits.connections
    }

    func remove(_ connection: ConnectionHandler) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        services.metrics.connections.wrappingSubtract(1, ordering: .relaxed)
    }

    /// The bytes of an answer, which are made at most once a second while the state is the same.
    func encoded(
        _ form: ConfigForm,
        of state: NamespaceState,
        cors: String,
        make: () -> ByteBuffer?
    ) -> ByteBuffer? {
        replies.value(for: ReplyCache.Key(namespace: state.namespace, form: form, cors: cors), of: state, make: make)
    }
}

extension ConnectionLoop {
    /// Adds a stream to its group.
    func addStream(_ connection: ConnectionHandler, of namespace: String) -> StreamGroup<ConnectionHandler> {
        let group = groups[namespace] ?? StreamGroup(namespace: namespace, hub: services.hub)
        groups[namespace] = group
        group.add(connection)
        services.metrics.streams.wrappingAdd(1, ordering: .relaxed)
        return group
    }

    func removeStream(_ connection: ConnectionHandler, from group: StreamGroup<ConnectionHandler>) {
        group.remove(connection)
        services.metrics.streams.wrappingSubtract(1, ordering: .relaxed)
        if group.isEmpty, groups[group.namespace] === group { groups[group.namespace] = nil }
    }

    /// Ends the streams that are not allowed any more.
    ///
    /// - Parameter isForbidden: judges the holder of a stream and the stream's namespace.
    /// - Returns: how many those were.
    func endStreams(_ isForbidden: (Principal, String) -> Bool) -> Int {
        let ending = groups.values.flatMap { group in
            group.members.filter { $0.stream.map { isForbidden($0.holder, group.namespace) } ?? true }
        }
        for connection in ending { connection.endStream() }
        return ending.count
    }

    /// Writes what has happened to the streams.
    func flushStreams() {
        for group in groups.values { group.flush() }
    }
}

/// Encoded answers.
private struct ReplyCache {
    struct Key: Hashable {
        var namespace: String
        var form: ConfigForm
        var cors: String
    }

    private var entries: [Key: (state: NamespaceState, bytes: ByteBuffer)] = [:]

    mutating func value(for key: Key, of state: NamespaceState, make: () -> ByteBuffer?) -> ByteBuffer? {
        if let entry = entries[key], entry.state === state { return entry.bytes }
        guard let bytes = make() else { return nil }
        // As many as there are namespaces and forms in a second; a limit for clients that make up revisions.
        if entries.count >= 256 { entries.removeAll(keepingCapacity: true) }
        entries[key] = (state, bytes)
        return bytes
    }

    mutating func removeAll() { entries.removeAll(keepingCapacity: true) }
}
