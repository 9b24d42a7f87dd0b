// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigSchemas
import Testing

/// The messages for values that violate a schema.
struct SchemaViolationTests {
    private static func violations(_ schema: String, _ value: String) throws -> [SchemaViolation] {
        try ConfigSchema(json: Array(schema.utf8)).violations(of: try EntryValue(testJSON: value))
    }

    @Test(arguments: [
        (#"{"type":"integer"}"#, #""a""#, #""a" is a string, not an integer"#),
        (#"{"type":["string","null"]}"#, "1.5", "1.5 is a number, not a string or null"),
        (#"{"type":"boolean"}"#, "[1]", "[1] is an array of numbers, not a Boolean"),
        (#"{"type":"boolean"}"#, "null", "null is null, not a Boolean"),
        (#"{"enum":["a",1,null]}"#, #""b""#, #""b" is not one of "a", 1 or null"#),
        (#"{"const":{"a":1}}"#, "1", #"1 is not {"a":1}"#),
        (#"{"minimum":2}"#, "1", "1 is less than 2"), (#"{"maximum":2}"#, "2.5", "2.5 is more than 2"),
        (#"{"exclusiveMinimum":2}"#, "2", "2 is not more than 2"),
        (#"{"exclusiveMaximum":2}"#, "2", "2 is not less than 2"),
        (#"{"multipleOf":0.1}"#, "0.35", "0.35 is not a multiple of 0.1"),
        (#"{"minLength":3}"#, #""é""#, #""é" has 1 characters, fewer than 3"#),
        (#"{"maxLength":1}"#, #""ab""#, #""ab" has 2 characters, more than 1"#),
        (#"{"pattern":"^a+$"}"#, #""b""#, #""b" does not match the pattern ^a+$"#),
        (#"{"format":"color"}"#, #""pink""#, #""pink" is not a colour such as #FFB6C1"#),
        (#"{"format":"ipv4"}"#, #""x""#, #""x" is not an IPv4 address such as 192.0.2.1"#),
        (#"{"minItems":1}"#, "[]", "the array has 0 elements, fewer than 1"),
        (#"{"maxItems":1}"#, "[1,2]", "the array has 2 elements, more than 1"),
        (#"{"minProperties":1}"#, "{}", "the object has 0 members, fewer than 1"),
        (#"{"maxProperties":0}"#, #"{"a":1}"#, "the object has 1 members, more than 0"),
        (#"{"uniqueItems":true}"#, "[1,2,1.0]", "duplicate elements 0 and 2 in the array"),
        (#"{"contains":{"type":"null"}}"#, "[1]", "no element of the array matches 'contains'"),
        (
            #"{"contains":{"const":1},"minContains":2}"#, "[1]",
            "only 1 elements of the array match 'contains', fewer than 2"
        ),
        (
            #"{"contains":{"const":1},"maxContains":1}"#, "[1,1,1]",
            "more than 1 elements of the array match 'contains'"
        ),
        (#"{"unevaluatedItems":false}"#, "[1]", "/0: no value is allowed here, found 1"),
        (#"{"prefixItems":[true],"items":false}"#, "[1,2]", "the array has more than 1 elements"),
        (#"{"required":["a"]}"#, "{}", #"the member "a" is missing"#),
        (#"{"dependentRequired":{"a":["b"]}}"#, #"{"a":1}"#, #"the member "b" is missing; "a" requires it"#),
        (
            #"{"properties":{"a":{},"b":{}},"additionalProperties":false}"#, #"{"c":1}"#,
            #"/c: the member "c" is not in the schema; allowed: "a" and "b""#
        ),
        (#"{"properties":{"a/b":{"minimum":3}}}"#, #"{"a/b":1}"#, "/a~1b: 1 is less than 3"),
        (#"{"items":{"items":{"minimum":3}}}"#, "[[],[3,1]]", "/1/1: 1 is less than 3"),
        (#"{"properties":{"a":false}}"#, #"{"a":1}"#, "/a: no value is allowed here, found 1"),
        (
            #"{"propertyNames":{"maxLength":1}}"#, #"{"ab":1}"#,
            #"the name "ab" is not allowed: "ab" has 2 characters, more than 1"#
        ),
        (#"{"not":{"type":"null"}}"#, "null", "null matches the schema of 'not'"),
        (#"{"if":{"type":"string"},"then":{"minLength":2},"else":{"minimum":3}}"#, "1", "1 is less than 3"),
        (
            #"{"oneOf":[{"minimum":1},{"type":"string"},{"maximum":3}]}"#, "2",
            "the value matches schemas 1 and 3 of 'oneOf' instead of exactly one"
        ),
        (
            #"{"anyOf":[{"type":"string"},{"required":["a"],"properties":{"b":{"minimum":3}}}]}"#, #"{"b":1}"#,
            #"the value matches none of the 2 schemas of 'anyOf'; schema 2: /b: 1 is less than 3; the member "a" is missing"#
        ),
    ])
    func messagesAreSentences(schema: String, value: String, sentence: String) throws {
        #expect(try Self.violations(schema, value).map(\.description) == [sentence])
    }

    @Test func namePointersLimitAndFoundValue() throws {
        let schema =
            ##"{"properties":{"menu":{"items":{"$ref":"#/$defs/item"}}},"$defs":{"item":{"properties":{"size":{"maximum":10}}}}}"##
        let violation = try #require(try Self.violations(schema, #"{"menu":[{},{"size":12}]}"#).first)
        #expect(violation.pointer == "/menu/1/size")
        #expect(violation.keywordPointer == "/$defs/item/properties/size/maximum")
        #expect(violation.keyword == "maximum")
        #expect(violation.limit == 10)
        #expect(violation.found == 12)
    }

    @Test func areReportedTogetherUpToAHundred() throws {
        let schema = #"{"required":["x"],"properties":{"a":{"type":"string"},"b":{"minimum":5,"multipleOf":2}}}"#
        #expect(try Self.violations(schema, #"{"a":1,"b":3}"#).map(\.pointer) == ["/a", "/b", "/b", ""])
        let elements = (0..<500).map { _ in "1" }.joined(separator: ",")
        #expect(try Self.violations(#"{"items":{"type":"string"}}"#, "[\(elements)]").count == 100)
    }

    /// For any value and schema, a message is one short line without control characters.
    @Test func messagesAreShortLines() throws {
        let long = String(repeating: #"\u001b[2J\n\u2028"#, count: 200)
        for (schema, value) in [
            (#"{"const":"\#(long)"}"#, #""\#(long)""#), (#"{"required":["\#(long)"]}"#, "{}"),
            (#"{"enum":["\#(long)"]}"#, "1"),
            (#"{"additionalProperties":false}"#, #"{"\#(long)":1}"#),
            (#"{"propertyNames":{"maxLength":3}}"#, #"{"\#(long)":1}"#),
            (#"{"anyOf":[{"properties":{"\#(long)":false}}]}"#, #"{"\#(long)":1}"#),
            (#"{"pattern":"^\#(long.replacing("[", with: ""))$"}"#, #""a""#),
        ] {
            for violation in try Self.violations(schema, value.replacing("2J", with: "2K")) {
                #expect(violation.message.unicodeScalars.count <= 400)
                #expect(
                    violation.description.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{2028}" },
                    "\(schema)"
                )
            }
        }
    }

    @Test func theBranchForTheValuesTypeIsTheNearest() throws {
        let schema = #"{"oneOf":[{"type":"string"},{"type":"object","required":["a","b","c"]},{"type":"null"}]}"#
        let violation = try #require(try Self.violations(schema, "{}").first)
        #expect(
            violation.causes.map(\.keywordPointer) == ["/oneOf/1/required", "/oneOf/1/required", "/oneOf/1/required"]
        )
    }
}
