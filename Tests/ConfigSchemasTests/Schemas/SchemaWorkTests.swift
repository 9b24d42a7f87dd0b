// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport
import Testing

@testable import ConfigSchemas

/// The work of checks, for any schema and value.
struct SchemaWorkTests {
    private static func schema(_ json: String) throws -> ConfigSchema { try ConfigSchema(json: Array(json.utf8)) }

    private static func isTooMuch(_ result: (violations: [SchemaViolation], work: Int)) -> Bool {
        result.violations.count == 1 && result.violations[0].message.contains("exceeds the step limit")
    }

    /// A schema of definitions d0, d1, …, each of which refers to the next one twice by a keyword.
    private static func doubling(_ count: Int, _ keyword: String, last: String) -> String {
        let definitions = (0..<count).map { number in
            let next = "{\"$ref\":\"#/$defs/d\(number + 1)\"}"
            return "\"d\(number)\":{\"\(keyword)\":[\(next),\(next)]}"
        }
        let all = definitions + ["\"d\(count)\":\(last)"]
        return "{\"$ref\":\"#/$defs/d0\",\"$defs\":{\(all.joined(separator: ","))}}"
    }

    @Test(arguments: [("allOf", "{\"type\":\"integer\"}"), ("anyOf", "false"), ("oneOf", "false"), ("oneOf", "true")])
    func schemasThatDoubleTheWorkAreStopped(keyword: String, last: String) throws {
        let schema = try Self.schema(Self.doubling(30, keyword, last: last))
        let result = schema.check(1, withinWork: 100_000)
        #expect(Self.isTooMuch(result))
        #expect(result.work <= 100_000 + 16)
        // Eight levels of it are within the budget.
        let small = try Self.schema(Self.doubling(8, keyword, last: last)).check(1)
        #expect(!Self.isTooMuch(small))
        #expect(small.work < 40_000)
    }

    @Test func patternsSpendTheSameBudget() throws {
        let schema = try Self.schema(#"{"items":{"pattern":"(x+x+)+(y{500})"}}"#)
        let value = EntryValue.array(Array(repeating: .string(String(repeating: "x", count: 600)), count: 100))
        let result = schema.check(value, withinWork: 100_000)
        #expect(Self.isTooMuch(result))
        #expect(result.work < 110_000)
    }

    /// A publish takes as long as its budget allows, whatever spends it.
    @Test func patternStepsAreChargedByCost() throws {
        let pattern = try Self.schema(#"{"pattern":"(?:a?){660}$"}"#)
        let keywords = try Self.schema(Self.doubling(30, "allOf", last: "{\"type\":\"integer\"}"))
        let text = EntryValue.string(String(repeating: "a", count: 6000))
        #expect(Self.timeOfTooMuch(pattern, text) < Self.timeOfTooMuch(keywords, 1) * 3)
    }

    /// The shortest time of several checks that use up the same work.
    private static func timeOfTooMuch(_ schema: ConfigSchema, _ value: EntryValue) -> Duration {
        var least = Duration.seconds(60)
        for _ in 0..<5 {
            let start = Duration.processorTime
            let result = schema.check(value, withinWork: 2_000_000)
            least = min(least, Duration.processorTime - start)
            #expect(isTooMuch(result))
        }
        return least
    }

    /// Keywords whose work depends on the size of what they look at spend by it.
    @Test(arguments: [#""format":"semver""#, #""format":"uri""#, #""minLength":9"#, #""pattern":"b""#])
    func longTextsSpendTheSameBudget(keyword: String) throws {
        let parts = Array(repeating: "{\(keyword)}", count: 2000).joined(separator: ",")
        let text = EntryValue.string("1.0.0-a" + String(repeating: ".a", count: 30_000))
        #expect(Self.isTooMuch(try Self.schema("{\"allOf\":[\(parts)]}").check(text, withinWork: 1_000_000)))
    }

    @Test(arguments: ["items", "contains", "propertyNames", "additionalProperties"])
    func schemasThatAllowEverythingSpendIt(keyword: String) throws {
        let part = keyword == "contains" ? #"{"not":{"contains":false}}"# : "{\"\(keyword)\":true}"
        let parts = Array(repeating: part, count: 2000)
        let schema = try Self.schema("{\"allOf\":[\(parts.joined(separator: ","))]}")
        let isArray = keyword == "items" || keyword == "contains"
        let members = (0..<3000).map { (key: String($0), value: EntryValue.null) }
        let value = isArray ? EntryValue.array(members.map(\.value)) : .object(EntryObject(members))
        #expect(Self.isTooMuch(schema.check(value, withinWork: 500_000)))
    }

    @Test func comparingLargeValuesSpendsTheSameBudget() throws {
        let members = (0..<3000).map { "\"\($0)\"" }.joined(separator: ",")
        let schema = try Self.schema("{\"items\":{\"enum\":[[\(members)]]}}")
        let value = EntryValue.array(Array(repeating: .array((0..<1000).map { .string(String($0)) }), count: 100))
        #expect(Self.isTooMuch(schema.check(value, withinWork: 500_000)))
        #expect(schema.check(value).violations.count == 100)
    }

    /// A schema of definitions h0, h1, …, each of which leads to the next one, and the last one to h0 for the member `a`.
    private static func hops(_ count: Int, by link: (String) -> String) -> String {
        let links = (0..<count).map { "\"h\($0)\":" + link("{\"$ref\":\"#/$defs/h\($0 + 1)\"}") }
        let last = """
            "h\(count)":{"type":["object","integer"],"properties":{"a":{"$ref":"#/$defs/h0"}}}
            """
        return "{\"$ref\":\"#/$defs/h0\",\"$defs\":{\((links + [last]).joined(separator: ","))}}"
    }

    /// Sequential checks of one value are limited by their work alone.
    @Test(arguments: [10, 60, 1000])
    func referencesInARowAreChecked(count: Int) throws {
        let value = (0..<26).reduce(EntryValue.integer(1)) { value, _ in ["a": value] }
        let wrong = (0..<26).reduce(EntryValue.string("x")) { value, _ in ["a": value] }
        for link in [{ $0 }, { "{\"allOf\":[\($0)]}" }, { "{\"anyOf\":[\($0)]}" }] as [(String) -> String] {
            let schema = try Self.schema(Self.hops(count, by: link))
            #expect(schema.violations(of: value) == [])
            #expect(schema.violations(of: wrong).count == 1)
            #expect(schema.check(value).work < ConfigSchema.maximumWork / 2)
        }
    }

    @Test func deepValuesAreCheckedWithinTheWork() throws {
        let schema = try Self.schema("{\"items\":{\"$ref\":\"#\"}}")
        let deep = { (levels: Int) in (0..<levels).reduce(EntryValue.integer(1)) { value, _ in .array([value]) } }
        #expect(schema.violations(of: deep(1000)) == [])
        #expect(Self.isTooMuch(schema.check(deep(1000), withinWork: 20_000)))
    }

    /// Looking for long names costs more than looking for short ones, wherever they are.
    @Test(arguments: ["required", "properties", "dependentRequired", "dependentSchemas"])
    func longNamesSpendTheSameBudget(keyword: String) throws {
        let name = String(repeating: "é", count: 1000)
        let others = (0..<8).map { (key: name + String($0), value: EntryValue.integer(1)) }
        let names: EntryValue = [.string(name + "8")]
        let inner: EntryValue = keyword == "dependentRequired" ? .array([]) : true
        let object: EntryValue = .object(EntryObject([(key: name + "8", value: inner)]))
        let part: EntryValue = .object(EntryObject([(key: keyword, value: keyword == "required" ? names : object)]))
        let references = EntryValue.array(Array(repeating: ["$ref": "#/$defs/a"], count: 1500))
        let schema = try ConfigSchema([
            "$defs": ["a": part], "not": ["not": ["anyOf": references, "oneOf": references]],
        ])
        #expect(schema.check(.object(EntryObject(others))).work > 1500 * 250)
    }

    /// A menu of the size that a publish may have costs a small part of what it may.
    @Test func ordinaryValuesAreFarFromTheLimit() throws {
        let schema = try Self.schema(
            ##"{"type":"array","items":{"$ref":"#/$defs/item"},"$defs":{"item":{"type":"object","required":["title","url"],"##
                + ##""properties":{"title":{"type":"string","maxLength":80,"pattern":"^[\\w .-]+$"},"url":{"format":"uri"},"##
                + ##""color":{"format":"color"},"items":{"type":"array","items":{"$ref":"#/$defs/item"}}},"##
                + ##""additionalProperties":false}}}"##
        )
        let item = EntryObject([
            (key: "title", value: "Home of all things"), (key: "url", value: "https://example.com/a/b?c=d"),
            (key: "color", value: "#FFB6C1"),
        ])
        let value = EntryValue.array(Array(repeating: .object(item), count: 600))
        #expect(value.isWithinMaximumBytes)
        let result = schema.check(value)
        #expect(result.violations == [])
        #expect(result.work < ConfigSchema.maximumWork / 8)
    }
}
