// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import ConfigSchemas
import Configuration
import Foundation
import RemoteConfig
import RemoteConfigTesting
import Testing

/// Each scalar has one coding: every way to read a value reads the same, alone, in an optional, in an array, and in a structure.
@Suite(.timeLimit(.minutes(5)))
struct ScalarCodingTests {
    enum Mood: String, CaseIterable, ConfigStorable { case calm, one = "1" }

    struct Box<Content: ConfigStorable>: ConfigStorable { var content: Content }

    private func read<Value>(_ body: () throws -> Value?) -> Value? {
        // Whether it is read is the question.
        (try? body()) ?? nil
    }

    private func check<Value: ConfigStorable>(
        as type: Value.Type,
        _ json: EntryValue,
        _ expected: Value?,
        isStored: Bool
    ) async throws {
        for isExact in [true, false] {
            for (way, value) in try await reads(as: type, json, isExact: isExact, isStored: isStored) {
                #expect(value == expected, "\(json.canonicalJSON) as \(type) by \(way)")
            }
        }
        let converter = Value.configConverter
        if !isStored, !converter.form.isText || json.isString {
            let (value, text) = (read { try converter.value(of: json) }, converter.form.text(of: json))
            #expect(value == expected, "\(json.canonicalJSON) as \(type) by its converter")
            #expect(read { try converter.value(ofText: text) } == expected, "\(text) as \(type) by an editor")
        }
        guard let expected else { return }
        let written = try EntryValue(encoding: expected)
        #expect(written == converter.json(of: expected), "\(type) is written in one form")
        #expect(try written.value(as: type) == expected && converter.value(of: written) == expected)
        let definitions = ConfigRepository()
        definitions.add(ConfigDefinition("k", default: expected))
        let schemas = try SchemaSet(json: Array(definitions.schemaDocument().utf8), source: "test")
        for json in [json, written] {
            #expect(schemas.violations(of: [(key: "k", value: json)]).isEmpty, "the schema of \(type) and \(json)")
        }
    }

    private func reads<Value: ConfigStorable>(
        as type: Value.Type,
        _ json: EntryValue,
        isExact: Bool,
        isStored: Bool
    ) async throws -> [String: Value?] {
        let state = ConfigState(preview: ["k": json], isExact: isExact)
        try #require(state.current.status.problem == nil)
        let provider = RemoteConfigProvider(state: state)
        let reader = ConfigReader(provider: provider)
        func defined(_ inputs: LinkInputs) -> Value? {
            ConfigDefinition("d", default: Value?.none).remote("k").value(from: inputs)
        }
        var reads: [String: Value?] = [
            "the value": read { try json.value(as: type) },
            "a state": read { try state.value(forKey: "k", as: type) },
            "a state with a default": state.value(forKey: "k", as: Value?.self, default: nil),
            "a snapshot": read { try state.current.value(forKey: "k", as: type) },
            "Observation": read { try ObservableConfig(state).value(forKey: "k", as: type) },
            "a property": RemoteValue(wrappedValue: Value?.none, "k", in: state).wrappedValue,
            "a reader": read { try reader.value(forKey: "k", as: type) },
            "a snapshot of a reader": read { try reader.snapshot().value(forKey: "k", as: type) },
            "a reader with a default": reader.value(forKey: "k", as: Value?.self, default: nil),
            "a fetching reader": try? await reader.fetchValue(forKey: "k", as: type),
            "a definition": defined(.remote(provider)),
        ]
        for await value in state.observe("k", as: type) {
            reads["an observer"] = .some(value)
            break
        }
        if !isStored, let content = json.content {
            let memory = InMemoryProvider(values: ["k": ConfigValue(content, isSecret: false)])
            reads["a definition over memory"] = defined(.remote(memory))
        }
        return reads
    }

    /// - Parameter isStored: whether this machine may have the value, in a store or in another provider.
    private func check<Value: ConfigStorable>(
        _ type: Value.Type,
        _ values: [(json: EntryValue, value: Value?)],
        isStored: Bool = false
    ) async throws {
        for (json, value) in values {
            try await check(as: type, json, value, isStored: isStored)
            try await check(as: Value?.self, json, value.map(Optional.some), isStored: isStored)
            try await check(as: [Value].self, [json], value.map { [$0] }, isStored: isStored)
            try await check(as: [Value?].self, [json, .null], value.map { [$0, nil] }, isStored: isStored)
            try await check(as: [[Value]].self, [[json], []], value.map { [[$0], []] }, isStored: isStored)
            try await check(as: Box<Value>.self, ["content": json], value.map { Box(content: $0) }, isStored: isStored)
        }
    }

    private static let most = EntryValue.maximumInteger

    private func checkInteger<Value: FixedWidthInteger & ConfigStorable>(_ type: Value.Type) async throws {
        let (least, most) = (max(Int(clamping: Value.min), -Self.most), min(Int(clamping: Value.max), Self.most))
        try await check(
            type,
            [
                (3, 3), (.integer(most), Value(most)), (.integer(least), Value(least)), (1.5, nil), ("1", nil),
                (true, nil),
            ] + (most < Self.most ? [(.integer(most + 1), nil), (.integer(least - 1), nil)] : [])
        )
        try await check(type, [(.double(Double(Self.most) + 1), nil)], isStored: true)
        #expect(try EntryValue.double(1).value(as: type) == 1 && type.configConverter.value(of: .double(1)) == 1)
        let state = ConfigState(preview: ["k": .double(1)], isExact: true)
        #expect(ConfigDefinition("k", default: Value(0)).value(from: .remote(RemoteConfigProvider(state: state))) == 1)
    }

    @Test func integersOfAllWidths() async throws {
        try await checkInteger(Int.self)
        try await checkInteger(Int8.self)
        try await checkInteger(Int16.self)
        try await checkInteger(Int32.self)
        try await checkInteger(Int64.self)
        try await checkInteger(UInt.self)
        try await checkInteger(UInt8.self)
        try await checkInteger(UInt16.self)
        try await checkInteger(UInt32.self)
        try await checkInteger(UInt64.self)
    }

    @Test func numbers() async throws {
        try await check(Double.self, [(2.5, 2.5), (3, 3), (1e300, 1e300), ("1", nil), (false, nil)])
        try await check(Double.self, [("inf", nil), ("-inf", nil), ("nan", nil)], isStored: true)
        try await check(Float.self, [(0.1, 0.1), (3, 3), (1e300, nil), ("inf", nil)])
        try await check(Decimal.self, [(0.1, Decimal(string: "0.1")), (3, 3), ("1", nil), ("nan", nil)])
    }

    @Test func textsAndFlags() async throws {
        try await check(Bool.self, [(true, true), (false, false), (1, nil), ("true", nil)])
        try await check(String.self, [("Hi", "Hi"), ("{a}", "{a}"), ("[1", "[1"), ("1", "1"), ("", ""), (1, nil)])
        try await check(Mood.self, [("calm", .calm), ("1", .one), ("Calm", nil), (1, nil)])
        try await check(Level.self, [(7, .high), (-1, .low), (8, nil), ("7", nil)])
    }

    @Test func textsOfOtherTypes() async throws {
        let (color, version, range) = (RGBColor(0xFFB6C1), SemanticVersion("1.2.3"), VersionRange("^1.2"))
        try await check(
            RGBColor.self,
            [("#FFB6C1", color), ("ffb6c1", color), ("#aBc", RGBColor(0xAABBCC)), ("pink", nil), (1, nil)]
        )
        try await check(SemanticVersion.self, [("1.2.3", version), ("1.2", nil), ("v1.2.3", nil), (1, nil)])
        try await check(VersionRange.self, [("^1.2", range), ("pink", nil), (1, nil)])
        try await check(
            URL.self,
            ["https://example.com/a?b=c,d", "mailto:me@example.com"].map { (.string($0), URL(string: $0)) }
                + ["/a", "a", "//example.com/a", "https://", "https://exa mple.com", ""].map { (.string($0), nil) }
        )
        try await check(Data.self, [("SGk=", Data("Hi".utf8)), ("1234", Data(base64Encoded: "1234")), ("!", nil)])
    }

    @Test func momentsAndDurations() async throws {
        func moment(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }
        try await check(
            Date.self,
            [
                ("2026-11-21T08:30:00Z", moment(1_795_249_800)), ("2026-11-21T08:30:00+02:00", moment(1_795_242_600)),
                ("2026-11-21T08:30:00.5-00:30", moment(1_795_251_600.5)),
                ("2026-11-21T08:30:00.1234567Z", moment(1_795_249_800.123)),
                ("2024-02-29T00:00:00Z", moment(1_709_164_800)), ("2023-02-29T00:00:00Z", nil),
                ("2016-12-31T23:59:60Z", nil), ("2026-11-21t08:30:00z", nil), ("2026-11-21T08:30:00+0200", nil),
                ("2026-11-21T08:30:00", nil), ("2026-11-21T08:30:00.Z", nil), ("2026-11-21", nil), ("2026", nil),
                ("0", nil), (0, nil),
                ("inf", nil), ("0000-01-01T00:00:00+14:00", nil), ("é026-11-21T08:30:00Z", nil), ("", nil),
            ]
        )
        try await check(
            Duration.self,
            [
                ("200ms", .milliseconds(200)), (1.5, .milliseconds(1500)), (3, .seconds(3)), ("2h", .seconds(7200)),
                ("90", nil), ("infs", nil), ("nan", nil), (1e15, nil), (true, nil),
            ]
        )
    }

    @Test func aMomentIsWrittenToTheMillisecond() throws {
        for (seconds, text) in [(0.0, "2001-01-01T00:00:00Z"), (0.0005, "2001-01-01T00:00:00.001Z")] {
            let moment = Date(timeIntervalSinceReferenceDate: seconds)
            #expect(Date.configConverter.text(of: moment) == text)
            #expect(try EntryValue(encoding: moment) == .string(text))
        }
        for seconds in [Double.infinity, 1e300] {
            #expect(Date.configConverter.json(of: Date(timeIntervalSinceReferenceDate: seconds)) == .null)
        }
    }

    /// A number that no configuration has may be in this machine's stores.
    @Test(arguments: [Double.infinity, -.infinity, -0.0, 1e300])
    func aStoreHasEveryNumber(_ number: Double) throws {
        let converter = [Double?].configConverter
        #expect(try converter.value(ofText: converter.text(of: [number, nil])) == [number, nil])
    }
}

extension EntryValue {
    fileprivate var isString: Bool { if case .string = self { true } else { false } }

    /// The value as a provider of typed values has it; `nil` if it cannot have it.
    fileprivate var content: ConfigContent? {
        switch self {
        case .string(let text): .string(text)
        case .integer(let number): .int(number)
        case .double(let number): .double(number)
        case .boolean(let flag): .bool(flag)
        case .object: .string(canonicalJSON)
        case .null: nil
        case .array:
            elements(as: String.self).map { .stringArray($0) } ?? elements(as: Bool.self).map { .boolArray($0) }
                ?? elements(as: Int.self).map { .intArray($0) } ?? elements(as: Double.self).map { .doubleArray($0) }
        }
    }
}
