// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

struct ConfigErrorTests {
    @Test(arguments: [
        ("{\n  \"a\": 1,\n  \"b\": }\n", #"  "b": }"#, 7), ("{\r\n\"a\": \"ä\" x}\r\n", #""a": "ä" x}"#, 9),
        ("\u{FEFF}{]", "{]", 1), ("{\"a\": 1", #"{"a": 1"#, 7),
    ])
    func aDocumentThatCannotBeReadShowsTheLine(json: String, line: String, offset: Int) throws {
        let error = #expect(throws: ConfigError.self) { try ConfigDocument(json: Array(json.utf8), source: "c") }
        #expect(error?.excerpt == ConfigError.Excerpt(line, offset: offset))
    }

    @Test func ofALongLineTheNeighbourhoodIsShown() throws {
        let (filling, end) = (String(repeating: "x", count: 5000), String(repeating: " ", count: 5000))
        let json = "{\"a\": \"\(filling)\", \"b\": }\(end)"
        let error = #expect(throws: ConfigError.self) { try ConfigDocument(json: Array(json.utf8), source: "c") }
        let excerpt = try #require(error?.excerpt)
        #expect(excerpt.text.unicodeScalars.count == 120 && excerpt.offset == 60)
        #expect(excerpt.text.unicodeScalars.dropFirst(60).first == "}")
    }

    @Test func descriptionIsOneLineOfKnownFacts() {
        let location = TextLocation(line: 3, column: 5)
        #expect(ConfigError(.syntax, "wrong").description == "wrong")
        #expect(ConfigError(.syntax, "wrong", source: "c.json").description == "c.json: wrong")
        #expect(ConfigError(.syntax, "wrong", location: location).description == "3:5: wrong")
        #expect(ConfigError(.syntax, "wrong", key: "a.b").description == "a.b: wrong")
        let whole = ConfigError(.syntax, "wrong", location: location).naming(source: "c.json").naming(key: "a.b")
        #expect(whole.description == "c.json:3:5: a.b: wrong")
        #expect("\(whole)" == whole.description)
    }

    @Test func equalityComparesVisibleParts() {
        struct Cause: Error {}
        let error = ConfigError(.syntax, "wrong", source: "s")
        #expect(error == ConfigError(.syntax, "wrong", source: "s", underlying: Cause()))
        #expect(error.hashValue == ConfigError(.syntax, "wrong", source: "s", underlying: Cause()).hashValue)
        #expect(error != ConfigError(.tooLarge, "wrong", source: "s"))
        #expect(error != ConfigError(.syntax, "wrong", source: "t"))
        #expect(error != ConfigError(.syntax, "wrong", source: "s", key: "k"))
        #expect(error != ConfigError(.syntax, "other", source: "s"))
    }
}
