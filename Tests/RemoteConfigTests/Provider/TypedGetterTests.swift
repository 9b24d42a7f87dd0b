// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Configuration
import Foundation
import TestSupport
import Testing

@testable import RemoteConfig

@Suite(.timeLimit(.minutes(5)))
struct TypedGetterTests {
    private enum Theme: String { case light, dark }

    private struct Banner: Codable, Hashable, Sendable {
        var text: String
        var weight: Int?
    }

    private static let document = ##"""
        {
            "string": "text", "int": 3, "double": 2.5, "bool": true, "strings": ["a", "b"], "ints": [1, 2],
            "doubles": [1, 2.5], "bools": [true], "colors": ["#fff", "#000"],
            "color": "#FFB6C1", "version": "1.2.3-rc.1", "range": "^1.2", "url": "https://example.org/cats?q=1",
            "theme": "dark", "banner": "{\"text\": \"Hi\", \"weight\": 2}",
            "bad.color": "zzzzzz", "bad.version": "1.2", "bad.range": "one", "bad.url": "cats.html", "bad.theme": "blue",
            "bad.banner": "{\"weight\": 2}", "bad.json": "{"
        }
        """##

    private let state: ConfigState
    private let config: ConfigReader

    init() throws {
        state = try .holding(Self.document)
        config = ConfigReader(provider: RemoteConfigProvider(state: state))
    }

    @Test func colors() throws {
        let pink = RGBColor(rgb24: 0xFFB6C1)
        #expect(config.string(forKey: "color", as: RGBColor.self) == pink)
        #expect(config.string(forKey: "bad.color", as: RGBColor.self, default: pink) == pink)
        #expect(config.string(forKey: "bad.color", as: RGBColor.self) == nil)
        #expect(throws: (any Error).self) { try config.requiredString(forKey: "bad.color", as: RGBColor.self) }
        #expect(config.stringArray(forKey: "colors", as: RGBColor.self)?.count == 2)
    }

    @Test func versionsAndRanges() throws {
        let version = SemanticVersion("1.2.3-rc.1")
        #expect(try config.requiredString(forKey: "version", as: SemanticVersion.self) == version)
        let range = try config.requiredString(forKey: "range", as: VersionRange.self)
        #expect(range.contains(SemanticVersion(1, 9, 0)))
        let fallback = SemanticVersion(1, 0, 0)
        #expect(config.string(forKey: "bad.version", as: SemanticVersion.self, default: fallback) == fallback)
        #expect(throws: (any Error).self) { try config.requiredString(forKey: "bad.version", as: SemanticVersion.self) }
        #expect(throws: (any Error).self) { try config.requiredString(forKey: "bad.range", as: VersionRange.self) }
    }

    @Test func addressesAreAbsolute() throws {
        let url = try config.requiredString(forKey: "url", as: AbsoluteURL.self).url
        #expect(url == URL(string: "https://example.org/cats?q=1"))
        #expect(config.string(forKey: "bad.url", as: AbsoluteURL.self) == nil)
        #expect(throws: (any Error).self) { try config.requiredString(forKey: "bad.url", as: AbsoluteURL.self) }
    }

    @Test(arguments: [
        ("https://example.org", true), ("http://127.0.0.1:3000/x", true), ("mailto:a@example.org", true),
        ("file:///etc/hosts", true), ("", false), ("cats", false), ("/cats", false), ("//example.org/x", false),
        ("https://", false), ("https:///path", false), ("https:cats", false), ("http://a b/", false), ("?q", false),
    ])
    func anAddressIsAbsolute(_ text: String, _ isAddress: Bool) {
        #expect((AbsoluteURL(configString: text) != nil) == isAddress)
    }

    @Test func enumerations() throws {
        #expect(config.string(forKey: "theme", as: Theme.self) == .dark)
        #expect(config.string(forKey: "bad.theme", as: Theme.self, default: .light) == .light)
        #expect(throws: (any Error).self) { try config.requiredString(forKey: "bad.theme", as: Theme.self) }
    }

    @Test func codableTypes() async throws {
        let banner = Banner(text: "Hi", weight: 2)
        let none = DecodedJSON(Banner(text: ""))
        let json = DecodedJSON<Banner>.self
        #expect(config.string(forKey: "banner", as: json)?.value == banner)
        #expect(try config.requiredString(forKey: "banner", as: json).value == banner)
        #expect(try await config.fetchString(forKey: "banner", as: json)?.value == banner)
        #expect(try await config.fetchRequiredString(forKey: "banner", as: json).value == banner)
        for key: ConfigKey in ["bad.banner", "bad.json", "int", "missing"] {
            #expect(config.string(forKey: key, as: json) == nil)
            #expect(config.string(forKey: key, as: json, default: none).value == none.value)
            #expect(throws: (any Error).self) { try config.requiredString(forKey: key, as: json) }
            await #expect(throws: (any Error).self) { try await config.fetchRequiredString(forKey: key, as: json) }
        }
        #expect(try await config.fetchString(forKey: "missing", as: json, default: none).value == none.value)
        await #expect(throws: (any Error).self) {
            try await config.fetchString(forKey: "bad.json", as: json, default: none)
        }
        #expect(DecodedJSON(banner).description == #"{"text":"Hi","weight":2}"#)
    }

    @Test func objectHidesNoTextOfAProviderBelow() async throws {
        try state.take(#"{"title": {"size": 1}}"#)
        let below = InMemoryProvider(values: ["title": "Hi"])
        let config = ConfigReader(providers: [RemoteConfigProvider(state: state), below])
        let json = DecodedJSON<[String: Int]>.self
        #expect(config.string(forKey: "title") == "Hi")
        #expect(config.string(forKey: "title", as: json)?.value == ["size": 1])
        #expect(config.snapshot().string(forKey: "title") == "Hi")
        #expect(config.snapshot().string(forKey: "title", as: json)?.value == ["size": 1])
        #expect(try await config.fetchString(forKey: "title", as: json)?.value == ["size": 1])
        try await config.watchString(forKey: "title", as: json) { updates in
            #expect(config.string(forKey: "title") == "Hi")
            var updates = updates.makeAsyncIterator()
            #expect(try await updates.next()??.value == ["size": 1])
            try state.take(#"{"title": {"size": 2}}"#)
            #expect(try await updates.next()??.value == ["size": 2])
        }
    }

    @Test func codableTypesAreWatched() async throws {
        let none = DecodedJSON(Banner(text: ""))
        let json = DecodedJSON<Banner>.self
        try await config.watchString(forKey: "banner", as: json, default: none) { updates in
            var updates = updates.makeAsyncIterator()
            #expect(try await updates.next()?.value == Banner(text: "Hi", weight: 2))
            try state.take(#"{"banner": "{\"text\": \"Ho\"}"}"#)
            #expect(try await updates.next()?.value == Banner(text: "Ho"))
            try state.take(#"{"banner": "?"}"#)
            #expect(try await updates.next()?.value == none.value)
        }
        try await config.watchString(forKey: "banner", as: json) { updates in
            var updates = updates.makeAsyncIterator()
            let first = try #require(try await updates.next())
            #expect(first == nil)
        }
        try await config.watchRequiredString(forKey: "banner", as: json) { updates in
            var updates = updates.makeAsyncIterator()
            await #expect(throws: (any Error).self) { try await updates.next() }
        }
    }
}
