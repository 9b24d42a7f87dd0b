// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import ConfigWire
import TestSupport
import Testing

@testable import ConfigChanges

/// Changes that a server would refuse for its schemas are refused before they are sent.
struct NamespaceContentsTests {
    private let contents = NamespaceContents(
        values: ["app.color": "#FFB6C1", "app.size": 3, "app.old": "broken", "other": "x"],
        schemas: [
            "app.*": ["type": "integer"], "app.color": ["format": "color"], "menu": ["items": ["required": ["url"]]],
        ]
    )

    private func lines(
        values: [String: EntryValue] = [:],
        schemas: [String: EntryValue?] = [:],
        in contents: NamespaceContents? = nil
    ) -> [String] {
        let contents = contents ?? self.contents
        var next = contents
        next.values.merge(values) { $1 }
        for (name, schema) in schemas { next.schemas[name] = schema }
        do throws(ConfigError) {
            try contents.check(ConfigDiff(from: contents, to: next))
        } catch {
            #expect(error.code == .rejected)
            return error.violations.map(\.words)
        }
        return []
    }

    @Test func eachNewViolationIsReported() {
        #expect(lines(values: ["app.size": 4, "app.color": "#000000", "other": 1, "new": "x"]).isEmpty)
        #expect(
            lines(values: ["app.size": "big", "app.color": "pink", "menu": [["url": "a"], [:]], "app.new": 1.5]) == [
                #"app.color: "pink" is not a colour such as #FFB6C1"#,
                "app.new: 1.5 is a number, not an integer",
                #"app.size: "big" is a string, not an integer"#, #"menu: /1: the member "url" is missing"#,
            ]
        )
    }

    @Test(arguments: EquivalentNames.pairs)
    func evaluatorsThatOnlyLookTheSameAreApart(_ left: String, _ right: String) throws {
        let json = """
            {"livery": 1, "entries": {"a": 1}, "rules": {"$evaluators": {"\(left)": true, "\(right)": false},
            "a": {"variants": {"x": 1, "y": 2}, "defaultVariant": "x", "targeting": {"if": [{"$ref": "\(right)"}, "y", "x"]}}}}
            """
        let contents = NamespaceContents(of: try ConfigDocument(json: Array(json.utf8), source: "c.json"))
        #expect(try EvaluatedKey("a", in: contents, for: EvaluationContext()).value == 1)
        #expect(lines(values: ["a": 2], in: contents).isEmpty)
    }

    @Test func aValueThatWasBrokenBeforePreventsNothing() {
        #expect(lines(values: ["app.size": 9]).isEmpty)
        #expect(lines(schemas: ["other": ["type": "string"]]).isEmpty)
        #expect(lines(values: ["app.old": "still"]) == [#"app.old: "still" is a string, not an integer"#])
    }

    @Test func currentValuesAreCheckedByNewSchemas() {
        #expect(lines(schemas: ["app.size": ["maximum": 2]]) == ["app.size: 3 is more than 2"])
        #expect(lines(schemas: ["*": ["type": "integer"]]) == [#"other: "x" is a string, not an integer"#])
        // Without its own schema, the colour comes under that of its beginning.
        #expect(lines(schemas: ["app.color": nil]) == [##"app.color: "#FFB6C1" is a string, not an integer"##])
        #expect(lines(values: ["app.size": 2], schemas: ["app.size": ["maximum": 2]]).isEmpty)
        #expect(lines(schemas: ["app.*": nil]).isEmpty)
    }

    @Test func unreadableSchemaAllowsAnyValue() {
        let newer = NamespaceContents(schemas: ["app.*": false, "app.new.*": ["keywordOfTomorrow": 1]])
        #expect(lines(values: ["app.new.a": 1], in: newer).isEmpty)
        #expect(lines(values: ["app.a": 1], in: newer) == ["app.a: no value is allowed here, found 1"])
    }

    @Test func theLongestNameCounts() {
        #expect(contents.schema(forKey: "app.color") == ["format": "color"])
        #expect(contents.schema(forKey: "app.a.b") == ["type": "integer"])
        #expect(contents.schema(forKey: "other") == nil)
    }
}

struct SchemaWordsTests {
    @Test(
        arguments: [
            (["type": "string"], true), (["type": ["string"]], true), (["type": ["string", "null"]], true),
            (["type": ["string", "number"]], false), (["type": "null"], false), (["type": "number"], false),
            (["enum": ["1.0", "2.0"]], true), (["enum": ["1.0", .null]], true), (["enum": ["1.0", 2]], false),
            (["enum": [.null]], false), (["enum": ["a", 1], "allOf": [["type": "string"]]], true),
            (["const": "1"], true), (["const": 1], false), (["format": "semver"], false), (true, false), (false, false),
            (["allOf": [["maxLength": 3], ["type": "string"]]], true), (["anyOf": [["type": "string"]]], true),
            (["anyOf": [["const": "1.10"], ["const": "2.0"]]], true), (["oneOf": [["type": "null"]]], false),
            (["oneOf": [["type": "string"], ["type": "null"]]], true),
            (["anyOf": [["type": "string"], ["type": "number"]]], false),
            (["$ref": "#/$defs/v", "$defs": ["v": ["type": "string"]]], true),
            (["$ref": "#/$defs/v", "$defs": ["v": ["$ref": "#/$defs/v"]]], false),
        ] as [(EntryValue, Bool)]
    )
    func aSchemaSaysWhetherOnlyStringsKeepIt(schema: EntryValue, isSo: Bool) throws {
        #expect(SchemaSummary.allowsOnlyStrings(schema) == isSo)
        #expect(try ValueKind.value("1", like: nil, schema: schema) == (isSo ? "1" : 1))
    }

    @Test(
        arguments: [
            (["type": "string", "format": "color", "title": "Sky"], "string (color): Sky"),
            (["type": ["string", "null"], "description": "What"], "string or null: What"),
            (["enum": [1, 2, 3]], "one of 3"), (["const": 1], "1"), ([:], "any type"), (true, "anything"),
            (false, "nothing"), (["$ref": "#/$defs/a", "title": "A"], "any type: A"),
        ] as [(EntryValue, String)]
    )
    func aSchemaIsSummedUp(schema: EntryValue, words: String) {
        #expect(SchemaSummary.summary(of: schema) == words)
    }
}
