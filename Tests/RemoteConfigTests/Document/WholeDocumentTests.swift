// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import RemoteConfigTesting
import Testing

/// One document as one value of a type: that of the empty key.
@Suite(.timeLimit(.minutes(1)))
struct WholeDocumentTests {
    struct Settings: Codable, Hashable, Sendable {
        struct Theme: Codable, Hashable, Sendable { var dark = false }

        var minVersion = "1.0.0"
        var theme = Theme()
    }

    @Test func observersGetEachNewDocument() async throws {
        let source = TestSource(["minVersion": "2.0.0"])
        let service = RemoteConfigService(source: source, bundledDefault: try ConfigDocument(encoding: Settings()))
        let property = RemoteValue(wrappedValue: Settings(), "", in: service.state)
        await service.running {
            await source.publish(["minVersion": "3.0.0"])
            for await settings in service.observe("", as: Settings.self) where settings?.minVersion == "3.0.0" { break }
            #expect(property.wrappedValue == Settings(minVersion: "3.0.0"))
        }
    }
}
