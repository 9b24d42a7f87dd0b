// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Configuration
import Foundation
import RemoteConfig
import RemoteConfigTesting
import Testing

/// Every way to read a value, in every case.
@Suite(.timeLimit(.minutes(5)))
struct ReadingTableTests {
    struct Item: Codable, Equatable {
        var title: String
        var size: Int?
    }

    enum Mood: String, Codable { case calm, wild }

    /// The result of reading a key.
    enum Outcome: Equatable {
        case value(String)
        case missing
        /// The default, and a problem with the key.
        case wrongType
    }

    private static let values: [String: EntryValue] = [
        "text": "Hi", "braces": "{brackets}", "number": 3, "decimal": 2.5, "flag": true, "color": "#FFB6C1",
        "version": "1.2.0",
        "url": "https://example.com/", "moment": "2026-01-02T03:04:05Z", "pause": "200ms", "seconds": 1.5,
        "data": "SGk=",
        "mood": "calm", "texts": ["a", "b"], "empty": [], "item": ["title": "Pie", "size": 2],
        "items": [["title": "Tea", "size": .null]], "theme": ["font": ["title": "Mono"]], "sizes": ["a": 1],
        "badColor": "pink", "badMood": "blue", "badURL": "cats", "badItem": ["size": 2], "badItems": [["title": 3]],
    ]

    private func outcomes<Value: Codable & Equatable & Sendable>(
        _ key: String,
        _ other: Value,
        _ state: ConfigState
    ) throws -> [String: Outcome] {
        func outcome(_ value: Value, _ problem: ConfigModel.ConfigError?) -> Outcome {
            if problem != nil { return value == other ? .wrongType : .value("both a value and a problem") }
            return value == other ? .missing : .value(String(describing: value))
        }
        func outcome(_ read: () throws(ConfigModel.ConfigError) -> Value?) -> Outcome {
            do throws(ConfigModel.ConfigError) {
                return try read().map { .value(String(describing: $0)) } ?? .missing
            } catch {
                return error.code == .typeMismatch && error.key?.hasPrefix(key) == true
                    ? .wrongType : .value("\(error)")
            }
        }
        /// A separate state for each way, with its own reports.
        func reporting(_ read: (ConfigState) throws -> Value) rethrows -> Outcome {
            let state = ConfigState(preview: Self.values)
            return outcome(try read(state), state.problems.first)
        }
        let inputs = { (state: ConfigState) in
            LinkInputs(remote: ObservedReader(ConfigReader(provider: RemoteConfigProvider(state: state))))
        }
        let definition = ConfigDefinition("d", default: other).remote(key)
        let (property, reader) = (
            RemoteValue(wrappedValue: other, key, in: state), ConfigReader(provider: RemoteConfigProvider(state: state))
        )
        return [
            "state": outcome { () throws(ConfigModel.ConfigError) in try state.value(forKey: key) },
            "snapshot": outcome { () throws(ConfigModel.ConfigError) in try state.current.value(forKey: key) },
            "Observation": outcome { () throws(ConfigModel.ConfigError) in
                try ObservableConfig(state).value(forKey: key)
            },
            "ConfigReader": outcome { () throws(ConfigModel.ConfigError) in try reader.value(forKey: ConfigKey(key)) },
            "snapshot of a ConfigReader": outcome { () throws(ConfigModel.ConfigError) in
                try reader.snapshot().value(forKey: ConfigKey(key))
            },
            "state with a default": reporting { $0.value(forKey: key, default: other) },
            "Observation with a default": reporting { ObservableConfig($0).value(forKey: key, default: other) },
            "ConfigReader with a default": reporting {
                ConfigReader(provider: RemoteConfigProvider(state: $0)).value(forKey: ConfigKey(key), default: other)
            },
            "property": reporting { RemoteValue(wrappedValue: other, key, in: $0).wrappedValue },
            "problem of a property": outcome(property.wrappedValue, property.problem),
            "definition": outcome(
                definition.value(from: inputs(state)),
                definition.explain(from: inputs(state)).problems.first
            ),
        ]
    }

    private func check<Value: Codable & Equatable & Sendable>(_ key: String, _ other: Value, _ expected: Outcome) throws
    {
        for isExact in [false, true] {
            let state = ConfigState(preview: Self.values, isExact: isExact)
            for (way, outcome) in try outcomes(key, other, state) {
                #expect(outcome == expected, "\(key) by \(way), not \(other)")
            }
        }
    }

    private func check<Value: Codable & Equatable & Sendable>(_ key: String, _ value: Value, or other: Value) throws {
        try check(key, other, .value(String(describing: value)))
        try check("none." + key, other, .missing)
    }

    @Test func valuesOfEveryTypeAreReadAlike() throws {
        try check("text", "Hi", or: "")
        try check("braces", "{brackets}", or: "")
        try check("number", 3, or: 0)
        try check("decimal", 2.5, or: 0)
        try check("number", 3.0, or: 0)
        try check("flag", true, or: false)
        try check("color", RGBColor(0xFFB6C1), or: RGBColor(0))
        try check("version", SemanticVersion(1, 2, 0), or: SemanticVersion(0, 0, 0))
        try check("url", try #require(URL(string: "https://example.com/")), or: URL(filePath: "/"))
        try check("moment", Date(timeIntervalSince1970: 1_767_323_045), or: .distantPast)
        try check("pause", Duration.milliseconds(200), or: .zero)
        try check("seconds", Duration.milliseconds(1500), or: .zero)
        try check("data", Data("Hi".utf8), or: Data())
        try check("mood", Mood.calm, or: .wild)
        try check("texts", ["a", "b"], or: [])
        try check("empty", [Int](), or: [1])
        try check("item", Item(title: "Pie", size: 2), or: Item(title: ""))
        try check("items", [Item(title: "Tea")], or: [])
        try check("theme", ["font": Item(title: "Mono")], or: [:])
        try check("theme.font", Item(title: "Mono"), or: Item(title: ""))
        try check("sizes", ["a": 1], or: [:])
        try check("text", Optional("Hi"), or: nil)
    }

    @Test func aValueOfAnotherTypeIsReportedAlike() throws {
        try check("text", 1, .wrongType)
        try check("number", "other", .wrongType)
        try check("decimal", 1, .wrongType)
        try check("flag", "other", .wrongType)
        try check("badColor", RGBColor(0), .wrongType)
        try check("badURL", URL(filePath: "/"), .wrongType)
        try check("badMood", Mood.wild, .wrongType)
        try check("texts", [1], .wrongType)
        try check("text", [String](), .wrongType)
        try check("badItem", Item(title: ""), .wrongType)
        try check("badItems", [Item](), .wrongType)
        try check("number", Item(title: ""), .wrongType)
    }
}
