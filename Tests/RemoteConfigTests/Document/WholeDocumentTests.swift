// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import RemoteConfigTesting
import TestSupport
import Testing

/// One document as one value of a type: that of the empty key.
@Suite(.timeLimit(.minutes(1)))
struct WholeDocumentTests {
    struct Settings: Codable, Hashable, Sendable {
        struct Theme: Codable, Hashable, Sendable { var dark = false }

        var minVersion = "1.0.0"
        var theme = Theme()
    }

    private let source = TestSource(["minVersion": "2.0.0"])

    private func service(_ cache: ConfigCache? = nil) throws -> RemoteConfigService {
        RemoteConfigService(source: source, cache: cache, bundledDefault: try ConfigDocument(encoding: Settings()))
    }

    @Test func membersThatAreMissingHaveTheBundledDefaults() async throws {
        let service = try service()
        #expect(try service.value(forKey: "", as: Settings.self) == Settings())
        try await service.refresh()
        #expect(try service.value(forKey: "", as: Settings.self) == Settings(minVersion: "2.0.0"))
    }

    @Test func lastDocumentIsThereAtTheNextStart() async throws {
        let folder = try TemporaryDirectory()
        let cache = ConfigCache(app: "org.example.app", version: "1", folder: folder["cache"])
        try await service(cache).refresh()
        await source.goOffline()
        let next = try service(cache)
        #expect(next.value(forKey: "", default: Settings()) == Settings(minVersion: "2.0.0"))
    }

    @Test func documentOfAnotherTypeIsReported() async throws {
        await source.publish(["minVersion": 2])
        let service = try service()
        try await service.refresh()
        #expect(service.value(forKey: "", default: Settings()) == Settings())
        #expect(service.state.problems.map(\.code) == [.typeMismatch])
    }

    @Test func observersGetEachNewDocument() async throws {
        let service = try service()
        let property = RemoteValue(wrappedValue: Settings(), "", in: service.state)
        await service.running {
            await source.publish(["minVersion": "3.0.0"])
            for await settings in service.observe("", as: Settings.self) where settings?.minVersion == "3.0.0" { break }
            #expect(property.wrappedValue == Settings(minVersion: "3.0.0"))
        }
    }
}
