// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Foundation
import RemoteConfig
import RemoteConfigTesting
import TestSupport
import Testing

@testable import RemoteConfig

struct DefaultsTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func file(_ name: String, _ text: String) throws -> URL {
        URL(filePath: try folder.write(text, to: name))
    }

    @Test func aDictionaryIsADocument() throws {
        let title = "Hi"
        let document = try ConfigDocument(values: [
            "app.title": "\(title) \"there\"\n",
            "theme": ["dark": true, "colors": ["#FFB6C1", "#000000"], "scale": 1.5],
            "sizes": [1, 2, 3], "ratio": -0.25, "none": [], "deep": ["er": ["est": 1]],
            "given": ["a"],
        ])
        #expect(
            document.entries.mapValues(\.value) == [
                "app.title": .string("Hi \"there\"\n"), "theme.dark": .boolean(true),
                "theme.colors": ["#FFB6C1", "#000000"], "theme.scale": .double(1.5),
                "sizes": [1, 2, 3], "ratio": .double(-0.25), "none": [],
                "deep.er.est": .integer(1), "given": ["a"],
            ]
        )
        #expect(document.entries.values.allSatisfy { $0.location == nil })
    }

    @Test func dictionaryErrorNamesTheKey() {
        let twice = #expect(throws: ConfigError.self) { try ConfigDocument(values: ["a": ["b": 1], "a.b": 2]) }
        #expect(twice?.description == "bundled default: a.b: duplicate key; remove one")
        #expect(
            (try? ConfigDocument(values: ["livery": 1, "entries": ["a": 1]]).entries.mapValues(\.value))
                == ["livery": 1, "entries.a": 1]
        )
        let none = #expect(throws: ConfigError.self) { try ConfigDocument(values: ["a": .null]) }
        #expect(none?.code == .unsupportedValue && none?.key == "a" && none?.location == nil)
        let key = #expect(throws: ConfigError.self) { try ConfigDocument(values: ["a b": 1]) }
        #expect(key?.code == .invalidKey && key?.key == "a b")
        let large = #expect(throws: ConfigError.self) { try ConfigDocument(values: ["a": 9_007_199_254_740_993]) }
        #expect(large?.code == .unsupportedValue && large?.key == "a")
    }

    @Test func aDocumentOfValuesReportsEachKey() async throws {
        let rule: EntryValue = [
            "variants": ["es": "Hola", "others": "Hello"], "defaultVariant": "others",
            "targeting": ["if": [["==": [["var": "language"], "es"]], "es"]],
        ]
        let document = try ConfigDocument(
            entries: [
                "title": "Hi", "menu": ["title": "Home"], "a b": 1, "none": .null, "large": .integer(.max),
                "infinite": [.double(.infinity)], "livery": 1,
            ],
            rules: ["title": rule, "": rule],
            schemas: ["menu": ["type": "object"], "$": true]
        )
        #expect(Set(document.keys) == ["title", "menu", "livery"] && document["menu"] == ["title": "Home"])
        #expect(Set(document.problems.compactMap(\.key)) == ["a b", "none", "large", "infinite"])
        #expect(["'' ", "'$' "].allSatisfy { name in document.problems.contains { $0.message.contains(name) } })
        #expect(
            document.problems.count == 6 && document.problems.allSatisfy { $0.location == nil && $0.source == "values" }
        )
        #expect(document.schemas == ["menu": ["type": "object"]] && document.rules["title"]?.value == rule)
        let service = RemoteConfigService(
            source: BundledSource(document),
            context: EvaluationContext(["language": "es"])
        )
        await service.running {
            #expect(service["title"] == "Hola" && service["menu"] == ["title": "Home"])
        }
        let large = [String: EntryValue]((0..<200).map { ("k\($0)", .string(String(repeating: "a", count: 50_000))) }) {
            $1
        }
        #expect(throws: ConfigError.self) { try ConfigDocument(entries: large) }
        #expect(try ConfigDocument(entries: [:]).keys.isEmpty)
    }

    @Test func anythingThatEncodesAsAnObjectIsADocument() throws {
        struct Theme: Codable { var dark = true }
        struct Settings: Codable {
            var title = "Hi"
            var theme = Theme()
            var missing: Int?
            var ratio: Float = 0.1
            var since = Date(timeIntervalSince1970: 0)
            var key = Data([1, 2, 3])
        }
        let document = try ConfigDocument(encoding: Settings())
        #expect(
            document.entries.mapValues(\.value) == [
                "title": .string("Hi"), "theme.dark": .boolean(true), "ratio": .double(0.1),
                "since": .string("1970-01-01T00:00:00Z"), "key": .string("AQID"),
            ]
        )
        let infinite = #expect(throws: ConfigError.self) { try ConfigDocument(encoding: ["a": ["b": Double.infinity]]) }
        #expect(infinite?.code == .unsupportedValue && infinite?.key == "a.b")
        #expect(throws: ConfigError.self) { try ConfigDocument(encoding: 3) }
        #expect(throws: ConfigError.self) { try ConfigDocument(encoding: [1, 2]) }
    }

    @Test func aJSONFileKeepsThePlacesOfItsValues() throws {
        let document = try ConfigDocument(contentsOf: file("defaults.json", "{\n \"a\": 1}"))
        #expect(document.entries["a"]?.location == TextLocation(line: 2, column: 7))
        let error = #expect(throws: ConfigError.self) {
            try ConfigDocument(contentsOf: file("bad.json", "{\n \"a\": nope}"))
        }
        #expect(error?.description.hasPrefix("bad.json:2:7: a: ") == true)
    }

    private static let list = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>title</key><string>Hi</string>
        <key>theme</key><dict><key>dark</key><true/></dict>
        <key>size</key><integer>3</integer><key>one</key><integer>1</integer><key>ratio</key><real>0.5</real>
        <key>names</key><array><string>a</string><string>b</string></array>
        <key>since</key><date>2026-01-02T03:04:05Z</date><key>key</key><data>AQID</data>
        </dict></plist>
        """

    @Test func aPropertyListIsADocument() throws {
        let document = try ConfigDocument(contentsOf: file("defaults.plist", Self.list))
        let values: [String: EntryValue] = [
            "title": .string("Hi"), "theme.dark": .boolean(true), "size": .integer(3), "one": .integer(1),
            "ratio": .double(0.5), "names": ["a", "b"], "since": .string("2026-01-02T03:04:05Z"),
            "key": .string("AQID"),
        ]
        #expect(document.entries.mapValues(\.value) == values)
        let binary = try PropertyListSerialization.data(
            fromPropertyList: ["a": ["b": true, "c": 1]],
            format: .binary,
            options: 0
        )
        let path = try folder.write(binary, to: "binary.plist")
        let other = try ConfigDocument(contentsOf: URL(filePath: path))
        #expect(other.entries.mapValues(\.value) == ["a.b": .boolean(true), "a.c": .integer(1)])
    }

    @Test(arguments: ["", "nonsense", "<plist><dict><key>a</key></dict></plist>", "bplist00xxxxxxxxxxxxxxxxxxxxxxxx"])
    func invalidPropertyListIsRejected(text: String) throws {
        let file = try file("bad.plist", text)
        let error = #expect(throws: ConfigError.self) { try ConfigDocument(contentsOf: file) }
        #expect(error?.source == "bad.plist")
    }

    @Test(arguments: [
        ("\u{E9}", "e\u{301}"), ("a", "a"), ("a", "<![CDATA[a]]>"), ("&lt;&amp;&gt;", "<![CDATA[<&>]]>"),
        ("a&gt;b", "a>b"), ("&#xE9;", "e&#769;"),
    ])
    func propertyListWithARepeatedNameIsRefused(first: String, second: String) throws {
        let list = """
            <plist><array><dict><key>b</key><dict><key>\(first)</key><true/></dict><key>\(first)</key><true/></dict>
            <dict><key>\(first)</key><true/><!-- <key>\(second)</key> --></dict>
            """
        let good = "<plist><dict><key>list</key>\(list.dropFirst(7))</array></dict></plist>"
        #expect(try ConfigDocument(contentsOf: file("good.plist", good)).entries.count == 1)
        let bad = good.replacing("<!-- <key>\(second)</key> -->", with: "<key>\(second)</key><false/>")
        let error = #expect(throws: ConfigError.self) { try ConfigDocument(contentsOf: file("bad.plist", bad)) }
        #expect(error?.code == .duplicateKey)
    }

    @Test func differentNamesInAnyFormOfPropertyListAreTaken() throws {
        let names = ["<![CDATA[a]]>", "<![CDATA[b]]>"]
        let entries = names.map { "<key >\($0)</key><integer>1</integer>" }.joined()
        let inner = "<key>x</key><dict\n>\(entries)</dict ><key>y</key><dict >\(entries)</dict>"
        let list = "<plist><dict >\(inner)</dict></plist>"
        let document = try ConfigDocument(contentsOf: file("forms.plist", list))
        #expect(Set(document.entries.keys) == Set(["x", "y"].flatMap { ["\($0).a", "\($0).b"] }))

        let text = "<dict><key>a</key><key>a</key></dict>"
        let binary = try PropertyListSerialization.data(fromPropertyList: ["k": text], format: .binary, options: 0)
        let file = URL(filePath: try folder.write(binary, to: "text.plist"))
        #expect(try ConfigDocument(contentsOf: file).entries.mapValues(\.value) == ["k": .string(text)])
    }

    @Test func aFileThatIsNotThereIsNotFound() {
        let unnamed = #expect(throws: ConfigError.self) { try ConfigDocument(contentsOf: nil) }
        #expect(unnamed?.code == .notFound)
        let file = URL(filePath: folder["gone.json"])
        let gone = #expect(throws: ConfigError.self) { try ConfigDocument(contentsOf: file) }
        #expect(gone?.code == .notFound && gone?.source == "gone.json")
    }
}

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
