import ConfigModel
import RemoteConfig
import Synchronization
import TestSupport
import Testing

/// A hundred clients and four writers who move between the servers of one store while things go wrong, and whether anyone
/// was ever told something that is not so.
struct ReplicaStory {
    /// Something that goes wrong.
    struct Trouble: Sendable {
        var name: String
        var make: @Sendable (Replicas, WriteLoad) throws -> Void
    }

    /// How many keys all revisions together change at least.
    var goal = 20_000
    var clientCount = 100
    let replicas: Replicas
    /// What goes wrong, one after the other, spread over the story.
    let troubles: [Trouble]

    private static let keys = (0..<60).map { "key.\($0)" }

    /// Tells the story.
    func tell() async throws {
        let load = try await WriteLoad(to: replicas.address)
        let clients = (0..<clientCount).map { _ in ObservedClient(of: replicas.address) }
        for client in clients { try client.start() }
        try await withThrowingTaskGroup { group in
            for writer in 0..<4 { group.addTask { try await write(to: load, seed: UInt64(writer)) } }
            group.addTask { try await makeTrouble(for: load) }
            group.addTask { try await moveClients(during: load) }
            try await group.waitForAll()
        }
        try await judge(clients, load)
    }

    /// Writes on, whatever happens. Each value is given once, so that a write that is made twice shows.
    private func write(to load: WriteLoad, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var count = 0
        while !isDone(load) {
            count += 1
            let value = ConfigValue.string("\(seed).\(count)")
            let keys = Self.keys.shuffled(using: &random)
            let width = Int.random(in: 0..<10, using: &random) < 4 ? 1 : 40
            let set = Dictionary(uniqueKeysWithValues: keys.prefix(width).map { ($0, value) })
            do {
                let revision = try await load.publish(set: set, unset: width > 1 ? Set(keys.suffix(2)) : [])
                try await readOwnWrite(keys[0], revision, load)
            } catch is ConfigError {
                // No answer, or none that says what came of it: the history will. Nothing is written twice on purpose.
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    /// Reads on any server what one of them has acknowledged.
    private func readOwnWrite(_ key: String, _ revision: UInt64, _ load: WriteLoad) async throws {
        guard let found = try await load.revision(of: key) else { return }
        #expect(found >= revision, "an answer was older than the write before it")
    }

    private func isDone(_ load: WriteLoad) -> Bool { load.isOver && load.changeCount >= goal }

    private func makeTrouble(for load: WriteLoad) async throws {
        defer { load.isOver = true }
        for (number, trouble) in troubles.enumerated() {
            let start = (number + 1) * goal / (troubles.count + 2)
            try await until("it is time for: \(trouble.name)") { load.changeCount >= start }
            try await onDedicatedThread { try trouble.make(replicas, load) }
            let then = load.changeCount
            try await until("writes succeed after: \(trouble.name)") { load.changeCount > then }
        }
    }

    /// Cuts every fourth connection each time a fortieth has been written.
    private func moveClients(during load: WriteLoad) async throws {
        var part = 0
        while !isDone(load) {
            part += 1
            try await until("the next part is written") { isDone(load) || load.changeCount >= part * goal / 40 }
            replicas.mover.cut(oneOf: 4)
        }
    }

    private func judge(_ clients: [ObservedClient], _ load: WriteLoad) async throws {
        var ledger = Ledger()
        try await ledger.readOn(load)
        let history = ledger.history(of: load.history.epoch)
        #expect(ledger.problems == [])
        #expect(ledger.differences(from: load.history, sinceLastTime: false) == [], "every acknowledged write is there")
        #expect(ledger.repeated == [], "no write was made twice")
        let oracle = LosslessOracle(history)
        for client in clients {
            try await until("all is shown") {
                client.current?.snapshot.cursor?.revision == history.revisions.last
            }
            try await client.stop()
            #expect(oracle.violations(in: client.observations) == [])
            #expect(client.observations.count > troubles.count, "the client has followed all the time")
        }
        let counts = replicas.mover.counts
        #expect(counts.cut > clientCount * 5, "clients have moved")
    }
}
