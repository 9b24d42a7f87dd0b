// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import ConfigRules
import Configuration
import Observing
import RemoteConfig
import RemoteConfigTesting
import TestSupport
import Testing

/// Objects read through a configuration reader, which has no getter for them.
@Suite(.timeLimit(.minutes(5)))
struct ObjectReadingTests {
    struct Menu: Codable, Equatable {
        var title: String
        var prices: [String: Double]
    }

    private static let values: [String: EntryValue] = ["app.menu": ["title": "Lunch", "prices": ["pie": 2.5]]]

    @Test(arguments: [false, true]) func changesOfObjectsAreFollowed(isExact: Bool) async throws {
        let source = TestSource(Self.values, isExact: isExact)
        let service = RemoteConfigService(source: source)
        try await service.running {
            let menu = ConfigDefinition("app.menu", default: Menu(title: "", prices: [:])).remote("app.menu")
            let repository = ConfigRepository(inputs: .remote(RemoteConfigProvider(service: service)))
            repository.add(menu)
            let seen = Log<String>()
            let subscription = repository.listen(to: menu) { seen.append($0.title) }
            await source.publish(["app.menu": ["title": "Dinner", "prices": ["soup": 4]]])
            try await until("the change is seen") { seen.entries.last == "Dinner" }
            withExtendedLifetime(subscription) {}
        }
    }

    /// It is served by a lower layer, whose object has it as a member.
    @Test func aMemberBelowAValueOfAnotherTypeIsFollowed() async throws {
        let upper = TestSource(["a.b": "#zzz"], isExact: true, name: "upper")
        let lower = TestSource(["a": ["b": "#112233"]], isExact: true, name: "lower")
        let service = RemoteConfigService(source: LayeredSource([upper, lower]), notificationCenter: nil)
        try await service.running {
            let color = ConfigDefinition("a.b", default: RGBColor(0))
            let repository = ConfigRepository(inputs: .remote(RemoteConfigProvider(service: service)))
            repository.add(color)
            try await until("the lower layer serves it") { repository[color] == "#112233" }
            let seen = Log<RGBColor>()
            let subscription = repository.listen(to: color, seen.append)
            await lower.publish(["a": ["b": "#445566"]])
            try await until("the change is seen") { seen.entries.last == "#445566" }
            subscription.end()
        }
    }

    /// Whichever getter would have it, and also as the text of an array.
    @Test func theTopmostLayerWithAnArrayOfTheTypeCounts() async throws {
        let upper = TestSource(
            ["texts": ["a"], "numbers": [1, 2], "mixed": [1, "s"], "text": "[8]"],
            isExact: true,
            name: "upper"
        )
        let lower = TestSource(
            ["texts": ["b"], "numbers": "[7]", "mixed": [3], "text": [9]],
            isExact: true,
            name: "lower"
        )
        let service = RemoteConfigService(source: LayeredSource([upper, lower]), notificationCenter: nil)
        try await service.refresh()
        let inputs = LinkInputs.remote(RemoteConfigProvider(service: service))
        #expect(ConfigDefinition("texts", default: [""]).value(from: inputs) == ["a"])
        let found = ["numbers", "mixed", "text"].map { ConfigDefinition($0, default: [0]).value(from: inputs) }
        #expect(found == [[1, 2], [3], [8]])
        #expect(service.state.problems.map(\.key) == ["mixed"])
    }

    /// An object is not a text, also where it is not the topmost value of its key.
    @Test func aTextBelowAnObjectBelowAnotherValueCounts() async throws {
        let documents: [[String: EntryValue]] = [["text": ["x"]], ["text": ["b": 1]], ["text": "lower"]]
        let layers = documents.enumerated().map { TestSource($1, isExact: true, name: "layer \($0)") }
        let service = RemoteConfigService(source: LayeredSource(layers), notificationCenter: nil)
        try await service.refresh()
        #expect(
            ConfigDefinition("text", default: "").value(from: .remote(RemoteConfigProvider(service: service)))
                == "lower"
        )
    }

    private static func rule(_ value: EntryValue) -> EntryValue {
        ["variants": ["on": value], "defaultVariant": "on"]
    }

    /// The variants up to that of the key `end`.
    private static func variants(_ exposures: some AsyncSequence<Exposure, Never>) async -> [String] {
        var found: [String] = []
        for await exposure in exposures {
            found.append("\(exposure.key) \(exposure.variant ?? "none")")
            if exposure.key == "end" { break }
        }
        return found
    }

    /// An array is the value of one key: those below it are no problem, and the rule of another type is not exposed as served.
    @Test func definitionsReportAndExposeWhatTheyRead() async throws {
        let user = EvaluationContext(targetingKey: "u")
        let source = TestSource(
            ["words.count": 3, "menu": 1, "size": 1, "end": 0],
            rules: ["words.count": Self.rule(4), "menu": Self.rule(5), "size": Self.rule(50), "end": Self.rule(1)],
            isExact: true
        )
        let service = RemoteConfigService(source: source, context: user, notificationCenter: nil)
        try await service.refresh()
        let inputs = LinkInputs.remote(RemoteConfigProvider(service: service))
        let exposures = service.exposures()
        #expect(ConfigDefinition("words", default: [""]).value(from: inputs) == [""])
        #expect(service.state.problems.isEmpty)
        let menu = Menu(title: "", prices: [:])
        #expect(ConfigDefinition("menu", default: menu).value(from: inputs) == menu)
        #expect(ConfigDefinition("size", default: 1).limited(to: 0...10).value(from: inputs) == 1)
        #expect(ConfigDefinition("end", default: 0).value(from: inputs) == 1)
        #expect(await Self.variants(exposures) == ["menu none", "size none", "end on"])
    }

    /// A definition of a string takes no object, so that the rule of one chose nothing for it.
    @Test func aStringBelowAnObjectExposesNoVariantOfIt() async throws {
        let rules = ["t": Self.rule(["x": 2]), "n": Self.rule("two"), "end": Self.rule(1)]
        let upper = TestSource(["t": ["x": 1], "n": "one", "end": 0], rules: rules, isExact: true)
        let lower = TestSource(["t": "hi", "n": 5], isExact: true, name: "lower")
        let service = RemoteConfigService(
            source: LayeredSource([upper, lower]),
            context: EvaluationContext(targetingKey: "u"),
            notificationCenter: nil
        )
        try await service.refresh()
        let inputs = LinkInputs.remote(RemoteConfigProvider(service: service))
        let exposures = service.exposures()
        #expect(ConfigDefinition("t", default: "d").value(from: inputs) == "hi")
        #expect(ConfigDefinition("n", default: 0).value(from: inputs) == 5)
        for key in ["t", "n"] { await lower.remove(key) }
        try await service.refresh()
        #expect(ConfigDefinition("t", default: "d").value(from: inputs) == "d")
        #expect(ConfigDefinition("n", default: 0).value(from: inputs) == 0)
        #expect(ConfigDefinition("end", default: 0).value(from: inputs) == 1)
        #expect(await Self.variants(exposures) == ["t none", "n none", "end on"])
    }

    /// Also the question whether there is a text, which may be that of an object.
    @Test func aSnapshotOfInputsStaysAsItIs() async throws {
        let upper = TestSource(["t": ["x": 1]], isExact: true, name: "upper")
        let lower = TestSource(["t": "hi"], isExact: true, name: "lower")
        let service = RemoteConfigService(source: LayeredSource([upper, lower]), notificationCenter: nil)
        try await service.refresh()
        let snapshot = LinkInputs.remote(RemoteConfigProvider(service: service)).snapshot()
        let definition = ConfigDefinition("t", default: "d")
        #expect(definition.value(from: snapshot) == "hi")
        for source in [upper, lower] { await source.remove("t") }
        try await service.refresh()
        #expect(service["t"] == nil && definition.value(from: snapshot) == "hi")
    }

    /// The topmost value stays, and is outside the limit.
    @Test func listenersReceiveAValueOfALowerLayerWithinTheLimit() async throws {
        let (upper, lower) = (TestSource(["size": 500], name: "upper"), TestSource(["size": 5], name: "lower"))
        let service = RemoteConfigService(source: LayeredSource([upper, lower]), notificationCenter: nil)
        try await service.running {
            let repository = ConfigRepository(inputs: .remote(RemoteConfigProvider(service: service)))
            let size = ConfigDefinition("size", default: 1).limited(to: 0...10)
            repository.add(size)
            try await until("the lower layer serves it") { repository[size] == 5 }
            let seen = Log<Int>()
            let subscription = repository.listen(to: size, seen.append)
            await lower.publish(["size": 6])
            try await until("the listener has the change") { seen.entries.last == 6 }
            subscription.end()
        }
    }

    @Test func anObjectWithASecretIsOne() throws {
        for isExact in [false, true] {
            let state = ConfigState(preview: ["db": ["user": "u", "password": "p"]], isExact: isExact)
            let provider = RemoteConfigProvider(state: state, secrets: ["db", "db.password"])
            let result = try provider.value(forKey: AbsoluteConfigKey(["db"]), type: .bytes)
            #expect(result.value?.isSecret == true)
        }
    }
}
