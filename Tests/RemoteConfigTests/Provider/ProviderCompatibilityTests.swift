// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Configuration
import ConfigurationTesting
import Foundation
import RemoteConfigTesting
import TestSupport
import Testing

@testable import RemoteConfig

/// swift-configuration's own test of providers, on the real provider over each kind of state.
@Suite(.timeLimit(.minutes(5)))
struct ProviderCompatibilityTests {
    /// The values that `ProviderCompatTest` expects.
    private static let document = """
        {
            "string": "Hello", "other.string": "Other Hello",
            "int": 42, "other.int": 24,
            "double": 3.14, "other.double": 2.72,
            "bool": true, "other.bool": false,
            "bytes": "bWFnaWM=", "other.bytes": "bWFnaWMy",
            "stringy.array": ["Hello", "World"], "other.stringy.array": ["Hello", "Swift"],
            "inty.array": [42, 24], "other.inty.array": [16, 32],
            "doubly.array": [3.14, 2.72], "other.doubly.array": [0.9, 1.8],
            "booly.array": [true, false], "other.booly.array": [false, true, true],
            "byteChunky.array": ["bWFnaWM=", "bWFnaWMy"],
            "other.byteChunky.array": ["bWFnaWM=", "bWFnaWMy", "bWFnaWM="]
        }
        """

    private func values() throws -> [String: EntryValue] {
        guard case .object(let members) = try EntryValue(json: Array(Self.document.utf8)) else { return [:] }
        return Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value) })
    }

    private func check(_ source: some ConfigSource) async throws {
        let service = RemoteConfigService(source: source, notificationCenter: NotificationCenter())
        guard case .changed(let keys) = await service.refreshOutcome() else {
            Issue.record("the source was not read: \(service.state.current.status)")
            return
        }
        #expect(keys.count == 20)
        try await ProviderCompatTest(provider: RemoteConfigProvider(service: service)).runTest()
    }

    private func check(_ state: ConfigState) async throws {
        try await ProviderCompatTest(provider: RemoteConfigProvider(state: state)).runTest()
    }

    @Test func overAFile() async throws {
        let folder = try TemporaryDirectory()
        try folder.overwrite(Self.document, at: "config.json")
        try await check(FileSource(path: folder["config.json"]))
    }

    @Test func overLayers() async throws {
        let values = try values()
        let upper = values.filter { $0.key.hasPrefix("other") }
        // Below, each key of the upper layer has a value of another type.
        let lower = values.merging(upper.keys.map { ($0, ["wrong": true]) }) { $1 }
        try await check(LayeredSource([TestSource(upper, isExact: true), TestSource(lower, isExact: true)]))
    }

    @Test func overAStateWithoutAService() async throws {
        try await check(ConfigState(preview: values()))
    }

    /// The values of a request's user.
    @Test func overRulesInATask() async throws {
        let values = try values()
        let rules = values.mapValues { value in
            [
                "state": "ENABLED", "variants": ["right": value], "defaultVariant": "right", "targeting": [:],
            ] as EntryValue
        }
        let state = ConfigState(preview: values.mapValues { _ in ["wrong": true] }, rules: rules, isExact: true)
        try await EvaluationContext.$current.withValue(EvaluationContext("user-42")) { try await check(state) }
    }
}
