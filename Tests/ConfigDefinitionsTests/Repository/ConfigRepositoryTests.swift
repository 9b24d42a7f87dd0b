// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import ConfigRules
import Configuration
import Foundation
import Observation
import Observing
import RemoteConfig
import TestSupport
import Testing

struct ConfigRepositoryTests {
    private let store = MemoryStore()
    private let repository: ConfigRepository
    private let number = ConfigDefinition("number", default: 0).stored(key: "number")
    private let flag = ConfigDefinition("flag", default: false).stored(key: "flag")

    init() { repository = ConfigRepository(inputs: .empty(store: store)) }

    @Test func oneOrManyDefinitionsAreAdded() {
        repository.add(number)
        #expect(repository.ids == ["number"])
        repository.add(flag, ConfigDefinition("text", default: ""))
        repository.add((0..<3).map { ConfigDefinition("n\($0)", default: $0) })
        #expect(repository.ids == ["flag", "n0", "n1", "n2", "number", "text"])
    }

    @Test func aDefinitionThatWasAddedUnderTheIdDecides() {
        repository.add(number.static(9))
        #expect(repository[number] == 9)
        #expect(repository[ConfigDefinition("number", default: "another type")] == "another type")
    }

    @Test func isOnAndIsOff() throws {
        #expect(!repository.isOn(flag) && repository.isOff(flag))
        try store.set(true, forKey: "flag")
        #expect(repository.isOn(flag) && !repository.isOff(flag))
    }

    @Test func listenerReceivesDistinctNewValues() throws {
        let recorder = Log<Int>()
        let subscription = repository.listen(to: number, recorder.append)
        for value in [0, 1, 1, 2, 2, 1] { try store.set(value, forKey: "number") }
        try store.set(nil, forKey: "number")
        #expect(recorder.entries == [1, 2, 1, 0])
        subscription.end()
    }

    /// The change is made by the request of a user, whose values are not those of the program.
    @Test func listenersReceiveTheProgramsValues() throws {
        let rule: EntryValue = [
            "variants": ["es": "Hola", "others": "Hello"], "defaultVariant": "others",
            "targeting": ["if": [["==": [["var": "language"], "es"]], "es"]],
        ]
        let state = ConfigState(preview: ["title": "Hi"], rules: ["title": rule], context: EvaluationContext())
        var inputs = LinkInputs.remote(RemoteConfigProvider(state: state))
        inputs.store = store
        let config = ConfigRepository(inputs: inputs)
        let title = ConfigDefinition("title", default: "").remote("title").stored(key: "title")
        let heard = Log<String>()
        try EvaluationContext.$current.withValue(EvaluationContext(["language": "es"])) {
            let subscription = config.listen(to: title, heard.append)
            try store.set("stored", forKey: "title")
            try store.set(nil, forKey: "title")
            #expect(config[title] == "Hola")
            subscription.end()
        }
        #expect(heard.entries == ["stored", "Hello"])
        #expect(config[title] == "Hello")
    }

    /// C's flaw: listeners cannot be removed.
    @Test func endedSubscriptionReceivesNothing() throws {
        let (ended, released, kept) = (Log<Int>(), Log<Int>(), Log<Int>())
        let first = repository.listen(to: number, ended.append)
        var second: ObservationToken? = repository.listen(to: number, released.append)
        let third = repository.listen(to: number, kept.append)
        try store.set(1, forKey: "number")
        first.end()
        withExtendedLifetime(second) {}
        second = nil
        try store.set(2, forKey: "number")
        #expect(ended.entries == [1])
        #expect(released.entries == [1])
        #expect(kept.entries == [1, 2])
        third.end()
    }

    /// C's flaw: a change of any stored default anywhere fires every definition.
    @Test func onlyChangedDefinitionsFire() throws {
        let recorder = Log<String>()
        let definitions = (0..<50).map { ConfigDefinition("n\($0)", default: 0).stored(key: "n\($0)") }
        let subscriptions = definitions.map { definition in
            repository.listen(to: definition) { recorder.append("\(definition.id)=\($0)") }
        }
        let higher = repository.listen(to: ConfigDefinition("hidden", default: 0).stored(key: "n7").static(1)) {
            recorder.append("hidden=\($0)")
        }
        try store.set(3, forKey: "n7")
        try store.set(0, forKey: "n8")
        try store.set("unrelated", forKey: "other")
        #expect(recorder.entries == ["n7=3"])
        for subscription in subscriptions + [higher] { subscription.end() }
    }

    @Test func changeEvaluatesOnlyAffectedLinks() throws {
        let asked = Box(0)
        let definitions = (0..<1000).map { index in
            ConfigDefinition("n\(index)", default: 0).stored(key: "n\(index)").dynamic {
                asked.value += 1
                return nil
            }
        }
        repository.add(definitions)
        asked.value = 0
        try store.set(3, forKey: "n7")
        #expect((1...2).contains(asked.value), "\(asked.value) of a thousand definitions were resolved")
    }

    @Test func replacedDefinitionNotifiesItsListeners() throws {
        let recorder = Log<Int>()
        let subscription = repository.listen(to: number, recorder.append)
        repository.add(number.static(4))
        repository.add(ConfigDefinition("number", default: 4))
        try store.set(7, forKey: "number")
        repository.add(number)
        #expect(recorder.entries == [4, 7])
        subscription.end()
    }

    @Test(.timeLimit(.minutes(5)))
    func valuesStartWithCurrentAndAreDistinct() async throws {
        try store.set(1, forKey: "number")
        var values = repository.observe(number).makeAsyncIterator()
        #expect(try await values.next() == 1)
        try store.set(2, forKey: "number")
        #expect(try await values.next() == 2)
        for value in [3, 2, 3, 2] { try store.set(value, forKey: "number") }
        try store.set(9, forKey: "number")
        #expect(try await values.next() == 9)
    }

    /// The value changes and changes back before the listeners are notified, and is read in between.
    @Test(.timeLimit(.minutes(5)))
    func valuesEndWithNewestValue() async throws {
        let (level, signal) = (Observed(0), ChangeSignal())
        let definition = ConfigDefinition("level", default: 0).dynamic(changes: signal.observe) { level.value }
        repository.add(definition)
        level.replace(with: 1)
        var values = repository.observe(definition).makeAsyncIterator()
        #expect(try await values.next() == 1)
        level.replace(with: 0)
        signal.send()
        #expect(try await values.next() == 0)
    }

    @Test(.timeLimit(.minutes(5)))
    func remoteChangesArrive() async throws {
        let provider = MutableInMemoryProvider(initialValues: ["app.title": "Dogs", "app.count": 1])
        let repository = ConfigRepository(inputs: .remote(provider))
        let title = ConfigDefinition("title", default: "").remote("app.title")
        let count = ConfigDefinition("count", default: 0).remote("app.count")
        let recorder = Log<Int>()
        let subscription = repository.listen(to: count, recorder.append)
        var titles = repository.observe(title).makeAsyncIterator()
        #expect(try await titles.next() == "Dogs")
        provider.setValue("Cats", forKey: "app.title")
        #expect(try await titles.next() == "Cats")
        provider.setValue(2, forKey: "app.count")
        try await until("a new count") { recorder.entries == [2] }
        provider.setValue(nil, forKey: "app.title")
        #expect(try await titles.next() == "")
        subscription.end()
    }

    @Test(.timeLimit(.minutes(5)))
    func changesMayComeBySignals() throws {
        let provider = MutableInMemoryProvider(initialValues: ["a": 1, "b": 1])
        let signals = KeyedSignals()
        var inputs = LinkInputs.empty()
        inputs.remote = ObservedReader(ConfigReader(provider: provider), watching: .signals(signals))
        let repository = ConfigRepository(inputs: inputs)
        let recorder = Log<Int>()
        let subscription = repository.listen(to: ConfigDefinition("a", default: 0).remote("a"), recorder.append)
        provider.setValue(2, forKey: "a")
        signals.send(["b"])
        #expect(recorder.entries == [])
        signals.send(["a", "b", "c"])
        #expect(recorder.entries == [2])
        subscription.end()
    }

    @Test(.timeLimit(.minutes(5)))
    func snapshotOnlyReaderIsWatchedBySnapshots() async throws {
        let provider = MutableInMemoryProvider(initialValues: ["a": 1])
        let repository = ConfigRepository(remote: ConfigReader(provider: provider), watchesWhole: true)
        let recorder = Log<Int>()
        let definition = ConfigDefinition("a", default: 0).remote("a")
        let subscription = repository.listenKeepingAlive(to: definition, recorder.append)
        provider.setValue(2, forKey: "a")
        try await until("a new value") { recorder.entries == [2] }
        subscription.end()
    }

    @Test @MainActor func itIsObservable() async throws {
        repository.add(number, flag)
        let changes = Box(0)
        let values = withObservationTracking {
            repository[number]
        } onChange: {
            changes.value += 1
        }
        #expect(values == 0)
        try store.set(true, forKey: "flag")
        await mainQueueIsEmpty()
        #expect(changes.value == 0)
        for value in 1...3 { try store.set(value, forKey: "number") }
        await mainQueueIsEmpty()
        #expect(changes.value == 1)
    }

    @Test(.timeLimit(.minutes(5)))
    func valueUnequalToItselfIsRead() {
        var inputs = LinkInputs.empty(store: store)
        inputs.environment = .environment(["RATIO": "nan"])
        let repository = ConfigRepository(inputs: inputs)
        let ratio = ConfigDefinition("ratio", default: 0.5).environment("ratio")
        repository.add(ratio)
        #expect(repository[ratio].isNaN)
    }

    @Test(.timeLimit(.minutes(5)))
    func definitionIsEvaluatedOnce() {
        let count = Box(0)
        let definition = ConfigDefinition("count", default: 0).dynamic {
            count.change { count in
                count += 1
                return count
            }
        }
        repository.add(definition)
        let before = count.value
        #expect(repository[definition] == before + 1)
        #expect(count.value == before + 1)
    }

    /// The change arrives, and is taken back, between the evaluation and its end.
    @Test(.timeLimit(.minutes(5)))
    func changeDuringEvaluationReachesTheSequence() async throws {
        let (level, interruption, signal) = (Box(0), Box(false), ChangeSignal())
        let definition = ConfigDefinition("level", default: 0).dynamic(changes: signal.observe) {
            let value = level.value
            if interruption.change({ $0.take() }) {
                level.value = 0
                signal.send()
            }
            return value
        }
        repository.add(definition)
        (level.value, interruption.value) = (1, true)
        var values = repository.observe(definition).makeAsyncIterator()
        #expect(try await values.next() == 1)
        #expect(try await values.next() == 0)
    }

    @Test func itExplainsByIdToo() {
        repository.add(number.static(3))
        #expect(repository.explain(id: "number")?.value == "3")
        #expect(repository.explain(number).answeredBy == 0)
        #expect(repository.explain(id: "unknown") == nil)
    }

    @Test func aRepositoryThatIsNoLongerUsedLetsGoOfItsSources() throws {
        var repository: ConfigRepository? = ConfigRepository(inputs: .empty(store: store))
        weak let released = repository
        repository?.add(number)
        repository = nil
        #expect(released == nil)
        try store.set(1, forKey: "number")
    }
}

extension Bool {
    /// Returns the value and leaves `false`.
    fileprivate mutating func take() -> Bool {
        defer { self = false }
        return self
    }
}
