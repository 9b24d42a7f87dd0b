// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel
internal import ConfigServer
internal import ConfigWire
internal import Logging
internal import NIOCore

/// A server: the real hub, and what its processors, its network and its connections have to do.
final class SimulatedServer {
    /// The streams of one server in one network, which receive the same events together.
    struct Group {
        var members: [Int32] = []
        /// The revision that was written to the streams, and the one that the clients have.
        var written: UInt64 = 0
        var arrived: UInt64 = 0
        var underway: [Delivery] = []
        /// The last time at which the clients have received bytes.
        var lastSign = Duration.zero
    }

    /// Events on their way to a group.
    struct Delivery {
        let content: ClientLibrary.Content?
        let arrival: Range<Duration>
    }

    let number: Int
    private let scenario: Scenario
    private(set) var hub: NamespaceHub?
    private var task: Task<Void, Never>?
    private var observation: (@Sendable () -> Void)?
    private let changes = Count()
    /// The number of its starts.
    private(set) var start = 0
    /// Whether the balancer sends clients to it.
    var isOffered = false
    var connections = 0
    var groups = Network.allCases.map { _ in Group() }
    var isFlushDue = false
    var load: ServerLoad
    private var processorFree = Duration.zero
    private var networkFree = Duration.zero
    private var encoder: StreamEncoder?
    private var openings: [UInt64: (bytes: Int, opening: SimulatedClient.Opening)] = [:]

    static let namespace = "default"
    private static let topic = StreamTopic(namespace: namespace, form: .changes)

    init(number: Int, _ scenario: Scenario) {
        (self.number, self.scenario) = (number, scenario)
        load = ServerLoad(phases: scenario.phases)
    }

    var isUp: Bool { hub != nil }

    /// The state, once the store has been loaded.
    var state: NamespaceState? { hub?.head == nil ? nil : hub?.state(of: Self.namespace) }

    var streams: Int { groups.reduce(0) { $0 + $1.members.count } }

    /// Starts the hub in a process that knows nothing.
    func begin(_ database: SharedDatabase, _ executor: StepExecutor, _ numbers: SeededNumbers) {
        let hub = NamespaceHub(
            store: SimulatedStore(database: database, server: number, commitExecutor: executor),
            logger: Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() },
            pauses: HubPauses(clock: database.clock) { numbers.fraction() }
        )
        observation = hub.observe { [changes] _ in changes.add() }
        task = Task(executorPreference: executor) {
            // It ends with the process.
            try? await hub.run()
        }
        self.hub = hub
        start += 1
    }

    /// Ends it with all connections.
    func end() {
        task?.cancel()
        observation?()
        (hub, task, observation, encoder) = (nil, nil, nil, nil)
        openings = [:]
        (connections, isFlushDue) = (0, false)
        groups = Network.allCases.map { _ in Group() }
    }

    /// Whether the hub has a new state since the last call.
    func takeChange() -> Bool { changes.take() > 0 }

    /// Occupies the processors from a time on, after what they have to do already.
    ///
    /// - Returns: when it is done.
    func work(_ cost: Duration, from time: Duration) -> Duration {
        let span = cost / scenario.costs.processors
        processorFree = max(time, processorFree) + span
        load.busy += span
        return processorFree
    }

    var free: Duration { processorFree }

    /// Sends bytes, after the bytes that are being sent already.
    ///
    /// - Returns: when the last one has left.
    func send(_ bytes: Int, at now: Duration) -> Duration {
        networkFree = max(now, networkFree) + .nanoseconds(Int64(Double(bytes) / scenario.costs.bandwidth * 1e9))
        load.bytes += bytes
        return networkFree
    }

    /// The events for streams of the current state.
    func batch(after position: UInt64) -> StreamEncoder.Batch? {
        guard renewEncoder() else { return nil }
        return encoder?.batch(after: position)
    }

    /// The beginning of a stream for a client with a revision, 0 for none.
    func opening(_ revision: UInt64) throws -> (bytes: Int, opening: SimulatedClient.Opening)? {
        guard renewEncoder(), let encoder, let epoch = hub?.head?.epoch else { return nil }
        if let known = openings[revision] { return known }
        let lastEventID = revision == 0 ? nil : RevisionCursor(epoch: epoch, revision: revision).description
        let (events, position) = encoder.opening(lastEventID: lastEventID)
        let parsed = try ClientLibrary.events(in: [events])
        guard let cursor = parsed.first?.cursor else { throw SimulationError("a stream without hello") }
        let opening = SimulatedClient.Opening(
            hello: cursor.revision,
            isReset: parsed.count > 1,
            from: position,
            to: position
        )
        openings[revision] = (events.readableBytes, opening)
        return openings[revision]
    }

    var heartbeatBytes: Int {
        guard renewEncoder() else { return 0 }
        return encoder?.heartbeat.pieces.reduce(0) { $0 + $1.readableBytes } ?? 0
    }

    private func renewEncoder() -> Bool {
        guard let state else { return false }
        if encoder?.state !== state { (encoder, openings) = (StreamEncoder(state, Self.topic), [:]) }
        return true
    }
}
