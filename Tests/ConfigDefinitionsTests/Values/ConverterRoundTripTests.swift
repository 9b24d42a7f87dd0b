// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Foundation
import TestSupport
import Testing

/// Random values through the converter, through the text of the stored JSON, and back: 42,000 in all, or as many of
/// each kind as the variable `LIVERY_ROUND_TRIPS` sets.
struct ConverterRoundTripTests {
    private static let least = ProcessInfo.processInfo.environment["LIVERY_ROUND_TRIPS"].flatMap { Int($0) } ?? 0

    private func check<Value: ConfigStorable>(
        _ count: Int,
        isSame: (Value, Value) -> Bool = { $0 == $1 },
        _ draw: (inout SeededGenerator) -> Value
    ) throws {
        let converter = Value.configConverter
        var random = SeededGenerator(seed: UInt64(count))
        for _ in 0..<max(count, Self.least) {
            let value = draw(&random)
            let json = try EntryValue(text: converter.json(of: value).canonicalJSON)
            for read in [try converter.value(of: json), try converter.value(ofText: converter.text(of: value))] {
                if !isSame(read, value) { Issue.record("\(value) was read back as \(read)") }
            }
        }
    }

    @Test func booleans() throws {
        try check(2500) { Bool.random(using: &$0) }
    }

    @Test func integers() throws {
        try check(5000) { $0.integer() }
    }

    @Test func doubles() throws {
        try check(5000, isSame: { $0.bitPattern == $1.bitPattern || ($0.isNaN && $1.isNaN) }) {
            Double(bitPattern: $0.next())
        }
    }

    @Test func strings() throws {
        try check(5000, isSame: { Array($0.utf8) == Array($1.utf8) }) { $0.text() }
    }

    @Test func colours() throws {
        try check(5000) { RGBColor(UInt32.random(in: 0...0xFFFFFF, using: &$0)) }
    }

    @Test func datesOfMilliseconds() throws {
        try check(2000) { Date(timeIntervalSince1970: Double($0.integer() % 60_000_000_000_000) / 1000) }
    }

    @Test func urls() throws {
        try check(1500) { random in
            let path = random.text().addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            return URL(string: "https://example.com/\(path)?q=\(path)") ?? URL(filePath: "/")
        }
    }

    @Test func versions() throws {
        try check(2000) { random in
            let numbers = (0..<3).map { _ in String(Int.random(in: 0...1000, using: &random)) }
            return SemanticVersion(numbers.joined(separator: "."))
        }
    }

    @Test func optionals() throws {
        try check(3000) { Bool.random(using: &$0) ? $0.text() : nil }
    }

    /// An array that was split at commas would break an element with one.
    @Test func arraysWithCommasQuotesEmojiAndNewlines() throws {
        try check(3000) { random in (0..<Int.random(in: 0..<5, using: &random)).map { _ in random.text() } }
    }

    @Test func arraysOfOptionalsAndOfArrays() throws {
        try check(2000) { random -> [Int?] in
            (0..<Int.random(in: 0..<5, using: &random)).map { _ in Bool.random(using: &random) ? random.integer() : nil
            }
        }
        try check(1000) { random -> [[Bool]] in
            (0..<Int.random(in: 0..<4, using: &random)).map { count in
                (0..<count).map { _ in Bool.random(using: &random) }
            }
        }
    }

    @Test func enumsByTheirRawValue() throws {
        try check(2000) { Appearance.allCases.randomElement(using: &$0) ?? .light }
        try check(2000) { Level.allCases.randomElement(using: &$0) ?? .low }
    }

    @Test func codables() throws {
        try check(1000) { random in
            Margins(left: random.integer(), names: [random.text(), random.text()], ratio: random.double())
        }
    }
}

enum Appearance: String, CaseIterable, ConfigStorable { case light, dark, highContrast = "high contrast" }

enum Level: Int, CaseIterable, Codable, ConfigStorable { case low = -1, high = 7 }

struct Margins: Codable, Equatable, Sendable, ConfigStorable {
    var left: Int
    var names: [String]
    var ratio: Double
}

extension SeededGenerator {
    /// Any integer, small and large ones alike.
    mutating func integer() -> Int {
        Int(truncatingIfNeeded: next()) >> Int.random(in: 0..<64, using: &self)
    }

    /// Any finite double.
    mutating func double() -> Double {
        while true {
            let number = Double(bitPattern: next())
            if number.isFinite { return number }
        }
    }

    /// A text with all that has ever broken a format.
    mutating func text() -> String {
        let pieces = [
            ",", "\"", "\\", "\n", "\r\n", "\t", "\0", "\u{1B}", "😸", "👩‍👩‍👧", "é", "e\u{301}", "[", "]", "{", "null", " ",
            "a", "Z9",
        ]
        var text = ""
        for _ in 0..<Int.random(in: 0..<8, using: &self) { text += pieces.randomElement(using: &self) ?? "" }
        return text
    }
}
