// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Configuration
import TestSupport
import Testing

@testable import RemoteConfig

/// Which reads of variants a program can log.
@Suite(.timeLimit(.minutes(5)))
struct ExposureTests {
    private static func user(_ key: String, _ language: String) -> EvaluationContext {
        EvaluationContext(targetingKey: key, ["language": .string(language)])
    }

    private let state = ConfigState(
        preview: ["title": "Hi", "theme": ["font": "Mono", "size": 12], "plain": 1],
        rules: ["title": .byLanguage("Hola", "Hello"), "theme.font": .byLanguage("Serif", "Sans")],
        context: user("ann", "de")
    )

    /// The exposures of what a closure reads.
    private func exposures(limit: Int = 100, _ read: () throws -> Void) async throws -> [Exposure] {
        let sequence = state.exposures(limit: limit)
        try read()
        // The last one, so that the end is known.
        _ = state.values(for: Self.user("end", "de"))["title"]
        var exposures: [Exposure] = []
        for try await exposure in sequence {
            if exposure.targetingKey == "end" { break }
            exposures.append(exposure)
        }
        return exposures
    }

    private func exposure(_ key: String, _ variant: String, _ user: String = "ann") -> Exposure {
        let reason: EvaluationReason = variant == "es" ? .targetingMatch : .default
        return Exposure(key: key, variant: variant, reason: reason, revision: 1, targetingKey: user)
    }

    @Test func readOfARuleIsExposedOnceForAContext() async throws {
        let ofProgram = try await exposures { for _ in 0..<3 { #expect(state["title"] == "Hello") } }
        #expect(ofProgram == [exposure("title", "others")])
        let ofUser = try await exposures {
            for name in ["bob", "cid", "bob"] { #expect(state.values(for: Self.user(name, "es"))["title"] == "Hola") }
        }
        #expect(ofUser == [exposure("title", "es", "bob"), exposure("title", "es", "cid")])
        #expect(try await exposures { _ = (state["plain"], state["none"]) } == [], "there is no rule")
    }

    @Test func readOfAPreviewIsNotExposed() async throws {
        var preview = state.current
        preview.status.preview = "k3x9m2ab"
        #expect(try await exposures { _ = preview["title"] } == [])
    }

    @Test func everyWayToReadIsExposed() async throws {
        let (title, theme) = (exposure("title", "others"), exposure("theme.font", "others"))
        let config = ConfigReader(provider: RemoteConfigProvider(state: state))
        let ways: [(name: String, read: () throws -> Void, expected: Exposure)] = [
            ("snapshot", { _ = state.current["title"] }, title),
            ("value", { _ = try state.value(forKey: "title", as: String.self) }, title),
            ("branch", { _ = try state.value(forKey: "theme", as: Theme.self) }, theme),
            ("Observation", { _ = ObservableConfig(state)["title"] }, title),
            ("property", { _ = RemoteValue(wrappedValue: "", "title", in: state).wrappedValue }, title),
            ("reader", { _ = config.string(forKey: "title") }, title),
            ("Codable by a reader", { _ = try config.value(forKey: "theme", as: Theme.self) }, theme),
            ("snapshot of a reader", { _ = config.snapshot().string(forKey: "title") }, title),
        ]
        for way in ways { #expect(try await exposures(way.read) == [way.expected], "\(way.name)") }
        let expected = exposure("title", "es", "bob")
        for way in ways where way.expected == title {
            let ofTask = try await exposures {
                try EvaluationContext.$current.withValue(Self.user("bob", "es"), operation: way.read)
            }
            // A snapshot that was taken without a context is the program's.
            #expect(ofTask == [way.name == "snapshot" ? title : expected], "\(way.name) in a context")
        }
    }

    @Test func anotherRuleIsExposedAgain() async throws {
        func publish(other: Int, _ rule: EntryValue) throws {
            let text = """
                {"livery": 1, "entries": {"title": "Hi", "other": \(other)}, "rules": {"title": \(rule.canonicalJSON)}}
                """
            try state.take(text)
        }
        var exposures = state.exposures().makeAsyncIterator()
        let rule = EntryValue.byLanguage("Hola", "Hello")
        _ = state["title"]
        try publish(other: 1, rule)
        _ = state["title"]
        try publish(other: 2, .byLanguage("Hola", "Hi there"))
        _ = state["title"]
        #expect(try await exposures.next()?.revision == 1)
        let second = try await exposures.next()
        #expect(second?.revision == state.current.snapshot.revision, "the rule was the same at the one before")
    }

    @Test func concurrentReadsAreExposedOnceToEachSequence() async throws {
        let sequences = (0..<3).map { _ in state.exposures(limit: 1000) }
        let users = (0..<100).map { "user-\($0)" }
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { [state] in
                    for user in users.shuffled() { _ = state.values(for: Self.user(user, "es"))["title"] }
                }
            }
        }
        _ = state.values(for: Self.user("end", "de"))["title"]
        for sequence in sequences {
            var exposed: [String?] = []
            for try await exposure in sequence {
                if exposure.targetingKey == "end" { break }
                exposed.append(exposure.targetingKey)
            }
            #expect(exposed.compactMap(\.self).sorted() == users.sorted())
        }
    }

    @Test func sequenceEndsWithItsState() async {
        func exposures() -> some AsyncSequence<Exposure, Never> & Sendable { ConfigState(preview: [:]).exposures() }
        for await exposure in exposures() { Issue.record("\(exposure)") }
    }

    @Test func slowReaderGetsTheNewest() async throws {
        let exposed = try await exposures(limit: 3) {
            for name in ["a", "b", "c", "d"] { _ = state.values(for: Self.user(name, "de"))["title"] }
        }
        #expect(exposed.map(\.targetingKey) == ["c", "d"], "the end is the third")
    }

    @Test func nothingIsRecordedWithoutASequence() async throws {
        #expect(!state.exposureLog.isOn)
        let task = Task { [state] in for await _ in state.exposures() {} }
        try await until("it records") { state.exposureLog.isOn }
        task.cancel()
        await task.value
        #expect(!state.exposureLog.isOn)
        do { _ = state.exposures() }
        #expect(!state.exposureLog.isOn, "a sequence that is released ends")
    }
}
