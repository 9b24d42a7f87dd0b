// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel
internal import ConfigStore
internal import RemoteConfig
internal import Synchronization

/// Runs a ``Scenario`` under a virtual clock, on one thread, so that a seed has one result.
///
/// Clients decide by the library's `ConnectionSchedule` and `StreamStep`, each for itself; servers have real hubs on one store,
/// whose answers and events are the server's own. What the same events do to clients at the same revision is computed once, and
/// a client whose stream is open takes no time until something happens to it.
package final class Fleet {
    let scenario: Scenario
    let numbers: SeededNumbers
    private let progress: (String) -> Void
    private let clock = VirtualClock()
    private let executor = StepExecutor()
    let database: SharedDatabase
    let servers: [SimulatedServer]
    var clients: ContiguousArray<SimulatedClient> = []
    var library = ClientLibrary()
    var queue = EventQueue()
    private(set) var now = Duration.zero
    /// The next timer of a hub.
    private var nextTimer: Duration?
    private var nextSecond = Duration.seconds(1)
    private(set) var phase = 0
    var figures: [PhaseFigures]
    /// The times of the commits, by revision; zero for those before the beginning.
    private(set) var commitTimes = [Duration.zero]
    private var pastRevisions: [(UInt64, ConfigDigest)] = []
    private let failedPublishes = Count()
    private var publishCount = 0
    private var reported = 0
    /// The documents in the caches of a content delivery network, each with the time at which it was fetched.
    var cachedDocuments: [(time: Duration, content: ClientLibrary.Content)?] = Array(repeating: nil, count: 10)

    /// The time after the last publish in which clients that poll become current.
    private static let settling = Duration.seconds(60)
    private static let namespace = SimulatedServer.namespace

    /// - Parameter progress: Reports the virtual time.
    package init(_ scenario: Scenario, progress: @escaping (String) -> Void = { _ in }) {
        (self.scenario, self.progress) = (scenario, progress)
        numbers = SeededNumbers(seed: scenario.seed)
        database = SharedDatabase(clock, commitTime: scenario.costs.commit)
        servers = (0..<scenario.servers).map { SimulatedServer(number: $0, scenario) }
        figures = scenario.phases.map { _ in PhaseFigures() }
    }

    /// Runs the hour.
    package func run() throws -> FleetReport {
        try prepare()
        let end = scenario.length + Self.settling
        while let time = [queue.next, nextTimer].compactMap(\.self).min(), time < end {
            while nextSecond <= time { tick() }
            now = time
            if nextTimer == time {
                step()
            } else {
                try happen(queue.removeFirst())
            }
        }
        return report()
    }

    var isSlow: Bool { scenario.slowNetwork.contains(now) }

    /// Makes the history, starts the servers, and arranges what happens.
    private func prepare() throws {
        clients.reserveCapacity(scenario.clients)
        var values: [String: EntryValue?] = [:]
        for key in 0..<scenario.keys { values["app.screen\(key % 50).value\(key)"] = .some(Self.text(key)) }
        for past in 0..<8 {
            commit(values)
            values = [:]
            for key in 0..<20 { values["app.screen\(key % 50).value\(key)"] = .some(Self.text(past * 1000 + key)) }
            start(servers[0])
            guard let state = servers[0].state else { throw SimulationError("the store was not loaded") }
            try library.remember(state)
            pastRevisions.append((state.revision, state.digest))
            servers[0].end()
        }
        commit(values)
        for server in servers { begin(server) }
        queue.add(.start, at: .zero)
        queue.add(.publish, at: scenario.publishInterval)
        queue.add(.lost, at: scenario.lostServer.lowerBound, scenario.servers / 3)
        queue.add(.back, at: scenario.lostServer.upperBound, scenario.servers / 3)
        queue.add(.storeLost, at: scenario.lostStore.lowerBound)
        queue.add(.storeBack, at: scenario.lostStore.upperBound)
        queue.add(.slow, at: scenario.slowNetwork.lowerBound)
    }

    private static func text(_ number: Int) -> EntryValue { .string("the text of value number \(number)") }

    private func commit(_ values: [String: EntryValue?]) {
        database.write([Publish(namespace: Self.namespace, change: .edit(values))], by: -1)
    }

    /// Lets the tasks of the hubs do what they can now, and arranges what follows from it.
    func step() {
        clock.advance(to: now)
        executor.drain()
        nextTimer = clock.next
        let log = database.log
        for record in log[reported...] {
            commitTimes.append(record.time)
            for server in servers where server.number != record.server {
                queue.add(.poll, at: now + .milliseconds(1) + .milliseconds(19) * numbers.fraction(), server.number)
            }
        }
        reported = log.count
        for server in servers where server.takeChange() && server.isUp && !server.isFlushDue {
            server.isFlushDue = true
            queue.add(.flush, at: max(now, server.free), server.number, number: server.start)
        }
    }

    /// The part of a hub's state that comes from the store.
    func olderChanges(_ server: SimulatedServer, after revision: UInt64) -> Changeset? {
        guard let hub = server.hub else { return nil }
        let found = Mutex<Changeset?>(nil)
        Task(executorPreference: executor) { [namespace = Self.namespace] in
            let changes = try await hub.changes(in: namespace, after: revision).changes
            found.withLock { $0 = changes }
        }
        executor.drain()
        return found.withLock(\.self)
    }

    private func begin(_ server: SimulatedServer) {
        start(server)
        server.isOffered = true
        queue.add(.heartbeat, at: now + .milliseconds(500 * (server.number + 1)), server.number, number: server.start)
    }

    private func start(_ server: SimulatedServer) {
        database.disconnect(server.number)
        server.begin(database, executor, numbers)
        executor.drain { database.isReached(by: server.number) }
        step()
    }

    private func tick() {
        var connections = 0
        for server in servers {
            connections += server.load.connections
            server.load.tick(phase: phase, connected: server.connections)
        }
        figures[phase].connections = max(figures[phase].connections, connections)
        figures[phase].failedPublishes += failedPublishes.take()
        let (minute, second) = nextSecond.components.seconds.quotientAndRemainder(dividingBy: 60)
        if second == 0 { progress("  minute \(minute), \(queue.count) events") }
        nextSecond += .seconds(1)
        while nextSecond > scenario.phases[phase].end { phase += 1 }
    }
}

// What happens.
extension Fleet {
    private func happen(_ event: Event) throws {
        let (subject, number) = (Int(event.subject), event.number)
        switch event.kind {
        case .start: startClient(subject)
        case .alarm: ring(subject, at: event.time)
        case .readServed: try serveRead(subject)
        case .readReceived: receiveRead(subject)
        case .readFailed: failRead(subject)
        case .streamServed: try serveStream(subject, number)
        case .streamReceived: try receiveStream(subject, number)
        case .streamFailed: failStream(subject, number)
        case .streamLost: loseStream(subject, number)
        case .streamReset: resetStream(subject, number)
        case .idle: closeIdle(subject)
        case .flush: try flush(servers[subject], start: Int(number))
        case .arrival: arrive(servers[subject], Int(number))
        case .heartbeat: heartbeat(servers[subject], start: Int(number))
        case .forget: forget(servers[subject], start: Int(number))
        case .poll:
            database.report(to: subject)
            step()
        case .publish: publish()
        case .publishServed: commitPublish(servers[subject], start: Int(number))
        case .lost: lose(servers[subject])
        case .back: begin(servers[subject])
        case .noticed: servers[subject].isOffered = servers[subject].isUp
        case .storeLost, .storeBack:
            database.setLost(event.kind == .storeLost)
            step()
        case .slow: slowDown()
        }
    }

    private func startClient(_ index: Int) {
        let kind = drawKind()
        let isMobile = kind == .stream && numbers.fraction() < scenario.shares.mobile
        let pauses = RetryDelays(policy: ConnectionPolicy()) { [numbers, scenario] in
            scenario.hasJitter ? numbers.fraction() : 0.5
        }
        let schedule = ConnectionSchedule(for: kind.delivery, pauses)
        var client = SimulatedClient(kind: kind, network: isMobile ? .mobile : .fixed, start: now, schedule: schedule)
        if kind == .stream || kind == .polling, numbers.fraction() < scenario.shares.cached {
            (client.revision, client.digest) = pastRevisions[numbers.below(pastRevisions.count)]
        }
        clients.append(client)
        handle(index, .started)
        let next = index + 1
        if next < scenario.clients {
            let time = scenario.arrival * (Double(next) + numbers.fraction()) / scenario.clients
            queue.add(.start, at: max(time, now), next)
        }
    }

    private func drawKind() -> SimulatedClient.Kind {
        let (shares, draw) = (scenario.shares, numbers.fraction())
        if draw < shares.polling { return .polling }
        if draw < shares.polling + shares.documents { return .document }
        if draw < shares.polling + shares.documents + shares.cachedDocuments { return .cachedDocument }
        return .stream
    }

    private func publish() {
        if now + scenario.publishInterval <= scenario.length {
            queue.add(.publish, at: now + scenario.publishInterval)
        }
        publishCount += 1
        guard let server = offered, server.isUp else {
            figures[phase].failedPublishes += 1
            return
        }
        let served = server.work(scenario.costs.publish, from: now)
        queue.add(.publishServed, at: served, server.number, number: server.start)
    }

    private func commitPublish(_ server: SimulatedServer, start: Int) {
        guard let hub = server.hub, server.start == start else {
            figures[phase].failedPublishes += 1
            return
        }
        let key = numbers.below(scenario.keys)
        let values = ["app.screen\(key % 50).value\(key)": EntryValue?.some(Self.text(100_000 + publishCount))]
        Task(executorPreference: executor) { [failedPublishes, namespace = Self.namespace] in
            do {
                _ = try await hub.publish(Publish(namespace: namespace, change: .edit(values)))
            } catch {
                failedPublishes.add()
            }
        }
        step()
    }

    private func lose(_ server: SimulatedServer) {
        var count = 0
        for group in server.groups {
            for index in group.members {
                let index = Int(index)
                settle(index)
                count += 1
                // The kernel resets one connection after the other.
                let time = now + clients[index].network.latency(isSlow: isSlow) + .microseconds(5 * count)
                queue.add(.streamReset, at: time, index, number: Int(clients[index].stream))
            }
        }
        server.end()
        executor.drain()
        queue.add(.noticed, at: now + .seconds(2), server.number)
    }

    private func slowDown() {
        for server in servers {
            for index in server.groups[Network.mobile.rawValue].members { loseSooner(Int(index)) }
        }
    }

    /// The server that has the fewest connections, by what the balancer knows.
    var offered: SimulatedServer? {
        var found: SimulatedServer?
        for server in servers where server.isOffered && server.connections < found?.connections ?? .max {
            found = server
        }
        return found
    }

    private func report() -> FleetReport {
        let states = servers.compactMap(\.state)
        let differing = clients.indices.count { known($0).digest != states.first?.digest }
        return FleetReport(
            scenario: scenario,
            figures: figures,
            servers: servers,
            differing: differing,
            revision: states.map(\.revision).max() ?? 0,
            digests: states.map(\.digest.description)
        )
    }
}
