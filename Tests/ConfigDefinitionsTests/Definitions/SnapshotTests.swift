// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Configuration
import Observing
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)), .ownContexts)
struct SnapshotTests {
    /// `a` has a value, then `b` has one, and at any moment one of them does.
    @Test func linksOfOneSourceAreOfOneMoment() {
        let (store, provider) = (MemoryStore(["a": .integer(1)]), MutableInMemoryProvider(initialValues: ["a": 1]))
        var inputs = LinkInputs.remote(provider)
        inputs.store = store
        let changing = { (change: @escaping @Sendable () -> Void) in
            let interruption = Box<(@Sendable () -> Void)?>(change)
            return InterruptingLink { interruption.change { $0.take() }?() }
        }
        let stored = ConfigDefinition("n", default: 0).stored(key: "a")
            .link(changing { store.apply([("a", nil), ("b", .integer(2))]) })
            .stored(key: "b")
        #expect(stored.value(from: inputs) == 1)
        let remote = ConfigDefinition("n", default: 0).remote("a")
            .link(
                changing {
                    provider.setValue(2, forKey: "b")
                    provider.setValue(nil, forKey: "a")
                }
            )
            .remote("b")
        #expect(remote.value(from: inputs) == 1)
        #expect((stored.value(from: inputs), remote.value(from: inputs)) == (2, 2))
    }

    /// An integer that becomes a decimal between the readings of the two kinds.
    @Test func aReadingOfSeveralKindsIsOfOneMoment() {
        let provider = InterruptedProvider(["n": 7])
        let inputs = LinkInputs.remote(provider)
        let number = ConfigDefinition("n", default: 0.0).remote("n")
        provider.interruption.value = { provider.base.setValue(8.5, forKey: "n") }
        #expect(number.value(from: inputs) == 7)
        #expect(number.value(from: inputs) == 8.5)
    }

    @Test func conditionsOfOneDefinitionAreOfOneMoment() {
        let (isOn, asked) = (Box(true), Log<Bool>())
        let flickering = ConfigCondition("flickering") {
            asked.append(isOn.value)
            return isOn.change { isOn in
                defer { isOn.toggle() }
                return isOn
            }
        }
        let definition = ConfigDefinition("n", default: 0).when(flickering, return: 1).when(!flickering, return: 2)
        #expect(definition.value(from: .empty()) == 1)
        #expect(definition.value(from: .empty()) == 2)
        #expect(asked.entries == [true, false])
        #expect(!(flickering && !flickering).holds(in: Surroundings(facts: ProgramFacts())))
    }

    @Test func severalDefinitionsAreReadFromOneSnapshot() throws {
        let (store, provider) = (MemoryStore(["a": .integer(1)]), MutableInMemoryProvider(initialValues: ["b": 1]))
        let tweaks = TweakRepository(store: MemoryStore(["default/c": .integer(1)]))
        let config = ConfigRepository(
            remote: ConfigReader(provider: provider),
            environment: ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: ["E": "1"])),
            store: store,
            tweaks: tweaks,
            facts: ProgramFacts(colors: 8)
        )
        let definitions = [
            ConfigDefinition("a", default: 0).stored(key: "a"), ConfigDefinition("b", default: 0).remote("b"),
            ConfigDefinition("c", default: 0).tweak(category: "A", section: "B", name: "C"),
            ConfigDefinition("d", default: 0).when(.colors(atLeast: 8), return: 1),
            ConfigDefinition("e", default: 0, remote: nil).environment("e"),
        ]
        config.add(definitions)
        let snapshot = config.snapshot()
        store.apply([("a", .integer(2))])
        provider.setValue(2, forKey: "b")
        try tweaks.tweak(id: "c")?.set(.integer(2))
        config.updateFacts { $0.colors = nil }
        config.add(ConfigDefinition("e", default: 0, remote: nil).static(3))
        #expect(definitions.map { snapshot[$0] } == [1, 1, 1, 1, 1] && snapshot.facts.colors == 8)
        #expect(definitions.map { snapshot.explain($0).value } == ["1", "1", "1", "1", "1"])
        #expect(definitions.map { config[$0] } == [2, 2, 2, 0, 3] && config.facts.colors == nil)
    }

    /// A custom store without a snapshot has the values read first.
    @Test func everyStoreHasASnapshot() {
        let own = OwnStore(["n": .integer(1)])
        let before = own.snapshot()
        #expect(before("n") == .integer(1) && before("m") == nil)
        own.apply([("n", .integer(3)), ("m", .integer(4))])
        #expect(before("n") == .integer(1) && before("m") == nil)
        #expect(own.snapshot()("m") == .integer(4))
    }

    @Test func aReaderThatCannotBeWatchedIsReported() async throws {
        let failure = ConfigModel.ConfigError(.unreachable, "no watching today")
        let provider = InterruptedProvider(["n": 7], watchFailure: failure)
        let config = ConfigRepository(inputs: .remote(provider))
        let number = ConfigDefinition("n", default: 0).remote("n")
        #expect(config[number] == 7 && config.problems == [])
        let subscription = config.listen(to: number) { _ in }
        try await until("the failure") { config.problems.first?.message.contains("no watching today") == true }
        subscription.end()
    }

    @Test func unreadableOverridesAreReported() {
        let store = MemoryStore(["default/app.count": .string("many"), "app.title": .integer(7)])
        var inputs = LinkInputs.remote(InMemoryProvider(values: ["app.on": "maybe"]))
        (inputs.store, inputs.tweaks) = (store, TweakRepository(store: store))
        let count = ConfigDefinition("app.count", default: 3).tweak(category: "A", section: "B", name: "C")
        let title = ConfigDefinition("app.title", default: "Hi").stored(key: "app.title")
        let isOn = ConfigDefinition("app.on", default: false).remote("app.on")
        let config = ConfigRepository(inputs: inputs)
        config.add(count, title, isOn)
        #expect((config[count], config[title], config[isOn]) == (3, "Hi", false))
        let texts = config.problems.map(\.description)
        #expect(texts.count == 3)
        #expect(texts.first?.contains("\"many\"") == true && config.explain(count).problems == [config.problems[0]])
        store.apply([("default/app.count", .integer(4)), ("app.title", nil)])
        #expect(config.problems.map(\.key) == ["app.on"])
    }
}

/// A store with nothing but the requirements of the protocol.
private final class OwnStore: KeyValueStore {
    let name = "own"
    private let memory: MemoryStore

    init(_ values: [String: EntryValue]) { memory = MemoryStore(values) }

    func value(forKey key: String) -> EntryValue? { memory.value(forKey: key) }

    func apply(_ changes: [(key: String, value: EntryValue?)]) { memory.apply(changes) }

    func observe(_ key: String, _ didChange: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        memory.observe(key, didChange)
    }
}

/// A link without an override, which does something when it is asked.
private struct InterruptingLink: ConfigLink {
    let name = "interrupting"
    let interrupt: @Sendable () -> Void

    func answer(from inputs: LinkInputs) -> Override<Int> {
        interrupt()
        return .noOverride
    }
}

/// A provider that does something between the first reading and the next.
private struct InterruptedProvider: ConfigProvider {
    let base: MutableInMemoryProvider
    let interruption = Box<(@Sendable () -> Void)?>(nil)
    let watchFailure: ConfigModel.ConfigError?

    init(_ values: [AbsoluteConfigKey: ConfigValue], watchFailure: ConfigModel.ConfigError? = nil) {
        base = MutableInMemoryProvider(initialValues: values)
        self.watchFailure = watchFailure
    }

    var providerName: String { base.providerName }

    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        defer { interruption.change { $0.take() }?() }
        return try base.value(forKey: key, type: type)
    }

    func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult {
        try value(forKey: key, type: type)
    }

    func watchValue<Return: ~Copyable>(
        forKey key: AbsoluteConfigKey,
        type: ConfigType,
        updatesHandler: (ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>) async throws -> Return
    ) async throws -> Return {
        if let watchFailure { throw watchFailure }
        return try await base.watchValue(forKey: key, type: type, updatesHandler: updatesHandler)
    }

    func snapshot() -> any ConfigSnapshot {
        InterruptedSnapshot(base: base.snapshot(), interruption: interruption)
    }

    func watchSnapshot<Return: ~Copyable>(
        updatesHandler: (ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>) async throws -> Return
    ) async throws -> Return {
        try await base.watchSnapshot(updatesHandler: updatesHandler)
    }
}

private struct InterruptedSnapshot: ConfigSnapshot {
    let base: any ConfigSnapshot
    let interruption: Box<(@Sendable () -> Void)?>

    var providerName: String { base.providerName }

    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        defer { interruption.change { $0.take() }?() }
        return try base.value(forKey: key, type: type)
    }
}
