// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import Testing

@testable import LiveryScreens

struct DocumentTextTests {
    private func edited(_ json: String, _ changes: [KeyChange]) throws -> String {
        var text = DocumentText(Array(json.utf8))
        try text.apply(ConfigDiff(changes), source: "config.json")
        return String(decoding: text.bytes, as: UTF8.self)
    }

    @Test(
        "Only the entry is rewritten",
        arguments: [
            ("{ \"a\" : 1.0,\n\t\"b\": [1,  2] }\n", "a", 2, "{ \"a\" : 2,\n\t\"b\": [1,  2] }\n"),
            ("{\"app\": {\"x\": 1, \"y\": {\"z\": 2}}}", "app.y.z", 3, "{\"app\": {\"x\": 1, \"y\": {\"z\": 3}}}"),
            ("{\n  \"a\": 1,\n  \"b\": 2\n}", "a", nil, "{\n  \"b\": 2\n}"),
            ("{\n  \"a\": 1,\n  \"b\": 2\n}", "b", nil, "{\n  \"a\": 1\n}"),
            ("{\"a\\\"b\": 1, \"c\": 1}", "c", 2, "{\"a\\\"b\": 1, \"c\": 2}"),
            ("{\n  \"a\": 1\n}\n", "b", true, "{\n  \"a\": 1,\n  \"b\": true\n}\n"),
            ("{}\n", "a.b", "x", "{\"a.b\": \"x\"}\n"),
            (
                "{\"app\": {\n    \"x\": 1\n}, \"b\": 2}", "app.y", 2,
                "{\"app\": {\n    \"x\": 1,\n    \"y\": 2\n}, \"b\": 2}"
            ),
            (
                "{\"livery\": 1, \"entries\": {\"a\": {\"x\": 1}}}", "a", ["x": 2],
                "{\"livery\": 1, \"entries\": {\"a\": {\"x\":2}}}"
            ),
            (
                "{\"livery\": 1, \"schemas\": {\"a\": true}}", "a", 1,
                "{\"livery\": 1, \"schemas\": {\"a\": true}, \"entries\": {\"a\":1}}"
            ),
        ] as [(String, String, EntryValue?, String)]
    )
    func editsInPlace(json: String, key: String, value: EntryValue?, expected: String) throws {
        #expect(try edited(json, [KeyChange(key: key, old: .null, new: value)]) == expected)
    }

    @Test func longValueHasALineForEachPart() throws {
        let value = EntryValue.array((0..<30).map { .string("element \($0)") })
        let text = try edited("{\n  \"a\": 1,\n  \"b\": 2\n}\n", [KeyChange(key: "a", old: 1, new: value)])
        #expect(text.hasPrefix("{\n  \"a\": [\n    \"element 0\",\n"))
        #expect(text.hasSuffix("\n  ],\n  \"b\": 2\n}\n"))
    }

    @Test(
        "A change that the document cannot represent is refused",
        arguments: [
            ("{\"a\": 1}", KeyChange(key: "b", old: nil, new: ["x": 1])),
            ("{\"a\": 1}", KeyChange(key: "a", kind: .rule, old: nil, new: ["variants": ["x": 1]])),
        ]
    )
    func rejectsUnrepresentableChanges(json: String, change: KeyChange) {
        #expect(throws: ConfigError.self) { try edited(json, [change]) }
    }
}
