// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Configuration
import Testing

@testable import RemoteConfig

struct TypeProblemsTests {
    private struct Font: Codable, Equatable {
        var name: String
        var size: Int
    }

    private let state = ConfigState(source: "test")

    @Test(
        arguments: [
            // A missing member; one of another type; a value and a branch at once, below and above the key.
            ("{}", #"{"theme.font.size": 1}"#), ("{}", #"{"theme.font": 3}"#),
            (#"{"theme.font.name": "Mono"}"#, #"{"theme.font.name": "Mono", "theme.font.size": "big"}"#),
            ("{}", #"{"livery": 1, "entries": {"theme.font": {"size": 1}}}"#),
            ("{}", #"{"livery": 1, "entries": {"theme.font": 1, "theme.font.size": 1}}"#),
            ("{}", #"{"livery": 1, "entries": {"theme": {"font": {"size": 2}}, "theme.font.size": 1}}"#),
        ]
    )
    func aProblemLastsAsLongAsTheValuesThatWereRead(before: String, wrong: String) throws {
        let font = Font(name: "Mono", size: 1)
        let none = Font(name: "", size: 0)
        try state.take(before)
        try state.take(wrong)
        #expect(state.value(forKey: "theme.font", default: none) == none)
        #expect(state.problems.count == 1)
        try state.take(#"{"theme.font.name": "Mono", "theme.font.size": 1}"#)
        #expect(state.problems == [])
        #expect(state.value(forKey: "theme.font", default: none) == font && state.problems == [])
        try state.take(wrong)
        #expect(state.problems.count == 1, "the same values have the same problem")
    }

    @Test func theWholeConfigurationMayHaveAProblem() throws {
        try state.take(#"{"size": 1}"#)
        #expect(state.value(forKey: "", default: Font(name: "", size: 0)).size == 0)
        #expect(state.problems.count == 1)
        try state.take(#"{"size": 1, "name": "Mono"}"#)
        #expect(state.problems == [])
        try state.take(#"{"size": "large", "name": "Mono"}"#)
        #expect(state.value(forKey: "", default: Font(name: "", size: 0)).size == 0)
        #expect(state.problems.map(\.code) == [.typeMismatch])
    }

    @Test(arguments: ["a b", "a..b", "ä", ".a"]) func everyWayToReadReportsAnInvalidKey(_ key: String) throws {
        let rule: EntryValue = ["variants": ["x": 1], "targeting": ["var": "x"]]
        let ways: [(ConfigState) throws -> Void] = [
            { #expect($0[key] == nil) },
            { #expect($0.current[key] == nil) },
            { #expect($0.values(for: EvaluationContext(targetingKey: "u"))[key] == nil) },
            { #expect(ConfigReader(provider: RemoteConfigProvider(state: $0)).int(forKey: ConfigKey([key])) == nil) },
            { state in
                let reader = ConfigReader(provider: RemoteConfigProvider(state: state)).snapshot()
                #expect(reader.int(forKey: ConfigKey([key])) == nil)
            },
        ]
        for (index, read) in ways.enumerated() {
            for state in [ConfigState(preview: ["a": 1]), ConfigState(preview: ["a": 1], rules: ["a": rule])] {
                try read(state)
                #expect(state.problems.map(\.code) == [.invalidKey] && state.problems.first?.key == key, "way \(index)")
            }
        }
    }

    @Test(arguments: ["a b", "a..b", "ä", ".a"]) func keyThatCannotBeIsReported(_ key: String) {
        let state = ConfigState(preview: ["a": 1])
        #expect(state.value(forKey: key, default: 7) == 7)
        #expect(state.value(forKey: key, default: ["x": 1]) == ["x": 1])
        #expect(state.problems.map(\.code) == [.invalidKey] && state.problems.first?.key == key)
        #expect { try state.value(forKey: key, as: Int.self) } throws: {
            ($0 as? ConfigModel.ConfigError)?.code == .invalidKey
        }
        #expect(state.value(forKey: "b", default: 7) == 7)
        #expect(state.problems.count == 1, "a missing key is no problem")
    }
}
