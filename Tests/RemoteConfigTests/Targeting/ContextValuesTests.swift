// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Configuration
import Foundation
import Observing
import RemoteConfigTesting
import TestSupport
import Testing

@testable import RemoteConfig

/// Values for each of many users at once.
@Suite(.timeLimit(.minutes(5)))
struct ContextValuesTests {
    private static func user(_ language: String) -> EvaluationContext {
        EvaluationContext(["language": .string(language)])
    }

    private let state = ConfigState(
        preview: ["title": "Hi", "theme": ["font": "Mono", "size": 12], "plain": 1],
        rules: [
            "title": .byLanguage("Hola", "Hello"), "theme.font": .byLanguage("Serif", "Sans"),
            "extra": .byLanguage(1, 2),
        ],
        context: user("de")
    )

    @Test func problemsOfReadersContainNoValue() {
        let state = ConfigState(preview: ["token": "s3cret"])
        let config = ConfigReader(provider: RemoteConfigProvider(state: state))
        #expect(config.value(forKey: "token", as: Int.self, isSecret: true, default: 1) == 1)
        #expect(state.problems.map(\.code) == [.typeMismatch])
        #expect(!state.problems.contains { "\($0) \(String(reflecting: $0))".contains("s3cret") })
    }

    /// Publishes another rule of the title, which gives others the same text.
    private func publish(spanish: EntryValue) {
        let next = ConfigState(
            preview: ["title": "Hi", "plain": 1],
            rules: ["title": .byLanguage(spanish, "Hello")],
            context: Self.user("de")
        )
        var current = next.current
        current.snapshot = current.snapshot.numbered(after: state.current.snapshot)
        state.replace(with: current)
    }

    @Test func updatesFollowTheTaskContext() async throws {
        let provider = RemoteConfigProvider(state: state)
        let key = AbsoluteConfigKey(ConfigKey("title"))
        try await EvaluationContext.$current.withValue(Self.user("es")) {
            var value = state.observe("title", as: String.self).makeAsyncIterator()
            var text = state.observe { $0.value(forKey: "title", default: "") + "!" }.makeAsyncIterator()
            try await provider.watchValue(forKey: key, type: .string) { updates in
                try await provider.watchSnapshot { snapshots in
                    var (updates, snapshots) = (updates.makeAsyncIterator(), snapshots.makeAsyncIterator())
                    for title in ["Hola", "Buenas"] {
                        #expect(await value.next(isolation: #isolation) == title)
                        #expect(await text.next(isolation: #isolation) == title + "!")
                        #expect(try await updates.next()?.get().value?.content == .string(title))
                        let snapshot = try await snapshots.next()
                        #expect(try snapshot?.value(forKey: key, type: .string).value?.content == .string(title))
                        publish(spanish: "Buenas")
                    }
                }
            }
        }
    }

    /// Not once for each user, which could fill the log.
    @Test func aVariantOfAnotherTypeIsReportedOnce() throws {
        let config = ConfigReader(provider: RemoteConfigProvider(state: state))
        EvaluationContext.$current.withValue(Self.user("es")) {
            #expect(state.value(forKey: "title", default: 1) == 1)
            #expect(config.int(forKey: "title", default: 1) == 1)
            #expect(config.value(forKey: "title", default: 1) == 1)
            #expect(RemoteValue(wrappedValue: 1, "title", in: state).wrappedValue == 1)
            #expect(state.problems.map(\.key) == ["title"])
            #expect(state.value(forKey: "plain", default: "none") == "none")
        }
        EvaluationContext.$current.withValue(Self.user("en")) { _ = state.value(forKey: "title", default: 1) }
        #expect(state.problems.map(\.key) == ["plain", "title"])
    }

    /// A request of a user that changes something does not make the user's values those of the program, nor JSON of them.
    @Test(arguments: [false, true]) func observersHaveTheProgramsValues(fetchesJSON: Bool) async throws {
        func rules(_ number: Int) -> [String: EntryValue] {
            ["title": .byLanguage(.string("Hola \(number)"), .string("Hello \(number)"))]
        }
        let source = TestSource(["title": "Hi"], rules: rules(1))
        let center = NotificationCenter()
        let service = RemoteConfigService(source: source, context: Self.user("de"), notificationCenter: center)
        _ = try await service.refresh()
        let config = ConfigReader(provider: RemoteConfigProvider(service: service))
        let seen = Log<String?>()
        let subscription = service.state.changes["title"].subscribe { seen.append(config.string(forKey: "title")) }
        await source.publish(rules: rules(2).mapValues(Optional.some))
        try await EvaluationContext.$current.withValue(Self.user("es")) {
            if !fetchesJSON { _ = try await service.refresh() }
            #expect(try await config.fetchValue(forKey: "title", as: String.self) == "Hola 2")
        }
        #expect(seen.entries == ["Hello 2"])
        subscription.end()
    }

    /// The program's own value of the key is that of the layer above.
    @Test func hiddenChangesReachOtherContexts() async throws {
        let file = TestSource(["user": "one"])
        let service = RemoteConfigService(
            source: LayeredSource([PersonalSource(), file]),
            context: EvaluationContext("user-1"),
            notificationCenter: NotificationCenter()
        )
        let provider = RemoteConfigProvider(service: service)
        let key = AbsoluteConfigKey(ConfigKey("user"))
        try await service.whileRunning {
            try await service.waitUntilReady(timeout: .seconds(60))
            try await EvaluationContext.$current.withValue(EvaluationContext("user-2")) {
                var value = service.observe("user", as: String.self).makeAsyncIterator()
                var text = service.observe { $0["user"] }.makeAsyncIterator()
                try await provider.watchSnapshot { snapshots in
                    var snapshots = snapshots.makeAsyncIterator()
                    for user in ["one", "two"] {
                        #expect(await value.next(isolation: #isolation) == user)
                        #expect(await text.next(isolation: #isolation) == .string(user))
                        // Another state may have the same value.
                        while let snapshot = try await snapshots.next() {
                            if try snapshot.value(forKey: key, type: .string).value?.content == .string(user) { break }
                        }
                        await file.publish(["user": "two"])
                    }
                }
            }
            #expect(service["user"] == "user-1")
        }
    }

    @Test func readInAContextSortsAndCompilesNothing() {
        let current = state.current
        let ofUser = current.values(for: Self.user("es")).snapshot(below: "theme")
        #expect(ofUser["theme.font"] == "Serif")
        #expect(ofUser.keyOrder === current.keyOrder && ofUser.compiledRules === current.compiledRules)
    }

    @Test func aRuleIsCompiledOnceForASnapshot() throws {
        let identities = (0..<3).compactMap { _ in state.current.rule(forKey: "title")?.identity }
        #expect(identities.count == 3 && Set(identities).count == 1)
    }
}
