// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Configuration
import ConfigurationTesting
import Foundation
import RemoteConfig
import TestSupport
import Testing

/// swift-configuration's own test of providers, on the real provider over each kind of source.
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

    private func check(_ source: some ConfigSource) async throws {
        let service = RemoteConfigService(source: source, notificationCenter: NotificationCenter())
        guard case .changed(let keys) = await service.refreshOutcome() else {
            Issue.record("the source was not read: \(service.state.current.status)")
            return
        }
        #expect(keys.count == 20)
        try await ProviderCompatTest(provider: RemoteConfigProvider(service: service)).runTest()
    }

    @Test func overAFile() async throws {
        let folder = try TemporaryDirectory()
        try folder.overwrite(Self.document, at: "config.json")
        try await check(FileSource(path: folder["config.json"]))
    }
}
