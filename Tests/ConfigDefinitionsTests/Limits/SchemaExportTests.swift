// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import ConfigSchemas
import TestSupport
import Testing

/// The document that definitions are written out as.
struct SchemaExportTests {
    struct Item: Codable, Equatable, ConfigStorable {
        var title: String
    }

    /// The schemas of definitions by key, as JSON, of a document that is a valid one.
    private func schemas<each Value>(of definition: repeat ConfigDefinition<each Value>) throws -> [String: String] {
        let config = ConfigRepository()
        config.add(repeat each definition)
        return try SchemaSet(json: Array(try config.schemaDocument().utf8), source: "test").schemas.mapValues(
            \.canonicalJSON
        )
    }

    private func schema<Value: ConfigStorable>(_ value: Value) throws -> String? {
        try schemas(of: ConfigDefinition("d", default: value).remote("k"))["k"]
    }

    @Test func theDocumentIsSortedAndHasALineForEachMember() throws {
        let config = ConfigRepository()
        config.add(
            ConfigDefinition("title", default: "Hi").remote("app.title").limited(toLength: 1...80),
            ConfigDefinition("speed", default: 0.5).limited(to: 0...1).described("How fast").remote("app.speed"),
            ConfigDefinition("local", default: 1, remote: nil).stored(key: "app.local").environment("app.local")
        )
        let document = """
            {
              "livery": 1,
              "schemas": {
                "app.speed": {
                  "default": 0.5,
                  "description": "How fast",
                  "maximum": 1,
                  "minimum": 0,
                  "type": "number"
                },
                "app.title": {
                  "default": "Hi",
                  "maxLength": 80,
                  "minLength": 1,
                  "type": "string"
                }
              }
            }

            """
        #expect(try config.schemaDocument() == document)
        #expect(try ConfigRepository().schemaDocument() == "{\n  \"livery\": 1,\n  \"schemas\": {}\n}\n")
    }

    @Test func typesHaveTheirSchemas() throws {
        let most = EntryValue.maximumInteger
        #expect(try schema(true) == #"{"default":true,"type":"boolean"}"#)
        #expect(try schema(1) == #"{"default":1,"maximum":\#(most),"minimum":-\#(most),"type":"integer"}"#)
        #expect(try schema(1.5) == #"{"default":1.5,"type":"number"}"#)
        #expect(try schema(RGBColor(0)) == ##"{"default":"#000000","format":"color","type":"string"}"##)
        #expect(try schema([1.5]) == #"{"default":[1.5],"items":{"type":"number"},"type":"array"}"#)
        #expect(try schema(Double?.none) == #"{"default":null,"type":["number","null"]}"#)
        #expect(try schema(Appearance.dark) == #"{"default":"dark","enum":["light","dark","high contrast"]}"#)
        #expect(try schema(Level.low) == #"{"default":-1,"enum":[-1,7]}"#)
        #expect(
            try schema(Appearance?.none)
                == #"{"anyOf":[{"enum":["light","dark","high contrast"]},{"type":"null"}],"default":null}"#
        )
        #expect(try schema(Item(title: "a")) == #"{"default":{"title":"a"},"type":"object"}"#)
        #expect(try schema([Item]()) == #"{"default":[],"type":"array"}"#)
        #expect(
            try schema([Item(title: "a")]) == #"{"default":[{"title":"a"}],"items":{"type":"object"},"type":"array"}"#
        )
    }

    @Test func aDefaultThatNoRemoteConfigurationCanHaveIsLeftOut() throws {
        #expect(try schema(Double.infinity) == #"{"type":"number"}"#)
        #expect(try schema([Double.nan]) == #"{"items":{"type":"number"},"type":"array"}"#)
        #expect(try schema(Int.max)?.contains("default") == false)
    }

    @Test func limitsAreKeywords() throws {
        let count = ConfigDefinition("count", default: 3).remote("count").limited(to: 1...)
        let code = ConfigDefinition("code", default: "ab").remote("code").matching(pattern: "^a").matching(
            pattern: "b$"
        )
        let tags = ConfigDefinition("tags", default: ["a"]).remote("tags").limited(toCount: ...3)
            .limited(by: .elements(.length(1...))).limited(by: .elements(.length(...9)))
        let pace = ConfigDefinition("pace", default: 1).remote("pace").oneOf(["Slow": 1, "Fast": 10])
        let optional = ConfigDefinition("optional", default: Int?(1)).remote("optional")
            .limited(by: .unlessNil(.options([1, 2])))
        let sky = ConfigDefinition("sky", default: RGBColor(0)).remote("sky").oneOf([RGBColor(0)])
        let most = EntryValue.maximumInteger
        let integer = #""maximum":\#(most),"minimum":-\#(most),"#
        let expected = [
            "count": #"{"default":3,"maximum":\#(most),"minimum":1,"type":"integer"}"#,
            "code": #"{"allOf":[{"pattern":"b$"}],"default":"ab","pattern":"^a","type":"string"}"#,
            "tags":
                #"{"default":["a"],"items":{"maxLength":9,"minLength":1,"type":"string"},"maxItems":3,"type":"array"}"#,
            "pace": #"{"anyOf":[{"const":1,"title":"Slow"},{"const":10,"title":"Fast"}],"default":1,\#(integer)"#
                + #""type":"integer"}"#,
            "optional": #"{"anyOf":[{"type":"null"},{"enum":[1,2]}],"default":1,\#(integer)"type":["integer","null"]}"#,
            "sky": ##"{"default":"#000000","format":"color","type":"string"}"##,
        ]
        #expect(try schemas(of: count, code, tags, pace, optional, sky) == expected)
    }

    @Test func definitionsOfOneKeyAreJoined() throws {
        let title = ConfigDefinition("a", default: "x").remote("k")
        #expect(
            try schemas(of: title, ConfigDefinition("b", default: "x").remote("k"))["k"]
                == #"{"default":"x","type":"string"}"#
        )
        let joined = try schemas(of: title, ConfigDefinition("b", default: "xy").remote("k").limited(toLength: 1...))[
            "k"
        ]
        #expect(
            joined == #"{"allOf":[{"default":"x","type":"string"},{"default":"xy","minLength":1,"type":"string"}]}"#
        )
    }

    @Test func aKeyOfAFormerNameIsDescribedToo() throws {
        let title = ConfigDefinition("a", default: "x").remote("old").remote("new").lastGood()
        #expect(try schemas(of: title).keys.sorted() == ["new", "old"])
    }

    @Test func aSecretHasNoDefault() throws {
        let token = ConfigDefinition("token", default: "hunter2", isSecret: true).remote("token")
        #expect(try schemas(of: token) == ["token": #"{"type":"string"}"#])
    }

    @Test func aDefaultOutsideItsLimitsIsAnError() throws {
        let message = "the default of the definition violates its limits"
        #expect(throws: ConfigError(.typeMismatch, "\(message): 7 is not between 0 and 5", key: "n")) {
            try schemas(of: ConfigDefinition("n", default: 7).remote("k").limited(to: 0...5))
        }
        #expect(throws: ConfigError(.typeMismatch, message, key: "s")) {
            try schemas(of: ConfigDefinition("s", default: "no", isSecret: true).remote("k").matching(pattern: "^yes$"))
        }
    }

    @Test func aKeyThatCannotBeIsAnError() {
        #expect(throws: ConfigError(.invalidKey, "the key has an empty segment between dots", key: "a..b")) {
            try schemas(of: ConfigDefinition("n", default: 7).remote("a..b"))
        }
    }

    @Test func aTypeMayBringItsOwnSchema() throws {
        struct Even: Equatable, ConfigStorable {
            var half: Int
            static var configConverter: ValueConverter<Even> {
                Int.configConverter.mapped(typeName: "even number", schema: ["type": "integer", "multipleOf": 2]) {
                    $0.isMultiple(of: 2) ? Even(half: $0 / 2) : nil
                } from: {
                    $0.half * 2
                }
            }
        }
        #expect(try schema(Even(half: 2)) == #"{"default":4,"multipleOf":2,"type":"integer"}"#)
    }
}
