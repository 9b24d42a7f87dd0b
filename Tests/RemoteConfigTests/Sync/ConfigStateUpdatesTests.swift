// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Configuration
import Observing
import RemoteConfigTesting
import TestSupport
import Testing

@testable import RemoteConfig

@Suite(.timeLimit(.minutes(5)))
struct ConfigStateUpdatesTests {
    private let state = ConfigState(source: "test")

    @Test func nothingIsLostBeforeASequenceIsIterated() async throws {
        let rule: EntryValue = ["variants": ["a": 3], "targeting": ["if": [true, "a"]]]
        let source = TestSource(["k": 1], rules: ["r": rule])
        let context = EvaluationContext(targetingKey: "ada")
        let service = RemoteConfigService(source: source, context: context, notificationCenter: nil)
        let provider = RemoteConfigProvider(service: service)
        try await service.refresh()
        let (messages, exposures) = (service.messages(), service.exposures())
        let (updates, values) = (service.state.observe(), service.observe("k", as: Int.self))
        let doubles = service.observe { $0.value(forKey: "k", default: 0) * 2 }
        try await provider.watchValue(forKey: ["k"], type: .int) { results in
            try await provider.watchSnapshot { snapshots in
                for number in 2...3 { await source.publish(["k": .integer(number)]) }
                try await service.refresh()
                #expect(service.value(forKey: "r", default: 0) == 3)
                var message = messages.makeAsyncIterator()
                #expect(await message.next(isolation: #isolation)?.values(forKey: "k").new == 2)
                #expect(await message.next(isolation: #isolation)?.values(forKey: "k").old == 2)
                #expect(await exposures.first { _ in true }?.key == "r")
                #expect(await updates.first { _ in true }?.value(forKey: "k", default: 0) == 3)
                #expect(await values.first { _ in true } == 3)
                #expect(await doubles.first { _ in true } == 6)
                #expect(try await results.first { _ in true }?.get().value?.content == .int(3))
                let snapshot = await snapshots.first { _ in true }
                #expect(try snapshot?.value(forKey: ["k"], type: .int).value?.content == .int(3))
            }
        }
    }

    @Test func releasedMessagesHaveNoReader() async throws {
        let source = TestSource(["k": 1])
        let service = RemoteConfigService(source: source, notificationCenter: nil)
        do {
            let messages = service.messages(limit: 2)
            #expect(service.state.messageReaders.count == 1)
            for number in 2...5 {
                await source.publish(["k": .integer(number)])
                try await service.refresh()
            }
            var iterator = messages.makeAsyncIterator()
            #expect(await iterator.next(isolation: #isolation)?.values(forKey: "k").new == 4, "older ones are dropped")
            #expect(await iterator.next(isolation: #isolation)?.values(forKey: "k").new == 5)
        }
        #expect(service.state.messageReaders.count == 0)
    }

    @Test func updatesBeginWithTheCurrentState() async throws {
        try state.take(#"{"k": 1}"#)
        var updates = state.observe().makeAsyncIterator()
        #expect(try await updates.next() == state.current)
        try state.take(#"{"k": 2}"#)
        #expect(try await updates.next()?.snapshot.entries["k"]?.value == .integer(2))
    }

    @Test func aChangeOfTheStatusIsAnUpdate() async throws {
        var updates = state.observe().makeAsyncIterator()
        _ = try await updates.next()
        var next = state.current
        next.status.phase = .offline
        state.replace(with: next)
        #expect(try await updates.next()?.status.phase == .offline)
    }

    /// The values for other contexts may differ, so that their observers must read them again.
    @Test func otherRulesAreAnotherState() {
        let rule: EntryValue = ["variants": ["a": 2], "defaultVariant": "a"]
        let (plain, ruled) = (ConfigState(preview: ["k": 1]), ConfigState(preview: ["k": 1], rules: ["k": rule]))
        let revision = plain.current.snapshot.revision
        let update = plain.current.update(to: ruled.current.snapshot)
        #expect(update.changedKeys.isEmpty && update.snapshot.revision == revision + 1)
        #expect(plain.current.update(to: plain.current.snapshot) == (plain.current.snapshot, []))
    }

    @Test func updatesOfAKeyAreDistinct() async throws {
        try state.take(##"{"k": "#fff", "n": 0}"##)
        var updates = state.observe("k", as: RGBColor.self).makeAsyncIterator()
        #expect(try await updates.next() == .some(RGBColor(0xFFFFFF)))
        try state.take(##"{"k": "#FFFFFF", "n": 1}"##)
        try state.take(##"{"k": "#000000", "n": 1}"##)
        #expect(try await updates.next() == .some(RGBColor(0)), "another spelling is no other colour")
        try state.take(#"{"k": "no colour"}"#)
        #expect(try await updates.next() == .some(nil))
        try state.take("{}")
        try state.take(##"{"k": "#123456"}"##)
        #expect(try await updates.next() == .some(RGBColor(0x123456)))
    }

    @Test func cancellationEndsTheSequenceAndLeavesNoObserver() async throws {
        let state = state
        let tasks = (0..<100).map { number in
            Task {
                if number.isMultiple(of: 2) {
                    for await _ in state.observe() {}
                } else {
                    for await _ in state.observe("k", as: Int.self) {}
                }
            }
        }
        try await until("all observe") { state.observed.observerCount == 100 }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        #expect(state.observed.observerCount == 0)
    }

    @Test func aSequenceThatIsLeftAloneObservesNothing() {
        _ = state.observe()
        #expect(state.observed.observerCount == 0)
        var iterator: (any Sendable)? = state.observe()
        iterator = nil
        #expect(iterator == nil && state.observed.observerCount == 0)
    }
}
