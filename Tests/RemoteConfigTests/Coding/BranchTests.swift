// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport
import Testing

@testable import RemoteConfig

struct BranchTests {
    private struct Theme: Codable, Equatable {
        struct Font: Codable, Equatable {
            var name: String
            var size: Int
        }

        var dark: Bool
        var colors: [RGBColor]
        var font: Font?
    }

    private func problem<Value: Decodable>(_ json: String, _ branch: String, as type: Value.Type) throws -> String? {
        let snapshot = try ConfigState.Snapshot(json: json)
        return RemoteConfigTests.problem { () throws(ConfigModel.ConfigError) in
            try snapshot.value(forKey: branch, as: type)
        }
    }

    @Test(arguments: [
        ##"{"theme": {"dark": true, "colors": ["#FFB6C1"], "font": {"name": "Mono", "size": 12}}, "themes": 1}"##,
        ##"{"theme.dark": true, "theme.colors": ["#FFB6C1"], "theme.font.name": "Mono", "theme.font": {"size": 12}}"##,
        """
        {"livery": 1, "entries": {
            "theme": {"dark": true, "colors": ["#FFB6C1"]}, "theme.font": {"name": "Mono"}, "theme.font.size": 12
        }}
        """,
        """
        {"livery": 1, "entries": {
            "theme.font": {"name": "Mono"}, "theme": {"dark": true, "colors": ["#FFB6C1"], "font": {"size": 12}}
        }}
        """,
    ])
    func keysAndObjectsOfABranchAreOneValue(_ json: String) throws {
        let snapshot = try ConfigState.Snapshot(json: json)
        let font = Theme.Font(name: "Mono", size: 12)
        let theme = Theme(dark: true, colors: [RGBColor(0xFFB6C1)], font: font)
        #expect(try snapshot.value(forKey: "theme", as: Theme.self) == theme)
        #expect(try snapshot.value(forKey: "theme.font", as: Theme.Font.self) == font)
    }

    @Test func aBranchWithoutKeysIsMissing() throws {
        let snapshot = try ConfigState.Snapshot(json: #"{"themes": {"dark": true}, "the": 1}"#)
        #expect(try snapshot.value(forKey: "theme", as: Theme.self) == nil)
        #expect(try ConfigState.Snapshot(json: "{}").value(forKey: "", as: Theme.self) == nil)
    }

    @Test func anErrorNamesTheKeyThatDoesNotFit() throws {
        let color = "{\n\"theme\": {\"dark\": true,\n \"colors\": [\"#FFB6C1\", 7]}}"
        #expect(
            try problem(color, "theme", as: Theme.self)
                == "config.json:3:12: theme.colors: at [1]: expected a colour such as #FFB6C1, found a number"
        )
        let font = #"{"livery": 1, "entries": {"theme": {"dark": true, "colors": [], "font": {"name": 1}}}}"#
        #expect(
            try problem(font, "theme", as: Theme.self)
                == "config.json:1:36: theme: at font.name: expected a string, found a number"
        )
        #expect(
            try problem(font, "theme.font", as: Theme.Font.self)
                == "config.json:1:36: theme: at font.name: expected a string, found a number"
        )
        let missing = #"{"theme": {"dark": true}}"#
        #expect(try problem(missing, "theme", as: Theme.self) == "config.json: theme: the member colors is missing")
    }

    @Test(arguments: [
        (
            #"{"theme.font": 3, "theme.font.size": 3}"#,
            """
            config.json:1:16: theme.font: conflict: theme.font is a value, but the key theme.font.size has values \
            below it; remove one
            """
        ),
        (
            #"{"livery": 1, "entries": {"theme": {"font": {"size": 3}}, "theme.font.size": 3}}"#,
            """
            config.json:1:36: theme: conflict: theme.font.size is a value, but the key theme.font.size sets another \
            value for it; remove one
            """
        ),
        (
            #"{"livery": 1, "entries": {"theme": {"font": [3]}, "theme.font.size": 3}}"#,
            """
            config.json:1:36: theme: conflict: theme.font is a value, but the key theme.font.size has values below it; \
            remove one
            """
        ),
        (
            #"{"livery": 1, "entries": {"theme": {"font": {}}, "theme.font": true}}"#,
            """
            config.json:1:64: theme.font: conflict: theme.font is a value, but the key theme has values below it; \
            remove one
            """
        ),
    ])
    func aKeyThatIsAValueAndABranchIsAnError(_ json: String, _ message: String) throws {
        #expect(try problem(json, "theme", as: Theme.self) == message)
    }

    @Test func anyValueThatIsSpreadOverKeysIsTheSameValue() throws {
        for seed in 0..<200 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let value = CodedValues(from: &random)
            guard case .object(let members) = try EntryValue(encoding: value) else { continue }
            // Each member is a separate key, or a member of an object that is the value of the branch.
            var (spread, kept): ([(key: String, value: EntryValue)], [EntryObject.Member]) = ([], [])
            for (name, value) in members {
                if Bool.random(using: &random) {
                    spread.append(("b.\(name)", value))
                } else {
                    kept.append((name, value))
                }
            }
            if !kept.isEmpty { spread.append(("b", .object(EntryObject(kept)))) }
            var json = JSONWriter()
            json.document(spread, isExact: true)
            let snapshot = try ConfigState.Snapshot(json: String(decoding: json.bytes, as: UTF8.self))
            #expect(try snapshot.value(forKey: "b", as: CodedValues.self) == value, "seed \(seed)")
        }
    }
}
