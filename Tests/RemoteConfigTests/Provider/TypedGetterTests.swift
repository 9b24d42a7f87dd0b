// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Configuration
import Foundation
import TestSupport
import Testing

@testable import RemoteConfig

@Suite(.timeLimit(.minutes(5)))
struct TypedGetterTests {
    private struct Banner: Codable, Hashable, Sendable {
        var text: String
        var weight: Int?
    }

    private static let document = ##"""
        {
            "int": 3, "color": "#FFB6C1", "version": "1.2.3-rc.1", "range": "^1.2", "bad.color": "zzzzzz",
            "banner": {"text": "Hi", "weight": 2}, "bad.banner": {"weight": 2}, "bad.json": "{"
        }
        """##

    private let state: ConfigState
    private let config: ConfigReader

    init() throws {
        state = try .holding(Self.document)
        config = ConfigReader(provider: RemoteConfigProvider(state: state))
    }

    @Test func typesThatAreWrittenAsText() throws {
        let pink = RGBColor(0xFFB6C1)
        #expect(config.string(forKey: "color", as: RGBColor.self) == pink)
        #expect(config.string(forKey: "bad.color", as: RGBColor.self, default: pink) == pink)
        #expect(throws: (any Error).self) { try config.requiredString(forKey: "bad.color", as: RGBColor.self) }
        #expect(config.string(forKey: "version", as: SemanticVersion.self) == SemanticVersion("1.2.3-rc.1"))
        #expect(config.string(forKey: "range", as: VersionRange.self)?.contains(SemanticVersion(1, 9, 0)) == true)
    }

    @Test(arguments: [
        ("https://example.org", true), ("http://127.0.0.1:3000/x", true), ("mailto:a@example.org", true),
        ("file:///etc/hosts", true), ("", false), ("cats", false), ("/cats", false), ("//example.org/x", false),
        ("https://", false), ("https:///path", false), ("https:cats", false), ("http://a b/", false), ("?q", false),
    ])
    func anAddressIsAbsolute(_ text: String, _ isAddress: Bool) {
        #expect((URL(configValue: .string(text)) != nil) == isAddress)
    }

    @Test func codableTypes() async throws {
        let (banner, none) = (Banner(text: "Hi", weight: 2), Banner(text: ""))
        #expect(try config.value(forKey: "banner") == banner)
        #expect(try config.snapshot().value(forKey: "banner") == banner)
        #expect(try await config.fetchValue(forKey: "banner") == banner)
        #expect(try config.value(forKey: "missing", as: Banner.self) == nil)
        #expect(config.value(forKey: "missing", default: none) == none)
        for key: ConfigKey in ["bad.banner", "bad.json", "int"] {
            let error = #expect(throws: ConfigModel.ConfigError.self) { try config.value(forKey: key, as: Banner.self) }
            #expect(error?.message.hasPrefix("expected a value of the type Banner, found ") == true)
            #expect(config.value(forKey: key, default: none) == none)
            await #expect(throws: ConfigModel.ConfigError.self) {
                try await config.fetchValue(forKey: key, as: Banner.self)
            }
        }
    }

    @Test func objectHidesNoTextOfAProviderBelow() async throws {
        try state.take(#"{"title": {"size": 1}}"#)
        let below = InMemoryProvider(values: ["title": "Hi", "sizes": #"{"size": 3}"#])
        let config = ConfigReader(providers: [RemoteConfigProvider(state: state), below])
        typealias Sizes = [String: Int]
        #expect(config.string(forKey: "title") == "Hi")
        #expect(try config.value(forKey: "title", as: Sizes.self) == ["size": 1])
        #expect(try config.value(forKey: "sizes", as: Sizes.self) == ["size": 3])
        #expect(config.snapshot().string(forKey: "title") == "Hi")
        #expect(try await config.fetchValue(forKey: "title", as: Sizes.self) == ["size": 1])
        try await config.watchValue(forKey: "title", as: Sizes.self) { updates in
            #expect(config.string(forKey: "title") == "Hi")
            var updates = updates.makeAsyncIterator()
            #expect(try await updates.next()?.get() == ["size": 1])
            try state.take(#"{"title": {"size": 2}}"#)
            #expect(try await updates.next()?.get() == ["size": 2])
            try state.take(#"{"title": {"size": "big"}}"#)
            let update = try await updates.next()
            #expect(throws: ConfigModel.ConfigError.self) { try update?.get() }
        }
    }
}
