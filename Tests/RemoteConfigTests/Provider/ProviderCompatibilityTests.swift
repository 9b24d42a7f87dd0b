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
    /// What `ProviderCompatTest` wants to find.
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
        let service = SyncService(source: source, notificationCenter: NotificationCenter())
        guard case .changed(let keys) = await service.refresh() else {
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

/// What the README's program does, on a server of the test's own and with a cache.
struct ReadmeProgramTests {
    @Test(.timeLimit(.minutes(5))) func theProgramHasTheColorOfTheServer() async throws {
        let server = try ScriptedServer { connection, _ in
            try connection.respond(
                "200 OK",
                ["Content-Type": "application/json"],
                ##"{"app.background.color": "#87CEFA"}"##
            )
        }
        defer { server.stop() }
        let folder = try TemporaryDirectory(prefix: "readme")

        let locator = try SourceLocator(server.url("/config.json").absoluteString)
        let service = SyncService(
            source: try locator.source(),
            cache: ConfigCache(environment: ["XDG_CACHE_HOME": folder.path], programVersion: "1.0.0")
        )
        let config = ConfigReader(provider: RemoteConfigProvider(service: service))
        let black = RGBColor(0x000000)
        #expect(config.string(forKey: "app.background.color", as: RGBColor.self, default: black) == black)

        let run = Task { await service.run() }
        for await current in service.state.updates() where !current.snapshot.entries.isEmpty { break }
        let color = config.string(forKey: "app.background.color", as: RGBColor.self, default: black)
        #expect(color == RGBColor("#87CEFA"))
        run.cancel()
        await run.value
    }
}
