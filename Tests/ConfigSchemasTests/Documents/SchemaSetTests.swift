// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigSchemas
import Testing

struct SchemaSetTests {
    private func document(_ schemas: String) throws(SchemaError) -> SchemaSet {
        try SchemaSet(json: Array(#"{"livery": 1, "schemas": \#(schemas)}"#.utf8), source: "s.json")
    }

    @Test func longestMatchingSchemaApplies() throws {
        let document = try document(
            #"{"*": {"const": 0}, "a.*": {"const": 1}, "a.b.*": {"const": 2}, "a.b.c": {"const": 3}, "x": {"const": 4}}"#
        )
        let names = [
            "a.b.c": "a.b.c", "a.b.d": "a.b.*", "a.b.c.d": "a.b.*", "a.b": "a.*", "a": "*", "ab.c": "*", "x": "x",
        ]
        for (key, name) in names { #expect(document.schema(forKey: key)?.name == name, "\(key)") }
        #expect(try self.document(#"{"a.*": true}"#).schema(forKey: "b") == nil)
    }

    @Test func errorsOfAllSchemasHavePointers() throws {
        let error = try #require(throws: SchemaError.self) {
            try document(
                #"{"a": {"typ": "string"}, "b c": {}, "d": {"properties": {"e": {"format": "colour"}}}, "f.*.g": {}}"#
            )
        }
        #expect(
            error.faults.map(\.pointer).sorted() == [
                "/schemas/a/typ", "/schemas/b c", "/schemas/d/properties/e/format", "/schemas/f.*.g",
            ]
        )
        #expect(error.source == "s.json")
    }

    @Test func anExportIsADocumentOfItsSchemas() throws {
        let json = #"{"livery": 1, "entries": {"a": {"b": 1}}, "schemas": {"a": {}}, "rules": {"a": {"variants": {}}}}"#
        #expect(try SchemaSet(json: Array(json.utf8), source: "export.json").schemas.keys.sorted() == ["a"])
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"livery": 1}"#, #"{"schemas": {}}"#, #"{"livery": 2, "schemas": {}}"#,
        #"{"livery": 1, "schemas": []}"#, #"{"livery": 1, "schemas": {"a": {}, "a": {}}}"#,
        #"{"livery": 1, "schemas": {"a": {}}, "rulez": {}}"#, #"{"livery": 1, "schemas": {"a": 1}}"#,
    ])
    func invalidSchemaDocumentsAreRejected(json: String) {
        let error = #expect(throws: SchemaError.self) { try SchemaSet(json: Array(json.utf8), source: "s.json") }
        #expect(error?.faults.count == 1)
        #expect(error?.description.hasPrefix("s.json: ") == true)
    }

    /// An enumeration with a title for each choice looks at each of them, which is no reason to refuse many values.
    @Test func valuesThatAreValidByThemselvesAreValidTogether() throws {
        let choices = (0..<40).map { EntryValue.object(EntryObject([("const", .integer($0)), ("title", "Option")])) }
        let set = try SchemaSet(["p.*": ["anyOf": .array(choices)]])
        let values = (0..<50_000).map { (key: "p.k\($0)", value: EntryValue.integer(39)) }
        #expect(set.violations(of: values).isEmpty)
    }

    @Test func workOfManyValuesIsBounded() throws {
        let set = try SchemaSet(["*": ["type": "string", "pattern": "^(?:a|b|ab){1,40}c$", "format": "uri"]])
        // The usual work of schemas is allowed for any number of values.
        let plain = try SchemaSet(["*": ["type": "string", "format": "uri"]])
        let many = (0..<20_000).map { (key: "k\($0)", value: EntryValue.string("https://a.example/\($0)/x/y/z?q=1")) }
        #expect(plain.violations(of: many).isEmpty)
        let text = EntryValue.string(String(repeating: "ab", count: 2000))
        let hostile = (0..<300).map { (key: "k\(1000 + $0)", value: text) }
        let found = set.violations(of: hostile)
        #expect(found.count == ConfigSchema.maximumViolations)
        #expect(found.allSatisfy { $0.schema == "*" })
        // None of these is too much work by itself.
        let long = EntryValue.string(String(repeating: "ab", count: 500))
        let costly = (0..<300).map { (key: "k\(1000 + $0)", value: long) }
        let others = try SchemaSet(["*": ["type": "string", "pattern": "(?:a|b|ab){1,200}c?$"]])
        #expect(others.violations(of: costly.prefix(3)).isEmpty)
        let last = try #require(others.violations(of: costly).first)
        #expect(last.violation.message.hasPrefix("validating the values exceeds the step limit"))
    }
}
