// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Foundation
import RemoteConfig
import Synchronization
import TestSupport

/// The cost of evaluating a rule, next to flagd's own evaluator, and of evaluating all rules of a program again.
struct RuleMeasurement: Measurement {
    let batches: Int

    private static let key = "app.background.color"
    private static let evaluations = 2000

    /// Three conditions, of which none decides, and a split.
    static let rule = #"""
        {"variants":{"pink":"#FFB6C1","blue":"#0000FF","green":"#00FF00"},"defaultVariant":"pink","state":"ENABLED",
        "targeting":{"if":[
        {"ends_with":[{"var":"email"},"@example.com"]},"green",
        {"and":[{"in":[{"var":"region"},["ES","PT","IT"]]},{"sem_ver":[{"var":"version"},"<","2.1.0"]}]},"green",
        {"==":[{"var":"plan"},"trial"]},"blue",
        {"fractional":[["blue",10],["pink",90]]}]}}
        """#
    private static let members = #"""
        {"targetingKey":"user-42","email":"ana@example.org","region":"ES","version":"2.4.1","plan":"paid","language":"es"}
        """#

    func run() async throws -> Section {
        let (one, goal) = try await onDedicatedThread { try oneRule() }
        let requests = try await requests()
        let all = try await allRules()
        return Section(title: "Rules, in processor time", parts: [one, goal] + requests + all)
    }

    private func oneRule() throws -> (Table, Goal) {
        let rule = try ConfigRule(EntryValue(json: Array(Self.rule.utf8)))
        let context = try Self.context
        var times: [Double] = []
        for _ in 0..<batches {
            let time = try processorTime {
                for _ in 0..<Self.evaluations { use(rule.evaluate(key: Self.key, in: context, at: 0)) }
            }
            times.append(time / .nanoseconds(1) / Double(Self.evaluations))
        }
        let (ours, variant) = (Distribution(times), rule.evaluate(key: Self.key, in: context, at: 0).variant)
        let peer = try Self.flagdCore(keys: [Self.key], variant: variant)
        var table = Table(
            "a rule of three conditions and a split",
            "median, ns",
            "p99 of the batches, ns",
            "to ConfigRules"
        )
        table.add("ConfigRules", Int(ours.median).grouped, Int(ours.percentile(99)).grouped, "1")
        table.add(
            "flagd-core 2.0.0 (Python)",
            peer.map { Int($0).grouped } ?? "not installed",
            "",
            peer.map { ($0 / ours.median).text(1) } ?? ""
        )
        let promise = "an evaluation takes at most 1,000 ns (flagd's evaluator in Go: 1,400)"
        return (table, Goal(promise: promise, figure: Int(ours.median).grouped, isMet: ours.median <= 1000))
    }

    /// The cost of a service that answers each request for another user: a context, and three keys with a rule each.
    private func requests() async throws -> [any CustomStringConvertible & Sendable] {
        let users = 10_000
        let rule = try EntryValue(json: Array(Self.rule.utf8))
        let keys = (1...3).map { "\(Self.key)_\($0)" }
        let entries = Dictionary(uniqueKeysWithValues: keys.map { (EntryKind.rule.key(of: $0), rule) })
        let service = RemoteConfigService(source: HeldSource(state: ServerSnapshot(of: entries)))
        try await service.refresh()
        let (ours, peer) = try await onDedicatedThread { [batches] in
            let others = try Self.context.attributes
            var (times, last): ([Double], String) = ([], "")
            for _ in 0..<max(batches / 10, 4) {
                let time = try processorTime {
                    for user in 0..<users {
                        let context = EvaluationContext(targetingKey: "user-\(user)", attributes: others)
                        EvaluationContext.$current.withValue(context) {
                            for key in keys { last = service.value(forKey: key, default: "") }
                        }
                    }
                }
                times.append(time / .nanoseconds(1) / Double(users))
            }
            let variants = ["#FFB6C1": "pink", "#0000FF": "blue", "#00FF00": "green"]
            return (Distribution(times), try Self.flagdCore(keys: keys, users: users, variant: variants[last]))
        }
        var table = Table(
            "a request of another user each time: a context, three keys with rules",
            "median, ns",
            "users a second on one core",
            "to RemoteConfig"
        )
        func row(_ time: Double) -> (String, String) { (Int(time).grouped, Int(1e9 / time).grouped) }
        table.add("RemoteConfig", row(ours.median).0, row(ours.median).1, "1")
        table.add(
            "flagd-core 2.0.0 (Python)",
            peer.map { row($0).0 } ?? "not installed",
            peer.map { row($0).1 } ?? "",
            peer.map { ($0 / ours.median).text(1) } ?? ""
        )
        let share = ours.median * 10_000 / 1e9 * 100
        return [
            table,
            Goal(
                promise: "the values of 10,000 users a second take at most 10 % of a core",
                figure: "\(share.text(1)) %",
                isMet: share <= 10
            ),
        ]
    }

    /// The context of `members`.
    private static var context: EvaluationContext {
        get throws {
            guard case .object(let members) = try EntryValue(json: Array(members.utf8)),
                case .string(let user)? = members["targetingKey"]
            else { throw BenchmarkFailure("the context is not an object") }
            let others = EntryObject(members.filter { $0.key != "targetingKey" })
            return EvaluationContext(targetingKey: user, attributes: others)
        }
    }

    /// Nanoseconds of an evaluation of each key by flagd's evaluator in Python; `nil` where it is not installed.
    ///
    /// - Parameters:
    ///   - users: The number of users, each with a separate context; 0 for the same context each time.
    ///   - variant: The last variant to expect.
    private static func flagdCore(keys: [String], users: Int = 0, variant: String?) throws -> Double? {
        guard let python = ProcessInfo.processInfo.environment["LIVERY_FLAGD_PYTHON"] else { return nil }
        let flags = #"{"flags":{\#(keys.map { "\"\($0)\":\(rule)" }.joined(separator: ","))}}"#
        let script = "Benchmarks/Peers/flagd-core/evaluate.py"
        let count = users > 0 ? "\(users)" : "20000"
        let arguments = [script, flags, members, keys.joined(separator: ","), count, "\(users)"]
        let output = try Command(python, arguments).run(deadline: .seconds(120))
        let words = output.standardOutput.split { $0 == " " || $0 == "\n" }
        guard words.count == 2, let time = Double(words[0]), words[1] == variant ?? "None" else {
            throw BenchmarkFailure("flagd-core answers otherwise: \(output.standardOutput)\(output.standardError)")
        }
        return time
    }

    /// The cost of a context change, and of a change of one rule, in a program in which each key has a rule.
    private func allRules() async throws -> [any CustomStringConvertible & Sendable] {
        let count = 100_000
        var table = Table("\(count.grouped) keys with rules, another user", "median, ms", "keys that changed")
        let alike = try await allRules(count, 100)
        table.add("100 different rules", alike.time.text(1), alike.changed.grouped)
        // Nothing can be shared, and no part of a rule is in the processor's cache.
        let different = try await allRules(count, count)
        table.add("no two rules alike", different.time.text(1), different.changed.grouped)
        let few = try await allRules(100, 100)
        var changes = Table("A change of one rule", "median, µs")
        changes.add("among 100 keys with rules", few.change.text(1))
        changes.add("among \(count.grouped)", different.change.text(1))
        return [
            table,
            Goal(
                promise: "100,000 keys with 100 rules follow another context within 100 ms",
                figure: "\(alike.time.text(1)) ms",
                isMet: alike.time <= 100
            ),
            Goal(
                promise: "100,000 keys with different rules follow another user within 40 ms",
                before: "111.5 ms, of two processors",
                figure: "\(different.time.text(1)) ms",
                isMet: different.time <= 40
            ),
            changes,
            Goal(
                promise: "a change of one rule costs the same among 100,000 as among 100, within twice",
                figure: (different.change / few.change).text(2),
                isMet: different.change <= 2 * few.change
            ),
        ]
    }

    private struct Costs {
        /// Milliseconds for another user, and how many keys change.
        let time: Double
        let changed: Int
        /// Microseconds for a change of one rule.
        let change: Double
    }

    /// The cost for so many keys with so many different rules, in processor time of all threads.
    private func allRules(_ count: Int, _ different: Int) async throws -> Costs {
        // Each of them selects another share of users, from next to nothing to all.
        func rule(_ share: Int) throws -> EntryValue {
            let weights = "\(share)],[\"pink\",\(different - share)"
            return try EntryValue(json: Array(Self.rule.replacing("10],[\"pink\",90", with: weights).utf8))
        }
        let rules = try (1...different).map(rule)
        let keys = (0..<count).map { "rule:group.\($0 / 100).key_\($0)" }
        let entries = Dictionary(uniqueKeysWithValues: keys.indices.map { (keys[$0], rules[$0 % different]) })
        let context = { (number: Int) in
            EvaluationContext(targetingKey: "user-\(number)", ["email": "ana@example.org", "region": "ES"])
        }
        let source = HeldSource(state: ServerSnapshot(of: entries))
        let service = RemoteConfigService(source: source, context: context(0))
        try await service.refresh()
        var (users, changes): ([Double], [Double]) = ([], [])
        var changed = 0
        for number in 1...max(batches / 10, 5) {
            let start = try Self.timeOfProcess
            changed = await service.setContext(context(number)).count
            users.append((try Self.timeOfProcess - start) / .milliseconds(1))
        }
        for number in 0..<max(batches, 20) {
            source.change(keys[number % keys.count], to: try rule((different / 2 + number) % different))
            let start = try Self.timeOfProcess
            try await service.refresh()
            changes.append((try Self.timeOfProcess - start) / .microseconds(1))
        }
        return Costs(time: Distribution(users).median, changed: changed, change: Distribution(changes).median)
    }

    private static var timeOfProcess: Duration {
        get throws { try ProcessUsage(ofRunning: getpid()).processorTime }
    }
}

extension ServerSnapshot {
    fileprivate init(of entries: [String: EntryValue]) {
        let digest = ConfigDigest(entries.lazy.map { ($0.key, $0.value) })
        self.init(cursor: RevisionCursor(epoch: Epoch(rawValue: 1), revision: 1), digest: digest, entries: entries)
    }
}

/// A source with a state, and then changes of it.
private final class HeldSource: ConfigSource {
    private struct Pending {
        var reading: SourceReading
        var cursor: RevisionCursor
        var digest: ConfigDigest
        var entries: [String: EntryValue]
    }

    let name = "benchmark"
    let delivery = SourceDelivery.watched
    private let pending: Mutex<Pending>

    init(state: ServerSnapshot) {
        let entries = Dictionary(uniqueKeysWithValues: state.entries.lazy.map { ($0.key, $0.value) })
        let reading = SourceReading(.snapshot(state))
        pending = Mutex(Pending(reading: reading, cursor: state.cursor, digest: state.digest, entries: entries))
    }

    /// Has the next reading change an entry.
    func change(_ key: String, to value: EntryValue) {
        pending.withLock { pending in
            if let known = pending.entries.updateValue(value, forKey: key) { pending.digest.remove(known, forKey: key) }
            pending.digest.insert(value, forKey: key)
            let revision = pending.cursor.revision
            let changes = Changeset(from: revision, to: revision + 1, digest: pending.digest, upserts: [key: value])
            pending.cursor = RevisionCursor(epoch: pending.cursor.epoch, revision: revision + 1)
            pending.reading = SourceReading(.changes(changes, epoch: pending.cursor.epoch))
        }
    }

    func read(after known: SourcePosition) async throws(ConfigModel.ConfigError) -> SourceReading {
        pending.withLock(\.reading)
    }
}
