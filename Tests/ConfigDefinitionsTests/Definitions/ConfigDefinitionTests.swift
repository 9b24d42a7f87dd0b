// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import ConfigRules
import Configuration
import TestSupport
import Testing

struct ConfigDefinitionTests {
    @Test func aDefinitionIsAValueThatLinksDoNotChange() {
        let definition = ConfigDefinition("n", default: 0, remote: nil)
        let longer = definition.static(1)
        #expect(definition.links.isEmpty)
        #expect(longer.links.count == 1)
        #expect(definition.value(from: .empty()) == 0)
    }

    @Test func idIsTheRemoteKeyUnlessAnotherIsNamed() {
        let inputs = LinkInputs.remote(InMemoryProvider(values: ["n": 1, "other": 2]))
        let definition = ConfigDefinition("n", default: 0)
        #expect(definition.value(from: inputs) == 1)
        #expect(definition.remote("other").value(from: inputs) == 2)
        #expect(definition.remote("none").value(from: inputs) == 0, "the id is no key any more")
        #expect(definition.when(.platform(.linux), return: 5).remote("none").links.count == 2)
        #expect(ConfigDefinition("m", default: 0, remote: "other").value(from: inputs) == 2)
        #expect(ConfigDefinition("n", default: 0, remote: nil).value(from: inputs) == 0)
        #expect(ConfigDefinition("not a key!", default: 0).links.isEmpty)
        #expect(ConfigDefinition("n", default: 0).lastGood().remote("none").value(from: inputs) == 1)
    }

    @Test func storedReadsThePluggableStore() throws {
        let (common, own) = (MemoryStore(["n": .integer(1)]), MemoryStore(["n": .integer(2)]))
        let inputs = LinkInputs.empty(store: common)
        #expect(ConfigDefinition("n", default: 0).stored(key: "n").value(from: inputs) == 1)
        #expect(ConfigDefinition("n", default: 0).stored(key: "n", in: own).value(from: inputs) == 2)
    }

    @Test func aMissingSourceOverridesNothing() {
        let definition = ConfigDefinition("n", default: 5).stored(key: "n").remote("n").environment("n")
            .tweak(category: "A", section: "B", name: "C")
        #expect(definition.value(from: .empty()) == 5)
    }

    @Test func customLinksApply() {
        let number = Box(0)
        let definition = ConfigDefinition<Int?>("n", default: 1, remote: nil).static(2)
            .dynamic("number") { () throws(ConfigError) -> Int?? in
                if number.value > 9 { throw ConfigError(.typeMismatch, "\(number.value) is too much") }
                if number.value == 0 { return nil }
                if number.value < 0 { return .some(nil) }
                return number.value
            }
            .lastGood()
        #expect(definition.value(from: .empty()) == 2)
        number.value = 4
        #expect(definition.value(from: .empty()) == 4)
        number.value = 10
        #expect(definition.value(from: .empty()) == 4)
        #expect(definition.explain(from: .empty()).problems.map(\.message) == ["10 is too much"])
        number.value = -1
        #expect(definition.value(from: .empty()) == nil)
        number.value = 0
        #expect(definition.value(from: .empty()) == 2)
        func value(for user: String) -> Int? {
            EvaluationContext.$current.withValue(EvaluationContext(targetingKey: user)) {
                definition.value(from: .empty())
            }
        }
        number.value = 5
        #expect(value(for: "ann") == 5)
        number.value = 10
        #expect(value(for: "ann") == 5 && value(for: "bob") == 2)
    }

    // MARK: No override, and an override by nil

    @Test func anAbsentOptionalDoesNotOverrideTheLinksBelow() {
        var inputs = LinkInputs.remote(InMemoryProvider(values: [:]))
        inputs.store = MemoryStore()
        inputs.tweaks = TweakRepository()
        inputs.environment = .environment([:])
        let definition = ConfigDefinition<Int?>("n", default: 1).static(2)
        #expect(definition.stored(key: "n").value(from: inputs) == 2)
        #expect(definition.remote("n").value(from: inputs) == 2)
        #expect(definition.environment("n").value(from: inputs) == 2)
        #expect(definition.tweak(category: "A", section: "B", name: "C").value(from: inputs) == 2)
    }

    // MARK: Providers of other forms

    /// An environment variable has only texts, and the provider splits them at commas.
    @Test func anArrayInAnEnvironmentVariableMayBeJSON() {
        var inputs = LinkInputs.empty()
        inputs.environment = .environment(["APP_NAMES": #"["a,b","c\n"]"#, "APP_WORDS": "a,b", "APP_COUNTS": "[1, 2]"])
        let names = ConfigDefinition("names", default: [String]()).environment("app.names")
        #expect(names.value(from: inputs) == ["a,b", "c\n"])
        let words = ConfigDefinition("words", default: [String]()).environment("app.words")
        #expect(words.value(from: inputs) == ["a", "b"])
        let counts = ConfigDefinition("counts", default: [Int]()).environment("app.counts")
        #expect(counts.value(from: inputs) == [1, 2])
    }

    @Test func objectsMayComeFromElsewhere() {
        let reader = ConfigReader(provider: InMemoryProvider(values: ["n": 1]))
        let config = ConfigRepository(remote: reader, object: { $0 == "sizes" ? ["small": 1] : nil })
        #expect(config[ConfigDefinition("sizes", default: [String: Int]())] == ["small": 1])
        #expect(config[ConfigDefinition("n", default: 0)] == 1)
    }

    @Test func theKeyMayBeScoped() {
        let reader = ConfigReader(provider: InMemoryProvider(values: ["app.title": "Dogs"])).scoped(to: "app")
        let definition = ConfigDefinition("title", default: "").remote("title", in: reader)
        #expect(definition.value(from: .empty()) == "Dogs")
    }
}
