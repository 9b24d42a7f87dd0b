// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import RemoteConfig
import RemoteConfigTesting
import TestSupport

/// A random course of events in a world of two programs that share a folder for their caches.
final class ClientCourse {
    private var random: SeededGenerator
    private let clock = TestClock()
    private let elsewhere: ScriptedServer
    private let disk = UnreliableDisk()
    private let faults = Log<String>()
    /// Two clients of one program, as in two processes, and one of another program.
    private var clients: [WatchedClient] = []
    private var programs: [SimulatedProgram] = []
    private var steps: [String] = []

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        elsewhere = try ScriptedServer { connection, request in
            if request.method == "GET" { return try connection.respond("404 Not Found") }
            let flags = #"{"flags":[{"key":"flags","value":"elsewhere"}]}"#
            try connection.respond("200 OK", ["Content-Type": "application/json"], flags)
        }
        let caches = try TemporaryDirectory()
        programs = try ["A", "B"].map { name in
            try SimulatedProgram(
                name,
                .random(using: &random),
                caches: caches,
                elsewhere: elsewhere.url(),
                clock: clock,
                disk: disk,
                hasTwoProcesses: name == "A"
            )
        }
        for program in [programs[0], programs[0], programs[1]] { clients.append(try launch(program)) }
    }

    /// - Returns: The first violation with the steps that led to it, if there is one.
    func run(_ count: Int) async -> String? {
        do {
            while steps.count < count, faults.entries.isEmpty { steps.append(try await takeStep()) }
            try await converge()
            for client in clients { try await client.end() }
        } catch {
            faults.append("\(error)")
        }
        for program in programs { program.stop() }
        for request in elsewhere.requests where !request.body.isEmpty || request["authorization"] != nil {
            faults.append("another origin was sent \(request)")
        }
        guard let fault = faults.entries.first else { return nil }
        let shown = clients.map { client in
            "\(client.program.name): '\(client.current.user)' sees \(client.current.texts), \(client.current.status.summary)"
                + "\n  newest: \(client.newest)"
        }
        return ([fault] + programs.map { "\($0.name): \($0.shape)" } + steps.suffix(50) + shown).joined(separator: "\n")
    }
}

// The steps.
extension ClientCourse {
    private func chance(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    private func takeStep() async throws -> String {
        switch chance(40) {
        case 0..<12: return try publish()
        case 12..<14: return try spoil()
        case 14..<16: return failNetwork()
        case 16:
            disk.fault = chance(2) == 0 ? nil : UnreliableDisk.Fault.allCases.randomElement(using: &random)
            return "disk: \(disk.fault.map { "\($0)" } ?? "well")"
        case 17..<31:
            let index = chance(clients.count)
            return "\(clients[index].program.name)\(index): \(try await use(clients[index]))"
        case 31..<36:
            let time = [Duration.milliseconds(50), .seconds(1), .seconds(7), .seconds(40)][chance(4)]
            clock.advance(by: time)
            return "\(time) pass"
        case 36..<38:
            for client in clients { for _ in 0..<3 { _ = await client.service.context } }
            return "everybody takes turns"
        case 38:
            try await converge()
            return "all is well"
        default:
            let index = chance(clients.count)
            try await clients[index].end()
            clients[index] = try launch(clients[index].program)
            return "\(clients[index].program.name)\(index): launch \(clients[index].options)"
        }
    }

    private func use(_ client: WatchedClient) async throws -> String {
        switch chance(18) {
        case 0..<3:
            client.start()
            return "start"
        case 3..<5:
            let isWaiting = chance(2) == 0
            try await client.stop(waiting: isWaiting)
            return isWaiting ? "stop and wait" : "stop"
        case 5..<8:
            let user = PublishedViews.users[chance(4)]
            await client.setContext(user)
            return "context '\(user)'"
        case 8..<11:
            client.refresh()
            return "refresh"
        case 11..<13:
            await client.activate()
            return "activate"
        case 13:
            try await client.pause()
            return "pause"
        case 14..<16:
            await client.service.resume()
            return "resume"
        case 16:
            await client.service.reconnect()
            return "reconnect"
        default:
            let isOffline = chance(2) == 0
            await client.service.setOffline(isOffline)
            return isOffline ? "offline" : "online"
        }
    }

    private func anySource(_ isWanted: (String) -> Bool) -> (program: SimulatedProgram, source: String)? {
        let all = programs.flatMap { program in program.sources.filter(isWanted).map { (program, $0) } }
        return all.randomElement(using: &random)
    }

    private func publish() throws -> String {
        guard let (program, source) = anySource({ $0 != "bundled" }) else { return "" }
        let wasShared = program.views.isShared(source)
        let isShared = chance(5) == 0 ? !wasShared : wasShared
        let all = PublishedViews.users
        let some = isShared != wasShared ? all : Array(all.shuffled(using: &random).prefix(1 + chance(4)))
        let users = chance(6) == 0 ? nil : some
        try program.publish(source, for: users, isShared: isShared, using: &random)
        return "\(program.name): publish \(source) \(program.views.newest(source)) for \(users ?? ["everybody"])"
    }

    private func spoil() throws -> String {
        guard let (program, file) = anySource(SimulatedProgram.files.contains) else { return "" }
        return "\(program.name): \(try program.spoil(file, using: &random))"
    }

    private func failNetwork() -> String {
        guard let (program, source) = anySource(SimulatedProgram.remote.contains) else { return "" }
        return "\(program.name): \(source) \(program.fail(source, using: &random))"
    }

    private func launch(_ program: SimulatedProgram) throws -> WatchedClient {
        let options = WatchedClient.Options(
            user: PublishedViews.users[chance(4)],
            activation: [.immediate, .immediate, .onDemand, .nextLaunch][chance(4)],
            hasCache: chance(4) > 0,
            hasBundledDefault: program.sources.count == 1 && chance(2) == 0,
            isOffline: chance(10) == 0
        )
        return try WatchedClient(of: program, options, clock: clock, faults: faults)
    }

    /// Ends all failures, and waits until all clients show the newest values, as must the next launch.
    private func converge() async throws {
        disk.fault = nil
        for program in programs { try program.heal() }
        for client in clients {
            await client.service.setOffline(false)
            await client.service.resume()
            if chance(3) > 0, !client.isRunning { client.start() }
        }
        try await until("it converges", deadline: .seconds(10)) {
            clock.advance(by: .seconds(5))
            for program in programs { program.server.beat() }
            for client in clients where !client.hasArrived {
                if !client.isRunning { client.refresh() }
                await client.activate()
            }
            return clients.allSatisfy(\.hasArrived) || !faults.entries.isEmpty
        }
        for client in clients where client.options.hasCache {
            for user in [client.current.user, PublishedViews.users[chance(4)]] { try await launchOffline(client, user) }
        }
    }

    private func launchOffline(_ client: WatchedClient, _ user: String) async throws {
        let options = WatchedClient.Options(user: user, isOffline: true)
        let isKept = user == client.current.user || !client.program.sources.contains("flags")
        func launch() throws -> WatchedClient {
            try WatchedClient(of: client.program, options, clock: clock, faults: faults)
        }
        var next = try launch()
        if isKept, !SimulatedProgram.files.isDisjoint(with: client.program.sources) {
            // A file is cached after it is shown.
            try await until("the files are cached", deadline: .seconds(10)) {
                clock.advance(by: .seconds(1))
                next = try launch()
                return next.startsWell
            }
        }
        if isKept, !next.startsWell {
            faults.append("\(client.program.name): the next launch shows '\(user)' \(next.current.texts)")
        }
    }
}
