// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Foundation
import Observing
import TestSupport
import Testing

/// C's flaw: conditions and dynamic providers never report a change.
struct ConditionChangeTests {
    private let surroundings = Surroundings(facts: ProgramFacts())

    private func repository() -> ConfigRepository {
        ConfigRepository(inputs: LinkInputs(surroundings: surroundings))
    }

    @Test func conditionNotifiesWhenItsInputsChange() throws {
        let range = try #require(VersionRange(">=2.0.0"))
        let cases: [(ConfigCondition, (inout ProgramFacts) -> Void)] = [
            (.platform(.windows), { $0.platform = .windows }),
            (.colors(atLeast: 8), { $0.colors = 256 }),
            (.version(range), { $0.version = SemanticVersion("2.0.0") }),
            (.language("de"), { $0.language = "de-AT" }),
            (.environment("A", is: "1"), { $0.environment["A"] = "1" }),
        ]
        let repository = repository()
        for (condition, change) in cases {
            let recorder = Log<Bool>()
            let definition = ConfigDefinition(condition.name, default: false).when(condition, return: true)
            let subscription = repository.listen(to: definition, recorder.append)
            surroundings.update(change)
            surroundings.update(change)
            #expect(recorder.entries == [true], "\(condition.name)")
            subscription.end()
        }
    }

    @Test func composedConditionNotifiesForEachPart() {
        let (a, b) = (Box(false), Box(false))
        let (signalA, signalB) = (ChangeSignal(), ChangeSignal())
        let condition =
            ConfigCondition("a", changes: signalA.observe) { a.value }
            && !ConfigCondition("b", changes: signalB.observe) { b.value }
        let recorder = Log<Int>()
        let definition = ConfigDefinition("n", default: 0).when(condition, return: 1)
        let subscription = repository().listenKeepingAlive(to: definition, recorder.append)
        a.value = true
        signalA.send()
        b.value = true
        signalB.send()
        b.value = false
        signalB.send()
        #expect(recorder.entries == [1, 0, 1])
        subscription.end()
    }

    @Test(.timeLimit(.minutes(5)))
    func dateWindowNotifiesAtItsBounds() async throws {
        let clock = SetClock(Date("2026-01-01T00:00:00Z"))
        let surroundings = Surroundings(facts: ProgramFacts(), clock: clock)
        let window = DateWindow(from: Date("2026-02-01T00:00:00Z"), until: Date("2026-03-01T00:00:00Z"))
        let repository = ConfigRepository(inputs: LinkInputs(surroundings: surroundings))
        let definition = ConfigDefinition("open", default: false).when(.date(in: window), return: true)
        var values = repository.observe(definition).makeAsyncIterator()
        #expect(try await values.next() == false)
        clock.set(to: Date("2026-02-01T00:00:00Z"))
        #expect(try await values.next() == true)
        clock.set(to: Date("2026-03-01T00:00:00Z"))
        #expect(try await values.next() == false)
    }

    @Test(.timeLimit(.minutes(5)))
    func unobservedWindowStartsNoTimer() async throws {
        let clock = SetClock(Date("2026-01-01T00:00:00Z"))
        let surroundings = Surroundings(facts: ProgramFacts(), clock: clock)
        let repository = ConfigRepository(inputs: LinkInputs(surroundings: surroundings))
        let condition = ConfigCondition.date(from: Date("2026-02-01T00:00:00Z"))
        repository.add(ConfigDefinition("n", default: 0).when(condition, return: 1))
        try await until("a sleeper") { clock.sleeperCount == 1 }
        repository.add(ConfigDefinition("n", default: 0))
        try await until("no sleeper") { clock.sleeperCount == 0 }
    }

    @Test(
        arguments: [
            ("2026-01-31T23:59:59Z", false, "2026-02-01T00:00:00Z"),
            ("2026-02-01T00:00:00Z", true, "2026-03-01T00:00:00Z"),
            ("2026-02-28T23:59:59.999Z", true, "2026-03-01T00:00:00Z"), ("2026-03-01T00:00:00Z", false, nil),
        ] as [(String, Bool, String?)]
    )
    func aWindowHasItsStartAndNotItsEnd(_ now: String, _ contains: Bool, _ next: String?) {
        let window = DateWindow(from: Date("2026-02-01T00:00:00Z"), until: Date("2026-03-01T00:00:00Z"))
        #expect(window.contains(Date(now)) == contains)
        #expect(window.nextChange(after: Date(now)) == next.map { Date($0) })
    }

    @Test func aWindowThatEndsBeforeItStartsNeverOpens() {
        let window = DateWindow(from: Date("2026-03-01T00:00:00Z"), until: Date("2026-02-01T00:00:00Z"))
        #expect(!window.contains(Date("2026-02-15T00:00:00Z")))
        #expect(window.nextChange(after: Date("2026-01-01T00:00:00Z")) == nil)
    }

    @Test func aRolloutFollowsTheIdThatChanges() {
        let (user, signedIn) = (Box<String?>(nil), ChangeSignal())
        let condition = ConfigCondition.rollout(percent: 100, salt: "s", id: { user.value }, changes: signedIn.observe)
        let recorder = Log<Int>()
        let definition = ConfigDefinition("n", default: 0).when(condition, return: 1)
        let subscription = repository().listenKeepingAlive(to: definition, recorder.append)
        user.value = "ann"
        signedIn.send()
        #expect(recorder.entries == [1])
        subscription.end()
    }
}

extension ConfigRepository {
    /// Subscribes for as long as the repository lives.
    func listenKeepingAlive<Value>(
        to definition: ConfigDefinition<Value>,
        _ listener: @escaping @Sendable (Value) -> Void
    ) -> ObservationToken {
        let subscription = listen(to: definition, listener)
        return ObservationToken {
            withExtendedLifetime(self) { subscription.end() }
        }
    }
}
