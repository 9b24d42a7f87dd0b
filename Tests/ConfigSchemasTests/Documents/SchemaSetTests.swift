import ConfigModel
import ConfigSchemas
import Testing

struct SchemaSetTests {
    private func document(_ schemas: String) throws(SchemaError) -> SchemaSet {
        try SchemaSet(json: Array(#"{"livery": 1, "schemas": \#(schemas)}"#.utf8), source: "s.json")
    }

    @Test func theSchemaOfTheKeyItselfOrOfItsLongestBeginningCounts() throws {
        let document = try document(
            #"{"*": {"const": 0}, "a.*": {"const": 1}, "a.b.*": {"const": 2}, "a.b.c": {"const": 3}, "x": {"const": 4}}"#
        )
        let names = [
            "a.b.c": "a.b.c", "a.b.d": "a.b.*", "a.b.c.d": "a.b.*", "a.b": "a.*", "a": "*", "ab.c": "*", "x": "x",
        ]
        for (key, name) in names { #expect(document.schema(forKey: key)?.name == name, "\(key)") }
        #expect(try self.document(#"{"a.*": true}"#).schema(forKey: "b") == nil)
    }

    @Test func theMistakesOfAllSchemasAreToldWithTheirPlaces() throws {
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

    @Test(arguments: [
        "", "{}", "[]", #"{"livery": 1}"#, #"{"schemas": {}}"#, #"{"livery": 2, "schemas": {}}"#,
        #"{"livery": 1, "schemas": []}"#, #"{"livery": 1, "schemas": {"a": {}, "a": {}}}"#,
        #"{"livery": 1, "schemas": {"a": {}}, "rules": {}}"#, #"{"livery": 1, "schemas": {"a": 1}}"#,
    ])
    func whatIsNoDocumentOfSchemasIsRefused(json: String) {
        let error = #expect(throws: SchemaError.self) { try SchemaSet(json: Array(json.utf8), source: "s.json") }
        #expect(error?.faults.count == 1)
        #expect(error?.description.hasPrefix("s.json: ") == true)
    }
}
