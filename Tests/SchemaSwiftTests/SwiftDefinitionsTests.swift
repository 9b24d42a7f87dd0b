// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import ConfigSchemas
import SchemaSwift
import TestSupport
import Testing

/// Schemas, the definitions that express them, and the schemas that these export.
struct SwiftDefinitionsTests {
    @Test("Generated schemas come back from their definitions", arguments: 0..<300)
    func schemasComeBack(seed: UInt64) throws {
        var generator = TypedKeyGenerator(seed: seed)
        let key = generator.key()
        #expect(try TypedKey(key.schema) == key)
        #expect(try key.exported() == key.schema)
        _ = try ConfigSchema(key.schema)
    }

    @Test(arguments: [
        (#"{"type": "integer"}"#, "a schema without a default"),
        (#"{"type": "integer", "default": 4, "multipleOf": 2}"#, "multipleOf"),
        (#"{"type": "object", "default": {}}"#, "its type"),
        (#"{"default": 1}"#, "its type"),
        (##"{"type": "string", "default": "#FFF", "format": "color"}"##, "its default"),
        (#"{"type": "string", "default": "a", "format": "uri"}"#, "format"),
        (#"{"type": "string", "default": 1}"#, "its default"),
        (#"{"type": "array", "items": {"type": "string", "title": "t"}, "default": []}"#, "items/title"),
        (#"{"type": "string", "default": "a", "allOf": [{"minLength": 1}]}"#, "allOf"),
        (#"{"type": "integer", "default": 1, "minimum": 0.5}"#, "minimum"),
        (#"{"type": "array", "items": {"type": "integer", "maximum": 1e300}, "default": []}"#, "maximum"),
        (#"true"#, "a schema without members"),
    ])
    func inexpressibleMembersAreNamed(schema: String, members: String) throws {
        let value = try EntryValue(json: Array(schema.utf8))
        let message = "a definition in Swift cannot express \(members)"
        #expect(SwiftDefinitions(["k": value]).problems == [ConfigError(.rejected, message, key: "k")])
    }

    @Test(arguments: [
        (#"{"type": "integer", "default": null, "minimum": 5, "maximum": 1}"#, "minimum 5 is greater than maximum 1"),
        (#"{"type": "number", "default": 1, "minimum": 1, "maximum": -0.5}"#, "minimum 1 is greater than maximum -0.5"),
        (
            #"{"type": ["string", "null"], "default": null, "minLength": 3, "maxLength": 2}"#,
            "minLength 3 is greater than maxLength 2"
        ),
        (
            #"{"type": "array", "items": {"type": "boolean"}, "default": [], "minItems": 2, "maxItems": 0}"#,
            "minItems 2 is greater than maxItems 0"
        ),
        (
            #"{"type": "array", "items": {"type": "integer", "minimum": 2, "maximum": 1}, "default": []}"#,
            "minimum 2 is greater than maximum 1"
        ),
    ])
    func contradictoryBoundsAreNamed(schema: String, message: String) throws {
        let value = try EntryValue(json: Array(schema.utf8))
        #expect(SwiftDefinitions(["k": value]).problems == [ConfigError(.rejected, message, key: "k")])
        _ = try ConfigSchema(value)
    }

    @Test func namesThatAreNotTheKeysOwnAreErrors() throws {
        let keys = [
            "add", "Add", "-", "app.speed", "app-speed", "appSpeed", "app.s", "app.*", "repository", "class", "1",
        ]
        let definitions = SwiftDefinitions(
            Dictionary(uniqueKeysWithValues: keys.map { ($0, ["type": "boolean", "default": true]) })
        )
        let problems = definitions.problems.map { "\($0.key ?? ""): \($0.message)" }
        #expect(
            problems == [
                "-: the key has no letter or digit for a Swift name",
                "Add: the Swift name 'add' is that of a function of the generated type",
                "add: the Swift name 'add' is that of a function of the generated type",
                "app-speed: the Swift name 'appSpeed' is also that of 'app.speed' and 'appSpeed'; rename one of the keys",
                "app.*: a definition requires a single key, not a pattern",
                "app.speed: the Swift name 'appSpeed' is also that of 'app-speed' and 'appSpeed'; rename one of the keys",
                "appSpeed: the Swift name 'appSpeed' is also that of 'app-speed' and 'app.speed'; rename one of the keys",
            ]
        )
        for name in ["appS", "repository", "`class`", "_1"] {
            #expect(definitions.text.contains("    static let \(name) = ConfigDefinition<Bool>("))
            #expect(definitions.text.contains("        repository.add(Self.\(name))\n"))
        }
        #expect(!definitions.text.contains("appSpeed"))
    }

    @Test func eachKeyIsAMemberWithItsDocumentation() throws {
        let schemas = #"""
            {"livery": 1, "schemas": {
              "app.speed": {"default": 1, "description": "How \"fast\"", "maximum": 1, "minimum": 0, "type": "number"},
              "app.tags": {"default": ["\\"], "items": {"type": "string", "maxLength": 9}, "maxItems": 3, "type": "array"},
              "class": {"default": null, "type": ["string", "null"], "format": "color"},
              "app-size": {"default": true, "type": "boolean"}}}
            """#
        let definitions = try SwiftDefinitions(json: Array(schemas.utf8), source: "test")
        #expect(definitions.problems.isEmpty)
        for text in [
            "    static let appSize = ConfigDefinition<Bool>(\"app-size\", default: true)\n",
            "    /// How \"fast\"\n    static let appSpeed = ConfigDefinition<Double>(\"app.speed\", default: 1)\n",
            ".limited(by: .range(0...1))",
            #"static let appTags = ConfigDefinition<[String]>("app.tags", default: ["\\"])"#,
            ".limited(by: .elements(.length(...9)))\n        .limited(by: .count(...3))\n",
            "static let `class` = ConfigDefinition<RGBColor?>(\"class\", default: nil)",
            "        repository.add(Self.`class`)\n",
        ] {
            #expect(definitions.text.contains(text), "\(definitions.text)")
        }
    }

    @Test func staleKeysAreNamed() throws {
        let old = SwiftDefinitions([
            "a": ["type": "boolean", "default": true], "b": ["type": "string", "default": ""],
            "c": ["type": "string", "default": ""],
        ])
        let new = SwiftDefinitions([
            "b": ["type": "string", "default": "x"], "c": ["type": "string", "default": ""],
            "d": ["type": "string", "default": ""],
        ])
        #expect(new.staleKeys(in: old.text) == ["a", "b", "d"])
        #expect(new.staleKeys(in: new.text).isEmpty)

        let json = Array(#"{"livery":1,"schemas":{"a":{"type":"boolean","default":true}}}"#.utf8)
        let kept = try SwiftDefinitions(json: json, source: "test", in: "ShopKeys", isPublic: true).text
        let again = try SwiftDefinitions(json: json, source: "test", like: kept)
        #expect(again.text == kept && again.staleKeys(in: old.text) == ["a", "b", "c"])
    }
}

/// Draws definitions that can be written in Swift.
private struct TypedKeyGenerator {
    private var values: ValueGenerator

    init(seed: UInt64) { values = ValueGenerator(seed: seed) }

    mutating func key() -> TypedKey {
        let scalar = TypedKey.Scalar.allCases.randomElement(using: &values.random) ?? .string
        let form = TypedKey.Form.allCases.randomElement(using: &values.random) ?? .plain
        var key = TypedKey(scalar, form, default: .null)
        if flip() { key.summary = values.text() }
        switch scalar {
        case .integer, .number: (key.limits.lowest, key.limits.highest) = (number(-50 ... -1), number(50...99))
        case .string:
            (key.limits.shortest, key.limits.longest) = (flip() ? 0 : nil, flip() ? 99 : nil)
            key.limits.patterns = ["", "^", "$"].filter { _ in flip() }
        case .boolean, .color: break
        }
        let isChosen = form != .optional && [.integer, .number, .string].contains(scalar) && flip()
        if isChosen {
            key.limits.options = (1...3).map { scalar == .string ? .string("option \($0)\"") : .integer($0) }
            if flip() { key.limits.optionNames = ["One", "T\"wo", "Thr\u{E9}e"] }
        }
        let values = (0..<3).map { _ in isChosen ? key.limits.options[0] : value(of: scalar) }
        switch form {
        case .plain: key.defaultValue = values[0]
        case .optional: key.defaultValue = flip() ? .null : values[0]
        case .array:
            (key.fewest, key.most) = (flip() ? 1 : nil, flip() ? 5 : nil)
            key.defaultValue = .array(values)
        }
        return key
    }

    private mutating func flip() -> Bool { Bool.random(using: &values.random) }

    private mutating func number(_ range: ClosedRange<Int>) -> EntryValue? {
        flip() ? .integer(Int.random(in: range, using: &values.random)) : nil
    }

    private mutating func value(of scalar: TypedKey.Scalar) -> EntryValue {
        switch scalar {
        case .boolean: .boolean(flip())
        case .integer: .integer(Int.random(in: -1...50, using: &values.random))
        case .number: flip() ? .double(0.5) : .integer(2)
        case .string: .string(String(String.UnicodeScalarView(values.text().unicodeScalars.prefix(90))))
        case .color: .string(RGBColor(UInt32.random(in: 0...0xFFFFFF, using: &values.random)).description)
        }
    }
}

extension TypedKey {
    /// The schema that a repository exports for the definition, made by the calls that its text in Swift has.
    fileprivate func exported() throws -> EntryValue? {
        switch scalar {
        case .boolean: try exported(as: Bool.self, [])
        case .integer: try exported(as: Int.self, numbers())
        case .number: try exported(as: Double.self, numbers())
        case .string:
            try exported(
                as: String.self,
                sizes(limits.shortest, limits.longest, { .length($0) }, { .length($0) }, { .length($0) })
                    + limits.patterns.map { .pattern($0) }
            )
        case .color: try exported(as: RGBColor.self, [])
        }
    }

    private func numbers<Number: ConfigStorable & Comparable & Numeric & CodedScalar>() -> [ValueLimit<Number>] {
        let bounds = [limits.lowest, limits.highest].map { $0.flatMap { Number(configValue: $0) } }
        return sizes(bounds[0], bounds[1], { .range($0) }, { .range($0) }, { .range($0) })
    }

    private func sizes<Bound: Comparable, Value>(
        _ lowest: Bound?,
        _ highest: Bound?,
        _ closed: (ClosedRange<Bound>) -> ValueLimit<Value>,
        _ from: (PartialRangeFrom<Bound>) -> ValueLimit<Value>,
        _ through: (PartialRangeThrough<Bound>) -> ValueLimit<Value>
    ) -> [ValueLimit<Value>] {
        switch (lowest, highest) {
        case (let lowest?, let highest?): [closed(lowest...highest)]
        case (let lowest?, nil): [from(lowest...)]
        case (nil, let highest?): [through(...highest)]
        case (nil, nil): []
        }
    }

    private func exported<Value: ConfigStorable & CodedScalar>(
        as type: Value.Type,
        _ limits: [ValueLimit<Value>]
    ) throws -> EntryValue? {
        var limits = limits
        let options = self.limits.options.compactMap { Value(configValue: $0) }
        switch (options.count, self.limits.optionNames) {
        case (0, _): break
        case (_, []): limits.append(.options(options))
        case (_, let names):
            limits.append(.options([names[0]: options[0], names[1]: options[1], names[2]: options[2]]))
        }
        switch (form, defaultValue) {
        case (.array, .array(let elements)):
            let counts: [ValueLimit<[Value]>] =
                sizes(fewest, most, { .count($0) }, { .count($0) }, { .count($0) })
            let value = elements.compactMap { Value(configValue: $0) }
            return try exported(value, limits.map { .elements($0) } + counts)
        case (.optional, let value): return try exported(Value(configValue: value), limits.map { .unlessNil($0) })
        case (_, let value): return try exported(#require(Value(configValue: value)), limits)
        }
    }

    private func exported<Value: ConfigStorable>(_ value: Value, _ limits: [ValueLimit<Value>]) throws -> EntryValue? {
        var definition = ConfigDefinition("d", default: value).remote("k")
        if let summary { definition = definition.described(summary) }
        for limit in limits { definition = definition.limited(by: limit) }
        let repository = ConfigRepository()
        repository.add(definition)
        return try SchemaSet(json: Array(repository.schemaDocument().utf8), source: "export").schemas["k"]?.value
    }
}
