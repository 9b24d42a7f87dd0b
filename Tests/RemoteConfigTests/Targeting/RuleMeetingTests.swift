// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Configuration
import Observation
import RemoteConfigTesting
import Synchronization
import TestSupport
import Testing

@testable import RemoteConfig

/// Many rules, and rules combined with the time, other users and other types.
@Suite(.timeLimit(.minutes(5)))
struct RuleMeetingTests {
    private let clock = TestClock()
    private let user = EvaluationContext(targetingKey: "u", ["id": "id-6999"])

    private func source(_ values: [String: EntryValue], _ rules: [String: EntryValue]) -> TestSource {
        TestSource(values, rules: rules, clock: clock)
    }

    private static func listed(_ count: Int) -> EntryValue {
        let ids = EntryValue.array((0..<count).map { .string("id-\($0)") })
        return ["variants": ["on": 1, "off": 0], "targeting": ["if": [["in": [["var": "id"], ids]], "on", "off"]]]
    }

    /// However many there are, and in whichever steps they came.
    @Test func noUsersValueDependsOnItsNeighbours() async throws {
        let ids = EntryValue.array((0..<7000).map { .string("id-\($0)") })
        let evaluators: EntryValue = ["listed": ["in": [["var": "id"], ids]]]
        let rule: EntryValue = [
            "variants": ["on": 1, "off": 0], "targeting": ["if": [["$ref": "listed"], "on", "off"]],
        ]
        let keys = (0..<900).map { "k\($0)" }
        func contents(_ count: Int) -> (values: [String: EntryValue], rules: [String: EntryValue]) {
            var rules = Dictionary(uniqueKeysWithValues: keys.prefix(count).map { ($0, rule) })
            rules["$evaluators"] = evaluators
            return (Dictionary(uniqueKeysWithValues: keys.map { ($0, 2) }), rules)
        }
        let half = contents(450)
        let source = source(half.values, half.rules)
        let service = RemoteConfigService(source: source, context: user, notificationCenter: nil, clock: clock)
        func served() -> Int { keys.count { service[$0] == 1 } }
        try await service.refresh()
        #expect(served() == 450)
        let all = contents(900)
        await source.publish(all.values, rules: all.rules)
        clock.advance(by: .seconds(2))
        try await clock.passing { _ = try await service.refresh() }
        #expect(served() == 900)
        await service.setContext(nil)
        #expect(served() == 0)
        await service.setContext(user)
        #expect(served() == 900 && service.state.problems.isEmpty)
        let fresh = RemoteConfigService(source: source, context: user, notificationCenter: nil, clock: clock)
        try await clock.passing { _ = try await fresh.refresh() }
        #expect(keys.count { fresh[$0] == 1 } == 900)
    }

    /// The last good state stays.
    @Test func rulesThatTakeTooLongTogetherAreRejected() async throws {
        let slow: EntryValue = [
            "variants": ["a": 1],
            "targeting": ["if": [["reduce": [[1, 2], ["merge": [["var": "accumulator"], 1, 2]], []]], "a", "a"]],
        ]
        let source = source(["k0": 0], ["k0": slow])
        let service = RemoteConfigService(source: source, context: user, notificationCenter: nil, clock: clock)
        try await service.refresh()
        let keys = (0..<250).map { "k\($0)" }
        let pairs = keys.map { ($0, slow) }
        await source.publish(["k0": 5], rules: Dictionary(pairs) { $1 })
        await clock.passing {
            _ = await #expect(throws: ConfigModel.ConfigError.self) { try await service.refresh() }
        }
        #expect(service.state.current.status.problem?.code == .invalidRule)
        #expect(service.state.current.ruledKeys == ["k0"] && service.state.current.defaultValue(forKey: "k0") == 0)
    }

    private static func timed(_ second: Int) -> EntryValue {
        [
            "variants": ["on": "green"],
            "targeting": ["if": [[">=": [["var": "$flagd.timestamp"], .integer(second)]], "on", .null]],
        ]
    }

    private func moment(in seconds: Int) -> Int { clock.date.seconds + seconds }

    /// Of the program itself, of its observers and of other users; nothing else wakes up.
    @Test func ruleFiresAtTheTimeThatItNames() async throws {
        let source = source(["color": "red"], ["color": Self.timed(moment(in: 5))])
        for context in [user, nil] {
            let service = RemoteConfigService(source: source, context: context, notificationCenter: nil, clock: clock)
            let other = EvaluationContext(targetingKey: "v")
            try await service.running {
                let shown = context == nil ? "red" : "green"
                var colors = service.observe("color", as: String.self).makeAsyncIterator()
                var colorsOfOther = EvaluationContext.$current.withValue(other) {
                    service.observe("color", as: String.self).makeAsyncIterator()
                }
                #expect(await colors.next(isolation: #isolation) == "red")
                #expect(await colorsOfOther.next(isolation: #isolation) == "red")
                clock.advance(by: .seconds(5))
                #expect(await colorsOfOther.next(isolation: #isolation) == "green")
                if context != nil { #expect(await colors.next(isolation: #isolation) == "green") }
                #expect(service["color"] == .string(shown) && service.values(for: other)["color"] == "green")
                // A comparison may change at its second or at the next.
                clock.advance(by: .seconds(1))
                try await until("the rule does not change again") { clock.nextDeadline == nil }
            }
            await source.publish(["color": "red"], rules: ["color": Self.timed(moment(in: 5))])
            clock.advance(by: .seconds(2))
        }
    }

    @Test func unknownInstantIsEvaluatedEveryTenSeconds() async throws {
        let start = EntryValue.integer(moment(in: 0))
        let rule: EntryValue = [
            "variants": ["even": "even", "odd": "odd"],
            "targeting": [
                "if": [["%": [["/": [["-": [["var": "$flagd.timestamp"], start]], 10]], 2]], "odd", "even"]
            ],
        ]
        let source = source(["beat": "none"], ["beat": rule])
        let service = RemoteConfigService(source: source, context: user, notificationCenter: nil, clock: clock)
        await service.running {
            var beats = service.observe("beat", as: String.self).makeAsyncIterator()
            for beat in ["even", "odd", "even"] {
                #expect(await beats.next(isolation: #isolation) == beat)
                clock.advance(by: .seconds(10))
            }
        }
    }

    @Test func nothingWakesUpWithoutTimeInRules() async throws {
        let source = source(["k": 0], ["k": Self.listed(3)])
        let service = RemoteConfigService(source: source, context: user, notificationCenter: nil, clock: clock)
        await service.running { #expect(clock.nextDeadline == nil) }
    }

    /// A pause ends with what has become due.
    @Test func timeThatPassesInAPauseCountsAfterIt() async throws {
        let source = source(["color": "red"], ["color": Self.timed(moment(in: 5))])
        let service = RemoteConfigService(source: source, context: user, notificationCenter: nil, clock: clock)
        await service.running {
            await service.pause()
            clock.advance(by: .seconds(60))
            #expect(service["color"] == "red")
            await service.resume()
            #expect(service["color"] == "green")
        }
    }

    @Test(arguments: ["another type", "unknown variant", "unknown operator"])
    func aRuleThatCannotServeIsReportedOnce(_ fault: String) async throws {
        let rule: EntryValue =
            switch fault {
            case "another type": ["variants": ["on": "many"], "targeting": ["if": [true, "on"]]]
            case "unknown variant": ["variants": ["on": 1], "targeting": ["var": "id"]]
            default: ["variants": ["on": 1], "targeting": ["twist": [1]]]
            }
        let source = source(["n": 3], ["n": rule])
        let service = RemoteConfigService(source: source, notificationCenter: nil, clock: clock)
        try await service.refresh()
        func value(of user: Int) -> Int {
            let context = EvaluationContext(targetingKey: "\(user)", ["id": .string("id-\(user)")])
            return service.values(for: context).value(forKey: "n", default: 7)
        }
        for user in 0..<100 { #expect(value(of: user) == (fault == "another type" ? 7 : 3)) }
        let problem = try #require(service.state.problems.first)
        #expect(service.state.problems.count == 1 && problem.key == "n")
        if fault != "another type" {
            #expect(service.state.current.ruleProblem(forKey: "n")?.code == .invalidRule)
            #expect(service.state.current.explanation(forKey: "n", for: user)?.evaluation.reason == .error)
        }
        await source.publish(["n": 3], rules: ["n": nil])
        try await clock.passing { _ = try await service.refresh() }
        #expect(service.state.problems.isEmpty)
    }

    @Test func anExposureIsWhatTheProgramReceived() async throws {
        let rule: EntryValue = ["variants": ["on": "many"], "targeting": ["if": [true, "on"]]]
        let source = source(["n": "none"], ["n": rule])
        for context in [user, nil] {
            let service = RemoteConfigService(source: source, context: context, notificationCenter: nil, clock: clock)
            try await service.refresh()
            var exposures = service.exposures().makeAsyncIterator()
            let values: any ValueReading = context == nil ? service.values(for: user) : service
            #expect(values.value(forKey: "n", default: 7) == 7)
            let first = await exposures.next(isolation: #isolation)
            #expect(first?.variant == nil && first?.reason == .error)
            #expect(values.value(forKey: "n", default: "") == "many")
            let second = await exposures.next(isolation: #isolation)
            #expect(second?.variant == "on" && second?.reason == .targetingMatch)
        }
    }

    /// A poll that changes nothing for others does not notify them.
    @Test func unchangedSnapshotsOfOthersAreNotRepeated() async throws {
        let personal = PersonalSource()
        let service = RemoteConfigService(
            source: LayeredSource([personal, TestSource(["other": 1])]),
            context: EvaluationContext("user-0"),
            notificationCenter: nil
        )
        try await service.refresh()
        let provider = RemoteConfigProvider(service: service)
        try await EvaluationContext.$current.withValue(EvaluationContext("user-1")) {
            try await provider.watchSnapshot { snapshots in
                let count = Atomic(0)
                let reading = Task.immediate {
                    for await _ in snapshots { count.add(1, ordering: .relaxed) }
                }
                for _ in 0..<5 {
                    personal.publish()
                    _ = await service.refreshOutcome()
                }
                reading.cancel()
                await reading.value
                #expect(count.load(ordering: .relaxed) <= 1)
            }
        }
    }
}
