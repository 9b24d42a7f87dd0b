// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import TestSupport
import Testing

@testable import RemoteConfig

extension ConfigState.Snapshot {
    /// The state of a document.
    init(json: String) throws(ConfigModel.ConfigError) {
        let document = try ConfigDocument(json: Array(json.utf8), source: "config.json")
        let update = EntrySnapshot.empty.updated(with: document, from: "config.json", at: Timestamp(milliseconds: 0))
        self.init(snapshot: update.snapshot, status: SourceStatus(source: "config.json"))
    }
}

/// The message when a value cannot be read.
func problem<Value>(
    _ read: () throws(ConfigModel.ConfigError) -> Value,
    sourceLocation: SourceLocation = #_sourceLocation
) -> String? {
    do throws(ConfigModel.ConfigError) {
        let value = try read()
        Issue.record("\(value) was read", sourceLocation: sourceLocation)
        return nil
    } catch {
        #expect(error.code == .typeMismatch, sourceLocation: sourceLocation)
        return error.description
    }
}

struct ValueCodingTests {
    private struct Item: Codable, Equatable {
        var title: String
        var url: URL
        var children: [Item]?
    }

    @Test func anyTypeIsWrittenAsFoundationWritesItAndReadBack() throws {
        let foundation = JSONEncoder()
        foundation.dateEncodingStrategy = .iso8601
        for seed in 0..<2_000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let value = CodedValues(from: &random)
            let encoded = try EntryValue(encoding: value)
            let same = try EntryValue(json: Array(foundation.encode(value)))
            #expect(encoded == same, "seed \(seed)")
            // As it comes from the wire.
            let read = try EntryValue(json: Array(encoded.canonicalJSON.utf8))
            #expect(try read.value() == value, "seed \(seed)")
        }
    }

    @Test func aListOfThingsIsReadFromADocument() throws {
        let json = #"{"app": {"menu": [{"title": "Home", "url": "https://example.com", "children": [], "x": null}]}}"#
        let snapshot = try ConfigState.Snapshot(json: json)
        let home = Item(title: "Home", url: try #require(URL(string: "https://example.com")), children: [])
        #expect(try snapshot.value(forKey: "app.menu", as: [Item].self) == [home])
        #expect(try snapshot.value(forKey: "app.none", as: [Item].self) == nil)
        let encoded = try EntryValue(encoding: [home])
        #expect(encoded == [["title": "Home", "url": "https://example.com", "children": []]])
    }

    @Test(arguments: [
        (#"{"title": "a", "url": 3}"#, "at [1].url: expected a URL such as https://example.com, found a number"),
        (#"{"title": 3, "url": "https://a.b"}"#, "at [1].title: expected a string, found a number"),
        (#"{"title": null, "url": "https://a.b"}"#, "at [1].title: expected a string, found null"),
        (#"{"title": "a", "url": "b"}"#, #"at [1].url: expected a URL such as https://example.com, found "b""#),
        (#"{"title": "a"}"#, "at [1]: the member url is missing"),
        ("[]", "at [1]: expected an object, found an empty array"),
        (
            #"{"title": "a", "url": "https://a.b", "children": [{"title": ["x"]}]}"#,
            "at [1].children[0].title: expected a string, found an array of strings"
        ),
    ])
    func mismatchIsReportedWithItsPath(_ item: String, _ message: String) throws {
        let json = "{\n  \"app.menu\": [{\"title\": \"\", \"url\": \"https://a.b\"}, \(item)]}"
        let snapshot = try ConfigState.Snapshot(json: json)
        let said = problem { () throws(ConfigModel.ConfigError) in
            try snapshot.value(forKey: "app.menu", as: [Item].self)
        }
        #expect(said == "config.json:2:15: app.menu: \(message)")
    }

    @Test func aNumberHasToBeWithinItsType() throws {
        let snapshot = try ConfigState.Snapshot(
            json: #"{"a": [300], "b": [-1], "c": [1.5], "d": [1e300], "e": [127, -128]}"#
        )
        #expect(try snapshot.value(forKey: "e", as: Set<Int8>.self) == [127, -128])
        for (key, message) in [
            ("a", "at [0]: expected an integer from -128 to 127, found 300"),
            ("c", "at [0]: expected an integer from -128 to 127, found 1.5"),
        ] {
            let said = problem { () throws(ConfigModel.ConfigError) in
                try snapshot.value(forKey: key, as: Set<Int8>.self)
            }
            #expect(said?.hasSuffix(message) == true)
        }
        let negative = problem { () throws(ConfigModel.ConfigError) in
            try snapshot.value(forKey: "b", as: Set<UInt64>.self)
        }
        #expect(negative?.hasSuffix("at [0]: expected a non-negative integer, found -1") == true)
        let large = problem { () throws(ConfigModel.ConfigError) in
            try snapshot.value(forKey: "d", as: Set<Float>.self)
        }
        #expect(large?.hasSuffix("at [0]: expected a number, found 1e+300") == true)
    }

    @Test func theWordsOfATypesOwnCodeAreShown() throws {
        let snapshot = try ConfigState.Snapshot(
            json: #"{"a": {}, "moods": ["calm", "pink"], "colors": [{"a b": "pink"}]}"#
        )
        let mood = problem { () throws(ConfigModel.ConfigError) in
            try snapshot.value(forKey: "moods", as: [CodedValues.Mood].self)
        }
        #expect(mood?.hasSuffix("moods: at [1]: cannot initialize Mood from invalid String value pink") == true)
        let color = problem { () throws(ConfigModel.ConfigError) in
            try snapshot.value(forKey: "colors", as: [[String: RGBColor]].self)
        }
        #expect(color?.hasSuffix(#"at [0]["a b"]: expected a colour such as #FFB6C1, found "pink""#) == true)
    }

    @Test(arguments: [
        ("2026-01-02T03:04:05+01:00", 1_767_319_445.0), ("2026-01-02T03:04:05.5Z", 1_767_323_045.5),
        ("2026-01-02", nil),
        ("", nil), ("9", nil),
    ])
    func aMomentIsATextByISO8601(_ text: String, _ seconds: Double?) {
        #expect(Date(configValue: .string(text))?.timeIntervalSince1970 == seconds)
    }

    /// Longer ones would be more than Swift can count.
    @Test(
        arguments: [1e15, -1e15, 1e17, 1e21, 1e300, "1e15s", "1e300d", "-1e14h", "infs", "nans", "1e400ms"]
            as [EntryValue]
    )
    func aDurationIsLimited(_ value: EntryValue) throws {
        #expect(problem { () throws(ConfigModel.ConfigError) in try value.value(as: Duration.self) } != nil)
    }

    @Test func valuesBeyondJSONAreNotWritten() {
        func said(_ value: some Encodable) -> ConfigModel.ConfigError? {
            #expect(throws: ConfigModel.ConfigError.self) { try EntryValue(encoding: value) }
        }
        #expect(said(["a": [1, Double.nan]])?.description == "at a[1]: a number must be finite")
        #expect(said([Int.max])?.message.hasPrefix("at [0]: an integer must be within ±(2^53 − 1)") == true)
        #expect(said([Date.distantFuture.addingTimeInterval(1e12)])?.message.contains("years 0–9999") == true)
        #expect(said(String(repeating: "a", count: 70_000))?.code == .tooLarge)
        var deep = CodedValues.Shape.point
        for _ in 0..<20 { deep = .group([deep], name: nil) }
        #expect(said(deep)?.code == .tooLarge)
    }

    private class Animal: Codable {
        var name = "Tom"
        init() {}
    }

    private final class Cat: Animal {
        private enum CodingKeys: CodingKey { case lives, inner }
        var lives = 9

        override init() { super.init() }

        required init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            lives = try members.decode(Int.self, forKey: .lives)
            let inner = try members.nestedContainer(keyedBy: CodingKeys.self, forKey: .inner)
            #expect(try inner.decodeNil(forKey: .lives) && inner.decode(Bool.self, forKey: .inner))
            try super.init(from: members.superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(lives, forKey: .lives)
            var first = members.nestedContainer(keyedBy: CodingKeys.self, forKey: .inner)
            try first.encodeNil(forKey: .lives)
            var second = members.nestedContainer(keyedBy: CodingKeys.self, forKey: .inner)
            try second.encode(true, forKey: .inner)
            try super.encode(to: members.superEncoder())
        }
    }

    @Test func aClassAndItsSuperclassAreWrittenAndRead() throws {
        let cat = Cat()
        (cat.name, cat.lives) = ("Felix", 7)
        let encoded = try EntryValue(encoding: cat)
        #expect(encoded == ["lives": 7, "inner": ["lives": .null, "inner": true], "super": ["name": "Felix"]])
        let read = try ValueDecoder(encoded).decode(Cat.self)
        #expect(read.name == "Felix" && read.lives == 7)
    }
}
