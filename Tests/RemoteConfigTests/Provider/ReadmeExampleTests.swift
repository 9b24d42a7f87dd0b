import ConfigModel
import Configuration
import Foundation
import RemoteConfig
import TestSupport
import Testing

/// The example of the README, line by line, on a server of the test's own.
struct ReadmeExampleTests {
    @Test(.timeLimit(.minutes(5))) func theExampleRedrawsWhatTheServerHas() async throws {
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
        let black = RGBColor(rgb24: 0x000000)
        #expect(config.string(forKey: "app.background.color", as: RGBColor.self, default: black) == black)

        let run = Task { await service.run() }
        for await current in service.state.updates() where !current.snapshot.entries.isEmpty { break }
        let color = config.string(forKey: "app.background.color", as: RGBColor.self, default: black)
        #expect(color == RGBColor("#87CEFA"))
        run.cancel()
        await run.value
    }
}
