// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import RemoteConfig
import TestSupport
import Testing

/// A real server, real clients, and an unreliable network between them.
@Suite(.timeLimit(.minutes(10)))
struct LosslessTests {
    private static let keys = (0..<60).map { "key.\($0)" }
    private static let goal = 15_000

    @Test func hostileNetworkLosesNoChange() async throws {
        let server = try await onDedicatedThread { try RunningServer() }
        let load = try await WriteLoad(to: server.address)
        let proxy = try FaultyProxy(before: server.port, seed: 2026, oneOf: 12)
        let folder = try TemporaryDirectory(prefix: "caches")
        let clients = (0..<3).map { number in
            let cache = ConfigCache(app: "test", version: "1", folder: folder["\(number)"])
            return ObservedClient(
                of: "http://127.0.0.1:\(proxy.port)",
                cache: number == 0 ? cache : nil,
                context: number == 1 ? nil : Self.context
            )
        }
        for client in clients { try client.start() }
        try await withThrowingTaskGroup { group in
            for seed in 0..<4 { group.addTask { try await write(to: load, seed: UInt64(seed), followedBy: clients) } }
            group.addTask { try await restart(clients[0], during: load) }
            try await group.waitForAll()
        }
        proxy.behave()
        try await settle(clients, load)

        let history = load.history
        let oracles = [Self.oracle(history), LosslessOracle(history), Self.oracle(history)]
        for (client, oracle) in zip(clients, oracles) {
            #expect(oracle.violations(in: client.observations) == [])
        }
        #expect(load.changeCount >= Self.goal)
        #expect(history.revisions == Array(1...UInt64(history.count)), "no revision is missing")
        for fault in Mischief.Fault.allCases { #expect(proxy.counts[fault, default: 0] > 0, "\(fault)") }
    }

    /// The context of some clients, for rules.
    private static let context = EvaluationContext(targetingKey: "user-42", ["team": "blue"])

    /// The expected observations of such a client.
    private static func oracle(_ history: PublishedHistory) -> LosslessOracle {
        var rules: [EntryValue: ConfigRule] = [:]
        return LosslessOracle(history) { key, entries in
            guard let value = entries[EntryKind.rule.key(of: key)] else { return entries[key] }
            let rule = rules[value] ?? (try? ConfigRule(value))
            rules[value] = rule
            return rule?.evaluate(key: key, in: context, at: 0).value ?? entries[key]
        }
    }

    /// A rule that selects a value for half of the users, for a team, or for no user.
    private static func rule(giving value: EntryValue, _ number: Int) -> EntryValue? {
        let targeting: EntryValue =
            number % 3 == 0
            ? ["fractional": [["given", 1], ["other", 1]]]
            : ["if": [["==": [["var": "team"], number % 3 == 1 ? "blue" : "red"]], "given"]]
        return number % 7 == 0 ? nil : ["variants": ["given": value, "other": value], "targeting": targeting]
    }

    /// Mostly single keys, by number; mostly whole publishes, by what they change. The clients see what happens on the
    /// way, since the writer waits for them now and then.
    private func write(to load: WriteLoad, seed: UInt64, followedBy clients: [ObservedClient]) async throws {
        var values = ValueGenerator(seed: seed)
        var count = 0
        while load.changeCount < Self.goal {
            count += 1
            if count.isMultiple(of: 50) { try await clients.follow(load) }
            let value = values.value(holding: "\(seed).\(count)")
            let keys = Self.keys.shuffled(using: &values.random)
            switch Int.random(in: 0..<100, using: &values.random) {
            case 0: try await load.rollBack(using: &values.random)
            case 1..<10: try await load.publish(set: [keys[0]: value], unset: Set(keys[1..<4]))
            case 10..<25:
                try await load.publish(set: [:], rules: [keys[0]: Self.rule(giving: value, count)])
            case 25..<65: try await load.publish(set: [keys[0]: value])
            default: try await load.publish(set: Dictionary(uniqueKeysWithValues: keys.prefix(58).map { ($0, value) }))
            }
        }
    }

    /// Starts the client again, from its cache, nine times on the way.
    private func restart(_ client: ObservedClient, during load: WriteLoad) async throws {
        for part in 1..<10 {
            try await until("the next tenth is written") { load.changeCount >= part * Self.goal / 10 }
            try await client.stop()
            try client.start()
        }
    }

    private func settle(_ clients: [ObservedClient], _ load: WriteLoad) async throws {
        let last = load.history.revisions.last
        for client in clients {
            try await until("all is shown") { client.current?.snapshot.cursor?.revision == last }
            try await client.stop()
        }
    }
}
