// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Foundation
import RemoteConfig
import RemoteConfigTesting
import TestSupport
import Testing

/// The defaults of a program, below the values of its source.
@Suite(.timeLimit(.minutes(5)))
struct BundledDefaultTests {
    private let source = TestSource(["title": "Hello"])
    private let defaults: ConfigDocument

    init() throws { defaults = try ConfigDocument(values: ["title": "Hi", "limit": 1]) }

    @Test(arguments: [ActivationPolicy.immediate, .onDemand]) func aKeyThatTheSourceLacksHasItsDefault(
        activation: ActivationPolicy
    ) async throws {
        try await running { center in
            RemoteConfigService(
                source: source,
                bundledDefault: defaults,
                activation: activation,
                notificationCenter: center
            )
        } body: { running in
            #expect(running.value("limit") == 1)
            try await until("the source is read") { source.readCount > 0 }
            func activate() async { if activation == .onDemand { await running.service.activate() } }
            _ = await running.service.refreshOutcome()
            await activate()
            #expect(running.value("title") == "Hello")
            #expect(running.value("limit") == 1, "as with Firebase's setDefaults")
            await source.publish(["title": nil, "limit": 2])
            await activate()
            #expect(running.value("title") == "Hi")
            #expect(running.value("limit") == 2)
            await source.publish(["limit": 1])
            await activate()
            try await until("all is announced") { running.updates.entries.count == 3 }
            #expect(running.updates.entries.map(\.changedKeys) == [["title"], ["limit", "title"], ["limit"]])
            await source.publish(["limit": nil])
            await activate()
            #expect(running.value("limit") == 1)
            #expect(running.updates.entries.count == 3, "the same value is no change")
            #expect(running.current.snapshot.entries["limit"]?.source == "bundled default")
        }
    }

    private static func ruled() throws -> ConfigDocument {
        let text = """
            {"livery":1,"entries":{"title":"Hi"},"rules":{"title":
                {"variants":{"a":"Hola","b":"Hi"},"targeting":{"if":[{"==":[{"var":"language"},"es"]},"a","b"]}}}}
            """
        return try ConfigDocument(json: Array(text.utf8), source: "bundled default")
    }

    @Test func stagedValueHidesADefaultRuleOnceActivated() async throws {
        let source = TestSource(["title": "Hi"])
        let service = RemoteConfigService(
            source: source,
            bundledDefault: try Self.ruled(),
            context: EvaluationContext(["language": "de"]),
            activation: .onDemand
        )
        var title: EntryValue? { service.state.current.snapshot.entries["title"]?.value }
        #expect(await service.refreshOutcome() == .unchanged)
        await service.setContext(EvaluationContext(["language": "es"]))
        #expect(title == "Hola" && service.state.current.status.hasStagedChanges)
        await service.activate()
        #expect(title == "Hi" && !service.state.current.status.hasStagedChanges)
    }
}
