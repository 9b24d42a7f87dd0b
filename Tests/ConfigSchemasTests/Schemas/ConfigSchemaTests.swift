// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigSchemas
import Testing

/// The valid forms of a schema.
struct ConfigSchemaTests {
    private static func faults(_ json: String) throws -> [SchemaFault] {
        let error = try #require(throws: SchemaError.self) {
            try ConfigSchema(json: Array(json.utf8), source: "s.json")
        }
        #expect(error.source == "s.json")
        return error.faults
    }

    @Test(arguments: [
        "true", "false", "{}", #"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}"#,
        #"{"$comment":"c","title":"t","description":"d","default":null,"examples":[],"deprecated":true}"#,
        ##"{"$ref":"#/$defs/a~1b%25","$defs":{"a/b%":true}}"##,
        ##"{"properties":{"next":{"$ref":"#"}}}"##, ##"{"propertyNames":{"$ref":"#"}}"##,
        ##"{"prefixItems":[{"not":{"properties":{"a":{"$ref":"#/prefixItems/0/not"}}}}],"items":{"items":{"$ref":"#/items"}}}"##,
        ##"{"then":{"$ref":"#/else"},"else":{"minimum":1}}"##,
        #"{"minLength":2.0,"maxLength":2e0,"type":["string","null"]}"#,
    ])
    func isReadAndWrittenAsTheSame(json: String) throws {
        let schema = try ConfigSchema(json: Array(json.utf8))
        #expect(try ConfigSchema(json: Array(schema.canonicalJSON.utf8)) == schema)
        #expect(try schema.canonicalJSON == EntryValue(json: Array(json.utf8)).canonicalJSON)
    }

    @Test(arguments: [
        // Neither a schema nor a keyword.
        ("3", "", "a schema must be an object, true or false, not a number"),
        (#"{"items":[]}"#, "/items", "a schema must be an object"),
        (#"{"minimun":3}"#, "/minimun", "unsupported keyword 'minimun'"),
        (#"{"not":{"dependencies":{}}}"#, "/not/dependencies", "unsupported keyword"),
        (#"{"a\u001b":1}"#, "/a\u{1b}", "'a\\u001b'"),
        // Values of keywords.
        (#"{"type":"text"}"#, "/type", "one or more of"), (#"{"type":[]}"#, "/type", "one or more of"),
        (#"{"type":["null","null"]}"#, "/type", "without duplicates"), (#"{"enum":3}"#, "/enum", "array of values"),
        (#"{"minLength":-1}"#, "/minLength", "a non-negative integer"),
        (#"{"maxItems":1.5}"#, "/maxItems", "a non-negative integer"),
        (#"{"maximum":"3"}"#, "/maximum", "must be a number"), (#"{"multipleOf":0}"#, "/multipleOf", "greater than 0"),
        (#"{"multipleOf":-0.5}"#, "/multipleOf", "greater than 0"), (#"{"pattern":3}"#, "/pattern", "a string"),
        (#"{"pattern":"(?=a)"}"#, "/pattern", "invalid pattern (?=a): character 1: '(?=' looks ahead"),
        (#"{"patternProperties":{"a/[":true}}"#, "/patternProperties/a~1[", "character 3"),
        (#"{"format":"phone"}"#, "/format", "one of color, uri"), (#"{"format":3}"#, "/format", "a string"),
        (#"{"required":["a","a"]}"#, "/required", "without duplicates"),
        (#"{"required":[1]}"#, "/required", "an array of strings"),
        (#"{"required":"a"}"#, "/required", "an array of names"),
        (#"{"dependentRequired":{"a":"b"}}"#, "/dependentRequired", "names"),
        (#"{"allOf":[]}"#, "/allOf", "non-empty array"), (#"{"anyOf":{}}"#, "/anyOf", "non-empty array"),
        (#"{"prefixItems":[]}"#, "/prefixItems", "non-empty array"),
        (#"{"oneOf":[true,3]}"#, "/oneOf/1", "a schema must be an object"),
        (#"{"properties":[]}"#, "/properties", "object of schemas"),
        (#"{"$defs":true}"#, "/$defs", "object of schemas"),
        (#"{"uniqueItems":"yes"}"#, "/uniqueItems", "true or false"),
        (#"{"deprecated":1}"#, "/deprecated", "true or false"), (#"{"title":1}"#, "/title", "a string"),
        (#"{"contentMediaType":1}"#, "/contentMediaType", "a string"),
        (#"{"minContains":-1}"#, "/minContains", "a non-negative integer"),
        (#"{"dependentSchemas":[]}"#, "/dependentSchemas", "object of schemas"),
        (#"{"unevaluatedItems":[]}"#, "/unevaluatedItems", "a schema must be an object"),
        (#"{"examples":{}}"#, "/examples", "an array"), (#"{"then":4}"#, "/then", "a schema must be"),
        (#"{"if":4}"#, "/if", "a schema must be"),
        (#"{"$schema":"http://json-schema.org/draft-07/schema#"}"#, "/$schema", "unsupported dialect"),
        (#"{"not":{"$schema":"https://json-schema.org/draft/2020-12/schema"}}"#, "/not/$schema", "at the root"),
        // References.
        (#"{"$ref":"other.json"}"#, "/$ref", "unresolved reference"),
        (##"{"$ref":"#/$defs/a"}"##, "/$ref", "unresolved reference"),
        (##"{"$ref":"#anchor"}"##, "/$ref", "unresolved reference"), (#"{"$ref":""}"#, "/$ref", "infinite recursion"),
        (#"{"$ref":"https://json-schema.org/draft/2019-09/schema"}"#, "/$ref", "unresolved reference"),
        (##"{"$id":"a","$ref":"b#/$defs/c","$defs":{"c":{"$id":"b"}}}"##, "/$ref", "unresolved reference"),
        (
            ##"{"$dynamicRef":"#a","$defs":{"b":{"$id":"b","$dynamicAnchor":"a"}}}"##, "/$dynamicRef",
            "unresolved reference"
        ),
        (##"{"$id":"a#b"}"##, "/$id", "must not have a fragment"), (#"{"$id":1}"#, "/$id", "a string"),
        (#"{"$defs":{"a":{"$id":"x"},"b":{"$id":"./x"}},"$id":"http://h/"}"#, "/$defs/b/$id", "duplicate '$id'"),
        (#"{"$defs":{"a":{"$anchor":"x"},"b":{"$dynamicAnchor":"x"}}}"#, "/$defs/b/$dynamicAnchor", "duplicate anchor"),
        (#"{"$anchor":"1"}"#, "/$anchor", "invalid anchor"), (#"{"$anchor":"é"}"#, "/$anchor", "invalid anchor"),
        (#"{"$vocabulary":[]}"#, "/$vocabulary", "an object of Booleans"),
        (#"{"$ref":3}"#, "/$ref", "a string"),
        (##"{"$ref":"#/default","default":{}}"##, "/$ref", "unresolved reference"),
        (##"{"$ref":"#/%zz"}"##, "/$ref", "unresolved reference"),
        (##"{"allOf":[true],"not":{"$ref":"#/allOf/00"}}"##, "/not/$ref", "unresolved reference"),
        (##"{"$ref":"#"}"##, "/$ref", "infinite recursion"),
        (##"{"dependentSchemas":{"a":{"$ref":"#"}}}"##, "/dependentSchemas/a/$ref", "infinite recursion"),
        (##"{"$dynamicAnchor":"a","allOf":[{"$dynamicRef":"#a"}]}"##, "/allOf/0/$dynamicRef", "infinite recursion"),
        (##"{"anyOf":[true,{"$ref":"#"}]}"##, "/anyOf/1/$ref", "infinite recursion"),
        (##"{"if":{"$ref":"#"}}"##, "/if/$ref", "infinite recursion"),
        (##"{"not":{"else":{"$ref":"#/not"},"if":true}}"##, "/not/else/$ref", "infinite recursion"),
    ])
    func isRefusedWithThePlace(json: String, pointer: String, phrase: String) throws {
        let faults = try Self.faults(json)
        #expect(faults.map(\.pointer) == [pointer])
        #expect(faults.first?.message.contains(phrase) == true, "\(faults)")
    }

    @Test func allErrorsAreReportedTogether() throws {
        let faults = try Self.faults(
            ##"{"type":"x","properties":{"a":{"pattern":"["},"b":{"$ref":"#/c"}},"$defs":{"d":{"$ref":"#/$defs/e"},"e":{"$ref":"#/$defs/d"}},"foo":1}"##
        )
        let places = ["/foo", "/properties/a/pattern", "/type", "/properties/b/$ref", "/$defs/d/$ref", "/$defs/e/$ref"]
        #expect(faults.map(\.pointer).sorted() == places.sorted())
        let many = "{" + (0..<500).map { "\"k\($0)\":1" }.joined(separator: ",") + "}"
        #expect(try Self.faults(many).count == 100)
    }

    @Test func invalidJSONIsRejectedWithItsLine() throws {
        let faults = try Self.faults("{\n  \"type\": string\n}")
        #expect(faults.count == 1)
        #expect(faults.first?.location == TextLocation(line: 2, column: 11))
        let error = try #require(throws: SchemaError.self) { try ConfigSchema(json: Array("{".utf8), source: "a.json") }
        #expect(error.description.hasPrefix("a.json: 1:2: "))
        #expect(try Self.faults("null").count == 1)
    }

    @Test func limitsEqualThoseOfValues() throws {
        let nested = { (levels: Int) in
            String(repeating: #"{"not":"#, count: levels) + "true" + String(repeating: "}", count: levels)
        }
        #expect(throws: Never.self) { try ConfigSchema(json: Array(nested(32).utf8)) }
        #expect(try Self.faults(nested(33)).first?.message.contains("nested deeper") == true)
        #expect(try Self.faults(nested(50_000)).first?.message.contains("nested deeper") == true)
        let long = "{\"title\":\"" + String(repeating: "a", count: 65_535) + "\"}"
        #expect(try Self.faults(long).first?.message.contains("larger than 65535 bytes") == true)
    }

    @Test func patternsHaveALimitTogether() throws {
        let patterns = { (count: Int) in
            "{\"allOf\":[" + Array(repeating: #"{"pattern":"a{1000}"}"#, count: count).joined(separator: ",") + "]}"
        }
        #expect(throws: Never.self) { try ConfigSchema(json: Array(patterns(49).utf8)) }
        let faults = try Self.faults(patterns(51))
        #expect(faults.map(\.pointer) == ["/allOf/49/pattern", "/allOf/50/pattern"])
        #expect(faults.first?.message.hasPrefix("the patterns are too complex: more than 50000 steps") == true)
    }

    /// Names that are equal to Swift and not to JSON are two names.
    @Test func namesAreComparedByTheirScalars() throws {
        let schema = try ConfigSchema([
            "$defs": ["\u{E9}": ["type": "string"], "e\u{301}": ["type": "integer"]],
            "properties": ["\u{E9}": ["$ref": "#/$defs/%C3%A9"], "e\u{301}": ["$ref": "#/$defs/e%CC%81"]],
            "additionalProperties": false, "required": ["e\u{301}"],
            "dependentSchemas": ["\u{E9}": ["minProperties": 2]],
            "enum": [["\u{E9}": "a", "e\u{301}": 1], ["e\u{301}": 1]],
        ])
        #expect(schema.violations(of: ["\u{E9}": "a", "e\u{301}": 1]) == [])
        #expect(schema.violations(of: ["e\u{301}": 1]) == [])
        let keywords = schema.violations(of: ["\u{E9}": "a"]).map(\.keyword)
        #expect(keywords.sorted() == ["enum", "minProperties", "required"])
    }

    @Test func schemasReferToTheMetaschemas() throws {
        let schema = try ConfigSchema(json: Array(#"{"$ref":"https://json-schema.org/draft/2020-12/schema"}"#.utf8))
        #expect(schema.violations(of: ["properties": ["a": ["minLength": 1]]]) == [])
        let violation = try #require(schema.violations(of: ["properties": ["a": ["minLength": -1]]]).first)
        #expect(violation.pointer == "/properties/a/minLength")
    }
}
