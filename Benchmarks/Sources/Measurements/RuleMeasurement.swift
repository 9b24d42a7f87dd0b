// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Foundation
import RemoteConfig
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
        let all = try await allRules()
        return Section(title: "Rules, in processor time", parts: [one, goal] + all)
    }

    private func oneRule() throws -> (Table, Goal) {
        let rule = try ConfigRule(EntryValue(json: Array(Self.rule.utf8)))
        guard case .object(let members) = try EntryValue(json: Array(Self.members.utf8)),
            case .string(let user)? = members["targetingKey"]
        else { throw BenchmarkFailure("the context is no object") }
        let others = EntryObject(members.filter { $0.key != "targetingKey" })
        let context = EvaluationContext(targetingKey: user, attributes: others)
        var times: [Double] = []
        for _ in 0..<batches {
            let time = try processorTime {
                for _ in 0..<Self.evaluations { use(rule.evaluate(key: Self.key, in: context, at: 0)) }
            }
            times.append(time / .nanoseconds(1) / Double(Self.evaluations))
        }
        let (ours, variant) = (Distribution(times), rule.evaluate(key: Self.key, in: context, at: 0).variant)
        let peer = try Self.flagdCore(variant: variant)
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

    /// Nanoseconds of an evaluation by flagd's evaluator in Python; `nil` where it is not installed.
    private static func flagdCore(variant: String?) throws -> Double? {
        guard let python = ProcessInfo.processInfo.environment["LIVERY_FLAGD_PYTHON"] else { return nil }
        let flags = #"{"flags":{"\#(key)":\#(rule)}}"#
        let script = "Benchmarks/Peers/flagd-core/evaluate.py"
        let output = try Command(python, [script, flags, members, key, "20000"]).run(deadline: .seconds(120))
        let words = output.standardOutput.split { $0 == " " || $0 == "\n" }
        guard words.count == 2, let time = Double(words[0]), words[1] == variant ?? "None" else {
            throw BenchmarkFailure("flagd-core answers otherwise: \(output.standardOutput)\(output.standardError)")
        }
        return time
    }

    /// The cost of a context change in a program in which each key has a rule.
    private func allRules() async throws -> [any CustomStringConvertible & Sendable] {
        let count = 100_000
        var table = Table("\(count.grouped) keys with rules, another user", "median, ms", "keys that changed")
        let (time, changed) = try await allRules(count, 100)
        table.add("100 different rules", time.text(1), changed.grouped)
        let goal = Goal(
            promise: "100,000 keys with 100 rules follow another context within 100 ms",
            figure: "\(time.text(1)) ms",
            isMet: time <= 100
        )
        // Nothing can be shared, and no part of a rule is in the processor's cache.
        let (timeOfAll, changedOfAll) = try await allRules(count, count)
        table.add("no two rules alike", timeOfAll.text(1), changedOfAll.grouped)
        return [table, goal]
    }

    /// Milliseconds that so many keys take, and how many of them change.
    private func allRules(_ count: Int, _ different: Int) async throws -> (time: Double, changed: Int) {
        // Each of them selects another share of users, from next to nothing to all.
        let rules = try (1...different).map { share in
            let weights = "\(share)],[\"pink\",\(different - share)"
            return try EntryValue(json: Array(Self.rule.replacing("10],[\"pink\",90", with: weights).utf8))
        }
        let entries = Dictionary(
            uniqueKeysWithValues: (0..<count).map { ("rule:group.\($0 / 100).key_\($0)", rules[$0 % different]) }
        )
        let digest = ConfigDigest(entries.lazy.map { ($0.key, $0.value) })
        let cursor = Cursor(epoch: Epoch(rawValue: 1), revision: 1)
        let state = ServerSnapshot(cursor: cursor, digest: digest, entries: entries)
        let context = { (number: Int) in
            EvaluationContext(targetingKey: "user-\(number)", ["email": "ana@example.org", "region": "ES"])
        }
        let service = RemoteConfigService(source: HeldSource(state: state), context: context(0))
        try await service.refresh()
        var times: [Double] = []
        var changed = 0
        for number in 1...max(batches / 10, 4) {
            let start = ContinuousClock.now
            changed = await service.setContext(context(number)).count
            times.append((ContinuousClock.now - start) / .milliseconds(1))
        }
        return (Distribution(times).median, changed)
    }
}

/// A source with a fixed state.
private struct HeldSource: ConfigSource {
    let name = "benchmark"
    let delivery = SourceDelivery.watched
    let state: ServerSnapshot

    func read(after known: SourcePosition) async throws(ConfigModel.ConfigError) -> SourceReading {
        SourceReading(.snapshot(state))
    }
}
