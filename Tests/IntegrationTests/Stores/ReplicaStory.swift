// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import RemoteConfig
import TestSupport
import Testing

/// Twenty clients and five writers who move between the servers of one store while things go wrong, and whether any
/// client ever received a wrong value.
struct ReplicaStory {
    /// Something that goes wrong.
    struct Trouble: Sendable {
        var name: String
        var make: @Sendable (Replicas, Progress) throws -> Void
    }

    /// The progress of the story.
    struct Progress: Sendable {
        let teams: [Team]

        /// The number of keys changed by all revisions together.
        var changeCount: Int { teams.reduce(0) { $0 + $1.load.changeCount } }

        /// Lets the writers end, once they have written enough.
        func end() { for team in teams { team.load.isOver = true } }
    }

    /// A namespace, who writes there, and who follows it.
    struct Team: Sendable {
        let number: Int
        let load: WriteLoad
        let clients: [ObservedClient]

        init(_ number: Int, of count: Int, at address: String) async throws {
            self.number = number
            load = try await WriteLoad(to: address, namespace: "team-\(number)")
            clients = (0..<count).map { _ in ObservedClient(of: address, namespace: "team-\(number)") }
        }
    }

    let replicas: Replicas
    /// The failures in order, spread over the story.
    let troubles: [Trouble]
    /// The minimum number of changed keys in all revisions. Set `LIVERY_REPLICA_CHANGES=20000` for a long run.
    var goal = ProcessInfo.processInfo.environment["LIVERY_REPLICA_CHANGES"].flatMap { Int($0) } ?? 4000
    var teamCount = 5
    var clientCount = 20

    private static let keys = (0..<60).map { "key.\($0)" }

    /// Runs the story.
    func tell() async throws {
        var teams: [Team] = []
        for number in 0..<teamCount {
            teams.append(try await Team(number, of: clientCount / teamCount, at: replicas.address))
        }
        let progress = Progress(teams: teams)
        for client in teams.flatMap(\.clients) { try client.start() }
        try await withThrowingTaskGroup { group in
            for team in teams { group.addTask { try await write(team, progress) } }
            group.addTask { try await makeTrouble(progress) }
            group.addTask { try await moveClients(progress) }
            try await group.waitForAll()
        }
        // A write whose connection was cut may still be in progress; a server that has ended does not complete it.
        try await onDedicatedThread { [replicas] in
            for number in replicas.all.indices { try replicas.restart(number, by: SIGTERM) }
        }
        try await judge(teams)
    }

    private func isDone(_ progress: Progress) -> Bool {
        progress.teams.allSatisfy(\.load.isOver) && progress.changeCount >= goal
    }

    /// Writes on, whatever happens. Each value is given once, so that a write that is made twice shows.
    private func write(_ team: Team, _ progress: Progress) async throws {
        var values = ValueGenerator(seed: UInt64(team.number))
        var count = 0
        while !isDone(progress) {
            count += 1
            let value = values.value(holding: "\(team.number).\(count)")
            let keys = Self.keys.shuffled(using: &values.random)
            let width = Int.random(in: 0..<10, using: &values.random) < 4 ? 1 : 40
            let set = Dictionary(uniqueKeysWithValues: keys.prefix(width).map { ($0, value) })
            do {
                let revision = try await team.load.publish(set: set, unset: width > 1 ? Set(keys.suffix(2)) : [])
                try await readOwnWrite(keys[0], revision, team.load)
            } catch is ConfigError {
                // No response, or one without the outcome, which is then read from the history. Nothing is written twice on
                // purpose.
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    /// Reads on any server what one of them has acknowledged.
    private func readOwnWrite(_ key: String, _ revision: UInt64, _ load: WriteLoad) async throws {
        let found = try await load.revision(of: key)
        #expect(found.map { $0 >= revision } ?? false, "an answer was older than the write before it")
    }

    private func makeTrouble(_ progress: Progress) async throws {
        defer { progress.end() }
        for (number, trouble) in troubles.enumerated() {
            let start = (number + 1) * goal / (troubles.count + 2)
            try await until("it is time for: \(trouble.name)") { progress.changeCount >= start }
            try await onDedicatedThread { try trouble.make(replicas, progress) }
            let then = progress.changeCount
            try await until("writes succeed after: \(trouble.name)") { progress.changeCount > then }
            for team in progress.teams { try await team.clients.follow(team.load) }
        }
    }

    /// Cuts every fourth connection each time a fortieth has been written.
    private func moveClients(_ progress: Progress) async throws {
        var part = 0
        while !isDone(progress) {
            part += 1
            try await until("the next part is written") {
                isDone(progress) || progress.changeCount >= part * goal / 40
            }
            replicas.mover.cut(oneOf: 4)
        }
    }

    private func judge(_ teams: [Team]) async throws {
        var revisions: [UInt64] = []
        for team in teams {
            var ledger = Ledger(isAlone: false)
            try await ledger.readOn(team.load)
            #expect(ledger.problems == [])
            let lost = ledger.differences(from: team.load.history, sinceLastTime: false)
            #expect(lost == [], "every acknowledged write is there")
            #expect(ledger.repeated == [], "no write was made twice")
            try await team.clients.check(ledger.history(of: team.load.history.epoch))
            revisions += ledger.revisions
        }
        #expect(revisions.sorted() == Array(1...UInt64(revisions.count)), "each revision was made once")
        #expect(replicas.mover.cutCount > clientCount * 5, "clients have moved")
    }
}

extension ReplicaStory.Trouble {
    /// Kills a server, and starts another in its place.
    static func kill(_ number: Int) -> Self {
        Self(name: "server \(number) is killed") { replicas, _ in try replicas.restart(number, by: SIGKILL) }
    }

    /// Shuts a server down, and starts another in its place.
    static func restart(_ number: Int) -> Self {
        Self(name: "server \(number) is restarted") { replicas, _ in try replicas.restart(number, by: SIGTERM) }
    }

    /// A server stands still while the others go on, as far as its clients let them.
    static func pause(_ number: Int) -> Self {
        Self(name: "server \(number) is paused") { replicas, progress in
            let start = progress.changeCount
            let end = ContinuousClock.now + .seconds(3)
            try replicas.pause(number) { progress.changeCount >= start + 1000 || .now > end }
        }
    }
}
