// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import ConfigSchemas
import Configuration
import Foundation
import RemoteConfig
import RemoteConfigTesting
import TestSupport
import Testing

/// A schema accepts what a definition takes from a remote configuration, and nothing else: random values of every kind.
struct SchemaAgreementTests {
    /// A value of the remote key `k`, and inputs that have it.
    private struct Sample: Sendable {
        let value: EntryValue
        let inputs: LinkInputs

        init(_ value: EntryValue) {
            self.value = value
            let reader = ConfigReader(provider: RemoteConfigProvider(state: ConfigState(preview: ["k": value])))
            inputs = LinkInputs(remote: ObservedReader(reader, watching: .never, value: { _ in value }))
        }
    }

    /// Made once for all tests.
    private static let samples = values(count: 200) { $0.value(depth: 2) }.map(Sample.init)

    private static func values(count: Int, _ draw: (inout SeededGenerator) -> EntryValue) -> [EntryValue] {
        var random = SeededGenerator(seed: 1)
        return (0..<count).map { _ in draw(&random) } + SeededGenerator.texts.map(EntryValue.string)
    }

    /// The schema of a definition's remote key.
    private func schemas<Value>(of definition: ConfigDefinition<Value>) throws -> SchemaSet {
        let config = ConfigRepository()
        config.add(definition)
        return try SchemaSet(json: Array(try config.schemaDocument().utf8), source: "test")
    }

    /// - Parameter isExact: whether the schema refuses all that the definition does not take.
    private func check<Value: ConfigStorable>(
        _ value: Value,
        isExact: Bool = true,
        samples: [Sample] = samples,
        _ limit: (ConfigDefinition<Value>) -> ConfigDefinition<Value> = { $0 }
    ) throws {
        let definition = limit(ConfigDefinition("d", default: value).remote("k"))
        let schemas = try schemas(of: definition)
        var taken = 0
        for sample in samples {
            // For arrays and objects, a reader takes a text of JSON as well, as environment variables have it.
            if case .string(let text) = sample.value, "[{".contains(text.first ?? " ") { continue }
            let isTaken = definition.explain(from: sample.inputs).answeredBy == 0
            let isAccepted = schemas.violations(of: [(key: "k", value: sample.value)]).isEmpty
            if isTaken { taken += 1 }
            #expect(
                isTaken == isAccepted || !isTaken && !isExact,
                "\(sample.value.canonicalJSON) as \(Value.self): taken \(isTaken), accepted \(isAccepted)"
            )
        }
        #expect(taken > 1 && taken < samples.count, "the samples do not test \(Value.self): \(taken)")
    }

    @Test func scalars() throws {
        try check(true)
        try check(1)
        try check(1.5)
        try check("")
        try check(RGBColor(0))
        try check(SemanticVersion(1, 0, 0))
        try check(Date(timeIntervalSince1970: 0))
    }

    @Test func urls() throws {
        let url = try #require(URL(string: "https://example.com"))
        try check(url, isExact: false)
    }

    @Test func enums() throws {
        try check(Appearance.dark)
        try check(Level.low)
    }

    @Test func arrays() throws {
        try check([1])
        try check([1.5])
        try check([true])
        try check(["a"])
        try check([RGBColor(0)])
        try check([Appearance.dark])
        try check([Date(timeIntervalSince1970: 0)])
    }

    @Test func optionals() throws {
        try check(Int?.none)
        try check(RGBColor?.none)
        try check(Appearance?.none)
        try check([String]?.none)
    }

    @Test func limits() throws {
        try check(1) { $0.limited(to: -3...7) }
        try check(1.5) { $0.limited(to: 0.5...) }
        try check("abc") { $0.limited(toLength: 2...5) }
        try check("ac") { $0.matching(pattern: "[a-z]").matching(pattern: "^[^b]") }
        try check(1) { $0.oneOf([0, 1, 7]) }
        try check(1) { $0.oneOf(["None": 0, "One": 1]) }
        try check("a") { $0.oneOf(["a", "é", "e\u{301}", "dark"]) }
        try check([1]) { $0.limited(toCount: 1...2).limited(by: .elements(.range(0...))) }
        try check(Int?.none) { $0.limited(by: .unlessNil(.range(...3))) }
        try check(Int?.none) { $0.limited(by: .unlessNil(.options([1, 2]))) }
        try check(Appearance.dark) { $0.oneOf([.dark, .light]) }
        try check(RGBColor(0), isExact: false) { $0.oneOf([RGBColor(0), RGBColor(0xFFB6C1)]) }
    }

    @Test func codables() throws {
        struct Item: Codable, Equatable, ConfigStorable {
            var title: String
            var at: Date?
        }
        let objects = Self.values(count: 200) { random in
            let title = Bool.random(using: &random) ? "a" : random.value(depth: 0)
            return ["title": title, "at": random.value(depth: 0)]
        }
        let samples = objects.map(Sample.init)
        try check(Item(title: "a"), isExact: false, samples: samples)
        let arrays = objects.map { Sample([$0]) }
        try check([Item(title: "a")], isExact: false, samples: arrays)
        try check([Item](), isExact: false, samples: arrays)
    }

    /// Nil within an array is known to the converter only: a reader cannot represent it.
    @Test func optionalsInArrays() throws {
        let schemas = try schemas(of: ConfigDefinition("d", default: [Int?]()).remote("k"))
        let converter = [Int?].configConverter
        for value in Self.values(count: 200, { .array([$0.value(depth: 0), Bool.random(using: &$0) ? .null : 1]) }) {
            // A number that is an integer to the converter and not to a remote configuration.
            if value.canonicalJSON.contains("00000000000") { continue }
            let isRead = (try? converter.value(of: value)) != nil
            #expect(isRead == schemas.violations(of: [(key: "k", value: value)]).isEmpty, "\(value.canonicalJSON)")
        }
    }
}

extension SeededGenerator {
    static let texts = [
        "", "a", "ab", "abc", "Zz", "dark", "light", "high contrast", "é", "e\u{301}", "👩‍👩‍👧", "inf", "nan", "null", "1",
        "true",
        "#FFB6C1", "ffb6c1", "#abc", "#abcd", "#000000", "pink", "1.2.3", "1.2", "1.0.0-rc.1+b", "v1.0.0", ">=1.0.0",
        "01.0.0",
        "2026-11-23T08:30:00Z", "2026-11-23T08:30:00.5Z", "2026-11-23T08:30:00.1234Z", "2026-11-23T08:30:00+01:00",
        "2026-11-23t08:30:00z", "2026-02-30T08:30:00Z", "2016-12-31T23:59:60Z", "2026-11-23", "2026-11-23T24:00:00Z",
        "https://example.com", "https://example.com/a%20b?c=d#e", "mailto:me@example.com", "a:", "a:b", ":b",
        "//example.com/a",
        "example.com", "https://exa mple.com", "https://[::1]:80/", "https://[::1", "https://ä.example",
        "https://example.com/ä",
        "https://example.com:port/", "https://me:pw@example.com", "https://example.com/%zz", "http://a_b.example/\\",
        "urn:isbn:123", "file:///etc/passwd", "data:,a b", "https://", "https:", "http://exa<mple", "x://?#", "1a:b",
    ]

    /// A value of any kind that a remote configuration can have; `null` only within another one.
    mutating func value(depth: Int) -> EntryValue {
        switch Int.random(in: 0..<(depth > 0 ? 12 : 8), using: &self) {
        case 0: return .boolean(Bool.random(using: &self))
        case 1: return .integer(Int.random(in: -5...10, using: &self))
        case 2:
            return EntryValue(
                number: [0.5, 1.5, -2.25, 1e17, 1e300, -1e20, 2.5, 1e-7].randomElement(using: &self) ?? 0
            )
        case 3:
            return .integer([EntryValue.maximumInteger, -EntryValue.maximumInteger].randomElement(using: &self) ?? 0)
        case 4...7: return .string(Self.texts.randomElement(using: &self) ?? "")
        case 8: return ["title": value(depth: 0)]
        case 9: return .array((0..<2).map { _ in value(depth: 0) })
        default:
            // Elements of one kind, or most of them.
            let element = value(depth: 0)
            return .array((0..<Int.random(in: 0...3, using: &self)).map { _ in element })
        }
    }
}
