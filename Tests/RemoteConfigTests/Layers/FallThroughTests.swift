// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Configuration
import RemoteConfigTesting
import Testing

@testable import RemoteConfig

/// A value of another type in the upper layer, in all ways of reading.
struct FallThroughTests {
    private let upper: TestSource
    private let lower: TestSource
    private let service: RemoteConfigService
    private var reader: ConfigReader { ConfigReader(provider: RemoteConfigProvider(service: service)) }

    init() async throws {
        upper = TestSource(["k": "x", "a.b": "x", "n": ["y"]], name: "upper")
        lower = TestSource(["k": 1, "a.b": 1, "a.c": 2, "n.b": 3], name: "lower")
        service = RemoteConfigService(source: LayeredSource([upper, lower]))
        try await service.refresh()
    }

    @Test func propertyReadsTheLayerBelow() {
        #expect(RemoteValue(wrappedValue: 7, "k", in: service.state).wrappedValue == 1)
        #expect(service.value(forKey: "k", default: 7) == 1)
    }

    @Test(.timeLimit(.minutes(1))) func observersHearOfTheLayerBelow() async throws {
        var values = service.observe("k", as: Int.self).makeAsyncIterator()
        #expect(await values.next(isolation: nil) == 1)
        await lower.publish(["k": 2])
        try await service.refresh()
        #expect(await values.next(isolation: nil) == 2)
    }

    @Test func readersMergeWhatIsLeftOfAnObject() throws {
        let expected = ["b": 1, "c": 2]
        #expect(try service.value(forKey: "a", as: [String: Int].self) == expected)
        #expect(try reader.value(forKey: "a", as: [String: Int].self) == expected)
        #expect(try reader.value(forKey: "n", as: [String: Int].self) == ["b": 3])
    }

    @Test func keyWithOthersBelowIsNoScalar() throws {
        #expect(try service.value(forKey: "a", as: Int.self) == nil)
        #expect(try reader.value(forKey: "a", as: Int.self) == nil)
    }

    @Test func errorsOfReadersNameTheType() {
        let error = #expect(throws: ConfigModel.ConfigError.self) { try reader.value(forKey: "n", as: Int.self) }
        #expect(error?.message == "expected a value of the type Int, found an array of strings")
    }

    @Test func ruleThatFailsForTwoUsersIsReportedOnce() async throws {
        let rule: EntryValue = ["variants": ["x": 1], "targeting": ["$ref": "none"]]
        await upper.publish(rules: ["k": rule])
        try await service.refresh()
        #expect(service.values(for: EvaluationContext(targetingKey: "a")).value(forKey: "k", default: 7) == 1)
        await service.setContext(EvaluationContext(targetingKey: "b"))
        #expect(service.state.problems.count { $0.message.contains("rule failed") } == 1)
    }
}
