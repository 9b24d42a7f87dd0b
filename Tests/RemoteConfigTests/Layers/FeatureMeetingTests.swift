// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Configuration
import InMemoryLogging
import Logging
import RemoteConfigTesting
import TestSupport
import Testing

@testable import RemoteConfig

/// Exposures, explanations, reports and watchers, combined with layers, objects, evaluators and the time.
@Suite(.timeLimit(.minutes(5)))
struct FeatureMeetingTests {
    private let clock = TestClock()
    private let user = EvaluationContext(targetingKey: "u", ["plan": "pro"])
    private let logging = InMemoryLogHandler()
    private static let isPro: EntryValue = ["==": [["var": "plan"], "pro"]]

    private static func rule(_ value: EntryValue, if condition: EntryValue = isPro) -> EntryValue {
        ["variants": ["on": value], "targeting": ["if": [condition, "on", .null]]]
    }

    private func source(
        _ values: [String: EntryValue],
        _ rules: [String: EntryValue] = [:],
        name: String = "source"
    ) -> TestSource {
        TestSource(values, rules: rules, isExact: true, name: name, clock: clock)
    }

    private func service(
        _ sources: TestSource...,
        context: EvaluationContext? = nil,
        activation: ActivationPolicy = .immediate
    ) async throws -> RemoteConfigService {
        let source: any ConfigSource = sources.count == 1 ? sources[0] : LayeredSource(sources)
        let logger = Logger(label: "test") { _ in logging }
        var settings = ServiceSettings()
        (settings.context, settings.activation, settings.clock) = (context, activation, clock)
        (settings.notificationCenter, settings.logger, settings.now) = (nil, logger, { [clock] in clock.date })
        func open(_ source: some ConfigSource) -> RemoteConfigService { RemoteConfigService(source: source, settings) }
        let service = open(source)
        try await service.refresh()
        if activation != .immediate { await service.activate() }
        return service
    }

    private func refresh(_ service: RemoteConfigService) async throws {
        clock.advance(by: .seconds(2))
        try await clock.passing { _ = try await service.refresh() }
    }

    private func moment(in seconds: Int) -> EntryValue { .integer(clock.date.seconds + seconds) }

    private func until(_ seconds: Int) -> EntryValue { ["<": [["var": "$flagd.timestamp"], moment(in: seconds)]] }

    /// The variants of the exposures of what a closure reads.
    private func exposed(in service: RemoteConfigService, _ read: () throws -> Void) async rethrows -> [String] {
        let exposures = service.exposures()
        try read()
        // It is not exposed before the others.
        _ = service.value(forKey: "end", default: 0)
        var variants: [String] = []
        for await exposure in exposures {
            if exposure.key == "end" { break }
            variants.append("\(exposure.key) \(exposure.variant ?? "none")")
        }
        return variants
    }

    private static let end = ["end": rule(1)]

    /// An equal rule of another layer refers to other evaluators.
    @Test func aRuleThatUncoversAnEqualOneIsStaged() async throws {
        func layer(_ plan: EntryValue) -> [String: EntryValue] {
            [
                "k": ["variants": ["a": 1, "b": 2], "targeting": ["if": [["$ref": "beta"], "a", "b"]]],
                "$evaluators": ["beta": ["==": [["var": "plan"], plan]]],
            ]
        }
        let upper = source(["k": 0], layer("pro"), name: "upper")
        let lower = source(["k": 0], layer("free"), name: "lower")
        let service = try await service(upper, lower, activation: .onDemand)
        #expect(service.values(for: user)["k"] == 1)
        await upper.publish(["k": nil], rules: ["k": nil])
        try await refresh(service)
        #expect(service.values(for: user)["k"] == 1)
        await service.activate()
        #expect(service.values(for: user)["k"] == 2)
    }

    /// It serves the key, so that the rule below it is neither exposed nor explained, and its error is not reported.
    @Test func anObjectHidesTheRuleOfAMemberBelowIt() async throws {
        for condition in [Self.isPro, ["var": "plan"]] as [EntryValue] {
            let targeting: EntryValue = condition == Self.isPro ? ["if": [condition, "on"]] : condition
            let rule: EntryValue = ["variants": ["on": 9], "targeting": targeting]
            let lower = source(["a.b": 1, "end": 0], ["a.b": rule].merging(Self.end) { $1 }, name: "lower")
            let service = try await service(source(["a": ["b": 5]], name: "upper"), lower, context: user)
            let variants = try await exposed(in: service) {
                #expect(service["a.b"] == 5 && service.value(forKey: "a.b", default: 0) == 5)
                let object: [String: Int]? = try service.value(forKey: "a")
                #expect(object == ["b": 5])
            }
            #expect(variants == [])
            #expect(service.state.current.explanation(forKey: "a.b") == nil && service.state.problems.isEmpty)
        }
    }

    /// A value that an object hides is missing for readers of objects, and hides nothing itself.
    @Test func aPlainValueBetweenObjectsHidesNone() async throws {
        let service = try await service(
            source(["a": ["c": 1]], name: "upper"),
            source(["a": 5], name: "middle"),
            source(["a.b": 2, "end": 0], ["a.b": Self.rule(9)].merging(Self.end) { $1 }, name: "lower"),
            context: user
        )
        let variants = try await exposed(in: service) {
            #expect(service["a"] == ["b": 9, "c": 1] && service["a.b"] == 9)
            let object: [String: Int]? = try service.value(forKey: "a")
            #expect(object == ["b": 9, "c": 1])
        }
        #expect(variants == ["a.b on"])
        #expect(service.state.problems.isEmpty)
    }

    @Test func aPlainMemberHidesTheRulesBelowIt() async throws {
        let lower = source(["a.b.c": 1, "end": 0], ["a.b.c": Self.rule(2)].merging(Self.end) { $1 }, name: "lower")
        let service = try await service(source(["a": ["b": 5]], name: "upper"), lower, context: user)
        let variants = try await exposed(in: service) {
            let object: [String: Int]? = try service.value(forKey: "a")
            #expect(object == ["b": 5])
        }
        #expect(variants == [])
    }

    /// A rule that fails is not reported while an object hides it.
    @Test func anObjectThatGoesUncoversTheProblemOfARule() async throws {
        let upper = source(["a": ["b": 5], "other": 1], name: "upper")
        let rule: EntryValue = ["variants": ["on": 9], "targeting": "none of them"]
        let lower = source(["a.b": 1], ["a.b": rule], name: "lower")
        let service = try await service(upper, lower, context: user)
        #expect(service["a.b"] == 5 && service.state.problems.isEmpty)
        await upper.remove("a")
        try await refresh(service)
        #expect(service["a.b"] == 1 && service.state.problems.map(\.key) == ["a.b"])
    }

    /// Also a part that is empty.
    @Test func eachPartOfAnObjectIsExposedWithItsLayer() async throws {
        func rule(_ value: EntryValue) -> EntryValue {
            ["variants": ["on": value, "off": [:]], "targeting": ["if": [Self.isPro, "on", "off"]]]
        }
        let values: [String: EntryValue] = ["end": 0]
        let lower = source(
            values.merging(["a": ["b": 1], "c.d": ["y": 1], "e.f": 1, "e": [:]]) { $1 },
            ["a": rule(["b": 9]), "c.d": rule(["y": 9]), "e": rule([:])].merging(Self.end) { $1 },
            name: "lower"
        )
        let middle = source(["c.d": 5], ["c.d": Self.rule(6)], name: "middle")
        let upper = source(["a": ["c": 1], "c": ["d": ["x": 1]]], name: "upper")
        let service = try await service(upper, middle, lower, context: user)
        let variants = try await exposed(in: service) {
            let a: [String: Int]? = try service.value(forKey: "a")
            let c: [String: [String: Int]]? = try service.value(forKey: "c")
            let e: [String: Int]? = try service.value(forKey: "e")
            #expect(a == ["b": 9, "c": 1] && c == ["d": ["x": 1, "y": 9]] && e == ["f": 1])
        }
        #expect(variants == ["a on", "c.d on", "e on"])
    }

    /// The rule of an object above a key, whichever way the key is read.
    @Test func aMemberExposesTheRuleOfItsObject() async throws {
        let upper = source(["a": ["b": 1]], ["a": Self.rule(["b": 5])], name: "upper")
        let lower = source(["a.b": 2, "end": 0], Self.end, name: "lower")
        let reads: [(RemoteConfigService) -> EntryValue?] = [
            { .integer($0.value(forKey: "a.b", default: 0)) }, { $0["a.b"] },
            { ConfigReader(provider: RemoteConfigProvider(service: $0)).int(forKey: "a.b").map { .integer($0) } },
        ]
        for read in reads {
            let service = try await service(upper, lower, context: user)
            let variants = await exposed(in: service) { #expect(read(service) == 5) }
            #expect(variants == ["a on"])
        }
    }

    /// A sequence of snapshots reads no key by itself.
    @Test func watchingASnapshotExposesNothing() async throws {
        let rules = ["sale": Self.rule(1, if: until(60))].merging(Self.end) { $1 }
        let service = try await service(source(["sale": 2, "end": 0], rules), context: user)
        let provider = RemoteConfigProvider(service: service)
        let other = EvaluationContext(targetingKey: "v")
        let exposures = service.exposures()
        try await EvaluationContext.$current.withValue(other) {
            try await ConfigReader(provider: provider).watchSnapshot { updates in
                var updates = updates.makeAsyncIterator()
                _ = await updates.next(isolation: #isolation)
            }
        }
        _ = service.value(forKey: "end", default: 0)
        for await exposure in exposures {
            #expect(exposure.key == "end")
            break
        }
    }

    @Test func layersWithRulesForOneKeyAreExposedEach() async throws {
        let upper = source(["k": "text", "end": 0], ["k": Self.rule("many")].merging(Self.end) { $1 }, name: "upper")
        let service = try await service(upper, source(["k": 1], ["k": Self.rule(2)], name: "lower"), context: user)
        let variants = await exposed(in: service) {
            #expect(service.value(forKey: "k", default: "") == "many" && service.value(forKey: "k", default: 0) == 2)
        }
        #expect(variants == ["k on", "k on"])
    }

    /// The program cannot use the text of a variant of another type.
    @Test func aReaderExposesWhatItCanUse() async throws {
        let source = source(["k": "text", "end": 0], ["k": Self.rule("many")].merging(Self.end) { $1 })
        let service = try await service(source, context: user)
        let reader = ConfigReader(provider: RemoteConfigProvider(service: service))
        let ofInt = await exposed(in: service) { #expect(reader.value(forKey: "k", default: 7) == 7) }
        #expect(ofInt == ["k none"])
        let ofString = await exposed(in: service) { #expect(reader.value(forKey: "k", default: "") == "many") }
        #expect(ofString == ["k on"])
    }

    @Test func anObjectExposesTheRulesOfItsMembers() async throws {
        let source = source(["a.b": 1, "end": 0], ["a.b": Self.rule(2)].merging(Self.end) { $1 })
        let service = try await service(source, context: user)
        let variants = await exposed(in: service) { #expect(service["a"] == nil && service.state.current["a.b"] == 2) }
        #expect(variants == ["a.b on"])
        await source.publish(["a": ["c": 1]])
        try await refresh(service)
        let ofObject = await exposed(in: service) { #expect(service["a"] == ["b": 2, "c": 1]) }
        #expect(ofObject == ["a.b on"])
    }

    /// Because evaluators changed, and because time has passed.
    @Test func anotherVariantOfAnUnchangedRuleIsExposed() async throws {
        let rules: [String: EntryValue] = [
            "k": Self.rule(1, if: ["$ref": "beta"]), "t": Self.rule(1, if: until(60)),
            "$evaluators": ["beta": Self.isPro],
        ]
        let source = source(["k": 2, "t": 2, "end": 0], rules.merging(Self.end) { $1 })
        let service = try await service(source, context: user)
        var exposures = service.exposures().makeAsyncIterator()
        func next(_ key: String, _ value: Int) async -> String? {
            #expect(service.value(forKey: key, default: 0) == value)
            return await exposures.next(isolation: #isolation)?.variant
        }
        #expect(await next("k", 1) == "on")
        #expect(await next("t", 1) == "on")
        await source.publish(rules: ["$evaluators": ["beta": false]])
        try await refresh(service)
        #expect(await next("k", 2) == nil)
        clock.advance(by: .seconds(120))
        try await refresh(service)
        #expect(await next("t", 2) == nil)
    }

    /// Without a run, a refresh lets the time pass, and the explanation is that of the value.
    @Test func aRefreshedServiceFollowsTheTime() async throws {
        let odd: EntryValue = ["==": [["%": [["var": "$flagd.timestamp"], 2]], 1]]
        let source = source(["t": 2, "odd": 0], ["t": Self.rule(1, if: until(60)), "odd": Self.rule(1, if: odd)])
        let service = try await service(source, context: user)
        #expect(service["t"] == 1)
        for second in 0..<6 {
            clock.advance(by: .seconds(1))
            await source.publish(["other": .integer(second)])
            try await refresh(service)
            let evaluation = service.state.current.explanation(forKey: "odd")?.evaluation
            #expect(evaluation?.value == service["odd"] || evaluation?.value == nil && service["odd"] == 0)
        }
        clock.advance(by: .seconds(60))
        try await refresh(service)
        #expect(service["t"] == 2 && service.values(for: user)["t"] == 2)
    }

    /// A document that is older than the moment that its rule names.
    @Test func aRuleIsEvaluatedAtTheTimeOfReading() async throws {
        var read = ScriptedSource()
        let document = try ConfigDocument(entries: ["t": 2], rules: ["t": Self.rule(1, if: until(-60))])
        let modified = Timestamp(milliseconds: clock.date.milliseconds - 3_600_000)
        read.reading = { _ throws(ConfigModel.ConfigError) in SourceReading(.document(document), modifiedAt: modified) }
        let service = RemoteConfigService(source: read, context: user, notificationCenter: nil, clock: clock)
        try await service.refresh()
        #expect(service["t"] == 2)
    }

    /// A reader of an object of another type passes over the upper layer.
    @Test func aValueBelowAnEqualOneMakesAnotherState() throws {
        func layer(_ values: KeyValuePairs<String, EntryValue>) throws -> EntryLayer {
            let document = try ConfigDocument(values: values)
            return EntrySnapshot.empty.updated(with: document, from: "layer", at: clock.date).snapshot.layers[0]
        }
        let upper = try layer(["k": 1, "m": "text"])
        let former = EntrySnapshot(layers: [upper, try layer(["k": 1])])
        #expect(EntrySnapshot(layers: [upper, EntryLayer()]).numbered(after: former).revision == former.revision + 1)
        let same = EntrySnapshot(layers: [upper, try layer(["k": 1])])
        #expect(same.numbered(after: former).revision == former.revision)
    }

    /// A staged value over an equal one changes nothing, except for users without the lower one, or where another value of its
    /// layer hides the lower one and is in conflict with it.
    @Test func aValueOverAnEqualOneIsStagedWhereItCounts() throws {
        func layer(_ values: [String: EntryValue], isPersonal: Bool = false) -> EntryLayer {
            var held = ConfigEntries()
            for (key, value) in values { held[key] = ConfigEntry(value: value, source: "s", changedAt: clock.date) }
            return EntryLayer(held, dependsOnContext: isPersonal)
        }
        func isStaged(_ key: String, over lower: EntryLayer, besides others: [String: EntryValue]) -> Bool {
            let shown = EntrySnapshot(layers: [layer(others), lower])
            let fetched = EntrySnapshot(layers: [layer(others.merging([key: 3]) { $1 }), lower])
            let isStaged = fetched.hasOther(key, than: shown)
            #expect(fetched.heldKeys(differingFrom: shown) == (isStaged ? [key] : []))
            return isStaged
        }
        #expect(!isStaged("k", over: layer(["k": 3]), besides: ["m": 1]))
        #expect(isStaged("k", over: layer(["k": 4]), besides: ["m": 1]))
        #expect(isStaged("k", over: layer(["k": 3], isPersonal: true), besides: ["m": 1]))
        #expect(isStaged("k.b", over: layer(["k.b": 3]), besides: ["k": 1]))
    }

    /// In the context of a user, while the program has none.
    @Test func watchersOfAUserFollowTheTime() async throws {
        let source = source(["t": 2], ["t": Self.rule(1, if: ["!": [until(60)]])])
        let service = try await service(source)
        let provider = RemoteConfigProvider(service: service)
        let (values, snapshots) = (Log<Int?>(), Log<Int?>())
        try await service.running {
            let watching = EvaluationContext.$current.withValue(user) {
                let reader = ConfigReader(provider: provider)
                return [
                    Task { try await reader.watchInt(forKey: "t") { for await value in $0 { values.append(value) } } },
                    Task {
                        try await reader.watchSnapshot {
                            for await snapshot in $0 { snapshots.append(snapshot.int(forKey: "t")) }
                        }
                    },
                ]
            }
            try await TestSupport.until("both watch") { !values.entries.isEmpty && !snapshots.entries.isEmpty }
            clock.advance(by: .seconds(61))
            try await TestSupport.until("both have the new value") {
                values.entries == [2, 1] && snapshots.entries == [2, 1]
            }
            for task in watching { task.cancel() }
        }
    }

    @Test func everyWatcherReportsAValueOfAnotherType() async throws {
        for isSnapshot in [false, true] {
            let service = try await service(source(["k": "pink"]))
            let reader = ConfigReader(provider: RemoteConfigProvider(service: service))
            if isSnapshot {
                #expect(reader.snapshot().int(forKey: "k") == nil)
            } else {
                try await reader.watchInt(forKey: "k") {
                    var values = $0.makeAsyncIterator()
                    #expect(await values.next(isolation: #isolation) == .some(nil))
                }
            }
            #expect(service.state.problems.map(\.key) == ["k"])
        }
    }

    /// Many reports leave room for others, and a problem ends with its value.
    @Test func manyProblemsLeaveRoomForOthers() async throws {
        let keys = (0..<10_000).map { "k\($0)" }
        let source = source(Dictionary(uniqueKeysWithValues: keys.map { ($0, "pink") }))
        let service = try await service(source)
        for key in keys {
            _ = service.value(forKey: key, default: 0)
            _ = service["user \(key)"]
        }
        #expect(service.state.problems.count > 5_000)
        await source.publish(Dictionary(uniqueKeysWithValues: keys.map { ($0, EntryValue?.none) }))
        await source.publish(["k": "pink"])
        try await refresh(service)
        _ = service.value(forKey: "k", default: 0)
        let problems = service.state.problems
        #expect(problems.filter { $0.code != .invalidKey }.map(\.key) == ["k"])
        #expect(problems.count { $0.code == .invalidKey } == 100)
    }

    /// Whose values differ, with one rule for all and one value of another type.
    @Test func aProblemIsReportedOnceForAllUsers() async throws {
        let rule: EntryValue = ["variants": ["on": 1], "targeting": ["var": "targetingKey"]]
        let source = source(["k": 0, "a.y": "pink"], ["k": rule], name: "lower")
        let service = RemoteConfigService(
            source: LayeredSource([PersonalSource(), source]),
            context: user,
            notificationCenter: nil,
            logger: Logger(label: "test") { _ in logging },
            clock: clock
        )
        try await service.refresh()
        for number in 0..<5 {
            let values = service.values(for: EvaluationContext(targetingKey: "user-\(number)"))
            #expect(values.value(forKey: "k", default: 7) == 0)
            #expect(values.value(forKey: "a.y", default: 7) == 7 && service.value(forKey: "a.y", default: 7) == 7)
        }
        await service.setContext(EvaluationContext(targetingKey: "v"))
        #expect(service.state.problems.map(\.key).sorted { ($0 ?? "") < ($1 ?? "") } == ["a.y", "k"])
        let lines = logging.entries.map { "\($0.message)" }
        for line in ["cannot evaluate a rule", "type mismatch of a value"] {
            #expect(lines.count { $0 == line } == 1, "\(line)")
        }
    }

    @Test func refusalOfAnOfflineProgramNeedsNoTime() async throws {
        let service = try await service(source(["k": 1]))
        await service.setOffline(true)
        for timeout in [Duration.zero, .seconds(60)] {
            await #expect { try await service.refresh(timeout: timeout) } throws: {
                ($0 as? ConfigModel.ConfigError)?.code == .offline
            }
        }
        let other = RemoteConfigService(source: source([:]), isOffline: true, notificationCenter: nil, clock: clock)
        await #expect { try await other.waitUntilReady(timeout: .zero) } throws: {
            ($0 as? ConfigModel.ConfigError)?.code == .offline
        }
    }

    /// The part of the topmost layer, and not a lower one with the longer key.
    @Test func anErrorNamesTheTopmostPart() async throws {
        let upper = source(["q": ["n": 2.5]], name: "upper")
        let service = try await service(upper, source(["q.n": "x"], name: "lower"))
        let error = #expect(throws: ConfigModel.ConfigError.self) {
            try service.value(forKey: "q", as: [String: Int].self)
        }
        #expect(error?.source == "upper" && error?.key == "q" && error?.message.hasPrefix("at n: ") == true)
    }

    /// A layer with very many members of another type counts as missing at last.
    @Test(arguments: [10, 2_000]) func manyMembersOfAnotherTypeAreSkipped(count: Int) async throws {
        let names = (0..<count).map { "m\($0)" }
        let upper = Dictionary(uniqueKeysWithValues: names.map { ("d.\($0)", EntryValue.string("x")) })
        let lower = Dictionary(uniqueKeysWithValues: names.map { ("d.\($0)", EntryValue.integer(1)) })
        let service = try await service(
            source(upper.merging(["d.good": 5]) { $1 }, name: "upper"),
            source(lower.merging(["d.good": 1]) { $1 }, name: "lower")
        )
        let read = try service.value(forKey: "d", as: [String: Int].self)
        #expect(read?.count == count + 1 && read?["m1"] == 1 && read?["good"] == (count == 10 ? 5 : 1))
    }
}
