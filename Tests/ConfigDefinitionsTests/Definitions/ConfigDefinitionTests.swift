// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Configuration
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
        struct Doubled: ConfigLink {
            let number: Int
            var name: String { "doubled" }
            func answer(from inputs: LinkInputs) -> Override<Int> { number > 0 ? .value(number * 2) : .noOverride }
        }
        let definition = ConfigDefinition("n", default: 1)
        #expect(definition.link(Doubled(number: 4)).value(from: .empty()) == 8)
        #expect(definition.link(Doubled(number: 0)).value(from: .empty()) == 1)
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

    @Test func theKeyMayBeScoped() {
        let reader = ConfigReader(provider: InMemoryProvider(values: ["app.title": "Dogs"])).scoped(to: "app")
        let definition = ConfigDefinition("title", default: "").remote("title", in: ObservedReader(reader))
        #expect(definition.value(from: .empty()) == "Dogs")
    }
}
