// SPDX-License-Identifier: Apache-2.0

import ConfigClient
import ConfigModel
import ConfigWire
import Files
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import TestSupport

/// The time until thousands of clients are current again after the loss of a server.
struct StormMeasurement: Measurement {
    let clients: Int

    private struct Scenario {
        let name: String
        var store = StormStore.Kind.sqlite
        var loss = Loss.restart
        var keys = 3
        var isEncrypted = false

        enum Loss {
            /// The server is killed and started again.
            case restart
            /// The same, and so are all clients, without a cache.
            case restartOfAll
            /// One of the servers is killed.
            case server
            /// A member of etcd is killed: the one that leads.
            case member
        }
    }

    private static let scenarios = [
        Scenario(name: "SQLite: the server is killed and started again"),
        Scenario(name: "the same, clients without a cache, 1,000 keys", loss: .restartOfAll, keys: 1000),
        Scenario(name: "the same as the first, with TLS", isEncrypted: true),
        Scenario(name: "MariaDB: one of three servers is killed", store: .mariaDB, loss: .server),
        Scenario(name: "etcd of three members: one of three servers is killed", store: .etcd, loss: .server),
        Scenario(name: "etcd of three members: its leader is killed", store: .etcd, loss: .member),
    ]

    private struct Figures {
        let recovery: Duration
        /// The number of clients that were not current within the maximum wait.
        let missing: Int
        let connectionsPerSecond: Int
        let refused: Int
        let failures: Int
        let publishes: StormPublisher.Result
        /// In bytes.
        let quiet: Int
        let peak: Int

        var recoveryText: String {
            missing == 0 ? (recovery / .seconds(1)).text(2) : "\(missing.grouped) not within 60"
        }
    }

    func run() async throws -> Section {
        // Also for the servers, which inherit it.
        let files = ProcessFiles.raiseLimit() ?? 1024
        var table = Table(
            "The loss",
            "clients",
            "all current after, s",
            "connections a second, max",
            "attempts refused",
            "failed otherwise",
            "publishes failed",
            "slowest publish, ms",
            "memory, quiet and peak, MiB"
        )
        var goals: [Goal] = []
        for scenario in Self.scenarios {
            progress("  \(scenario.name)")
            let clients = min(clients, files * 9 / 10 / Self.step * Self.step)
            let figures = try await measure(scenario, clients)
            table.add([scenario.name, clients.grouped] + cells(figures))
            goals += self.goals(figures, scenario)
        }
        let title = "Storm: from the loss of a server until every client is current again"
        return Section(title: title, parts: [table] + goals)
    }

    private func cells(_ figures: Figures) -> [String] {
        let publishes = figures.publishes
        return [
            figures.recoveryText,
            figures.connectionsPerSecond.grouped,
            figures.refused.grouped,
            (figures.failures - figures.refused).grouped,
            "\(publishes.failures) of \(publishes.failures + publishes.delays.count)",
            publishes.delays.max().map { $0.milliseconds.text(0) } ?? "–",
            [figures.quiet, figures.peak].map { (Double($0) / 1_048_576).text(1) }.joined(separator: " / "),
        ]
    }

    private func goals(_ figures: Figures, _ scenario: Scenario) -> [Goal] {
        let ratio = Double(figures.peak) / Double(figures.quiet)
        var goals = [
            Goal(
                promise: "\(scenario.name): all clients current within 15 s",
                figure: figures.recoveryText,
                isMet: figures.missing == 0 && figures.recovery <= .seconds(15)
            ),
            Goal(
                promise: "\(scenario.name): peak memory at most 1.5 of the quiet state",
                figure: ratio.text(2),
                isMet: ratio <= 1.5
            ),
        ]
        if scenario.store != .sqlite {
            let failures = figures.publishes.failures
            goals.append(
                Goal(promise: "\(scenario.name): no publish fails", figure: "\(failures)", isMet: failures == 0)
            )
        }
        return goals
    }
}

// One loss.
extension StormMeasurement {
    private func measure(_ scenario: Scenario, _ clients: Int) async throws -> Figures {
        let store = try await onDedicatedThread {
            try StormStore(scenario.store, keys: scenario.keys, isEncrypted: scenario.isEncrypted)
        }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let crowd = try await StormCrowd.Handle(clients, on: group.next(), store)
        let figures: Figures
        do {
            figures = try await measure(scenario, store, crowd)
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
        try await group.shutdownGracefully()
        return figures
    }

    private func measure(_ scenario: Scenario, _ store: StormStore, _ crowd: StormCrowd.Handle) async throws -> Figures
    {
        let publishers = try store.servers.map { try store.client(of: $0) }
        try await gather(crowd, publishers)
        let quiet = try store.servers.map { try $0.memory("VmRSS") }
        let lost = try await lose(scenario, store, crowd)
        let living = store.servers.indices.filter { lost == nil || store.servers.count == 1 || $0 != lost }
        let publisher = StormPublisher(living.map { publishers[$0] }, crowd, endsEarly: store.servers.count == 1)
        let publishing = Task { await publisher.run() }
        let missing: Int
        do {
            try await until("every client to be current", deadline: .seconds(60)) {
                try await crowd.run(\.missing) == 0
            }
            missing = 0
        } catch is WaitError {
            // That is a result too.
            missing = try await crowd.run(\.missing)
        }
        publisher.end()
        let publishes = await publishing.value
        if missing == 0 { try await awaitSameContents(crowd, publishers[living[0]]) }
        let peaks = try living.map { (try store.servers[$0].memory("VmHWM"), quiet[$0]) }
        let peak = peaks.max { Double($0.0) / Double($0.1) < Double($1.0) / Double($1.1) } ?? (0, 1)
        return try await crowd.run { crowd in
            Figures(
                recovery: crowd.recovery,
                missing: missing,
                connectionsPerSecond: crowd.connectionsPerSecond,
                refused: crowd.refused,
                failures: crowd.failures,
                publishes: publishes,
                quiet: peak.1,
                peak: peak.0
            )
        }
    }

    /// The number of clients that start together, before the loss.
    private static let step = 100

    /// Starts all clients, a few at a time, until all are current.
    private func gather(_ crowd: StormCrowd.Handle, _ publishers: [ServerClient]) async throws {
        for count in stride(from: Self.step, through: crowd.count, by: Self.step) {
            try await crowd.run { $0.gather(Self.step) }
            try await until("\(count) clients to connect") { try await crowd.run(\.connectedCount) == count }
        }
        try await crowd.published(StormPublisher.publish("quiet", to: publishers[0]))
        try await awaitSameContents(crowd, publishers[0])
    }

    private func awaitSameContents(_ crowd: StormCrowd.Handle, _ server: ServerClient) async throws {
        try await until("every client to have the server's contents", deadline: .seconds(60)) {
            let state = try await server.snapshot()
            return try await crowd.run { $0.count(at: state.cursor, state.digest) } == crowd.count
        }
    }

    /// - Returns: the number of the server that was killed, if one was.
    private func lose(_ scenario: Scenario, _ store: StormStore, _ crowd: StormCrowd.Handle) async throws -> Int? {
        for server in store.servers { server.forgetPeak() }
        let leader = try store.etcd?.leader()
        let lost = scenario.loss == .member ? nil : 0
        try await crowd.run { $0.lose(lost) }
        try await onDedicatedThread {
            if scenario.loss == .member { try leader?.kill() } else { try store.servers[0].kill() }
            if store.servers.count == 1 { try store.servers[0].start() }
        }
        if scenario.loss == .restartOfAll { try await crowd.run { for client in $0.clients { client.startAgain() } } }
        return lost
    }
}
