// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport
import Testing

struct ConfigDocumentErrorTests {
    /// Without its type, this takes the compiler a second or two.
    private static let faultsOfSyntax: [(json: String, place: String, message: String)] = [
        ("", "1:1", "the document is empty; write at least {}"),
        ("\r\n\n ", "3:2", "the document is empty; write at least {}"),
        ("\u{FEFF}", "1:1", "the document is empty; write at least {}"),
        ("\u{FEFF}\u{FEFF}{}", "1:1", "expected '{' to open an object, found another character"),
        ("{\u{FEFF}}", "1:2", "expected a key in quotes, found another character"),
        ("[]", "1:1", "expected '{' to open an object, found '['"),
        ("é", "1:1", "expected '{' to open an object, found another character"),
        ("{", "1:2", "unexpected end of input; expected a key in quotes"),
        ("{a:1}", "1:2", "expected a key in quotes, found 'a'"),
        ("{“a”:1}", "1:2", "expected a key in quotes, found another character"),
        ("{\n  // note\n}", "2:3", "expected a key in quotes, found '/'"),
        (#"{"a"}"#, "1:5", "expected ':' after the key, found '}'"),
        (#"{"a"=1}"#, "1:5", "expected ':' after the key, found '='"),
        (#"{"a""#, "1:5", "unexpected end of input; expected ':' after the key"),
        (#"{"a":"#, "1:6", "unexpected end of input; expected a value"),
        (#"{"a":}"#, "1:6", "expected a value, found '}'"),
        (#"{"a":1"#, "1:7", "unexpected end of input; expected '}' or ',' after a value"),
        (#"{"a":1,"#, "1:8", "unexpected end of input; expected a key in quotes"),
        (#"{"a":1,}"#, "1:8", "expected a key in quotes, found '}'"),
        (#"{"a":1 "b":2}"#, "1:8", "expected '}' or ',' after a value, found '\"'"),
        ("{\"a\":1\n\n \"b\":2}", "3:2", "expected '}' or ',' after a value, found '\"'"),
        (#"{"a":"x"y"}"#, "1:9", "expected '}' or ',' after a value, found 'y'"),
        (#"{"a":pink}"#, "1:6", "expected a value, found 'pink'; put strings in quotes"),
        (#"{"a":truex}"#, "1:6", "expected a value, found 'truex'; put strings in quotes"),
        (#"{"a":true1}"#, "1:10", "expected '}' or ',' after a value, found '1'"),
        (#"{"a":trUe}"#, "1:6", "expected a value, found 'tr'; put strings in quotes"),
        (
            #"{"a":aaaaabbbbbcccccddddde}"#, "1:6",
            "expected a value, found 'aaaaabbbbbcccccddddd'; put strings in quotes"
        ),
        (#"{"a":é}"#, "1:6", "expected a value, found another character"),
        (#"{"a":\#u{A0}1}"#, "1:6", "expected a value, found another character"),
        (#"{"a":[1"#, "1:8", "unexpected end of input; expected ']' or ',' in the array"),
        (#"{"a":["#, "1:7", "unexpected end of input; expected a value"),
        (#"{"a":[1,]}"#, "1:9", "expected a value, found ']'"),
        (#"{"a":[1 2]}"#, "1:9", "expected ']' or ',' in the array, found '2'"),
        ("{}x", "1:3", "expected the end of input, found 'x'"),
        ("{}\0", "1:3", "expected the end of input, found another character"),
        ("{\u{B}}", "1:2", "expected a key in quotes, found another character"),
    ]

    @Test(arguments: faultsOfSyntax)
    func syntaxErrorsHaveTheirPosition(json: String, place: String, message: String) {
        let error = problem(in: json)
        #expect(error?.code == .syntax)
        #expect(error?.location?.description == place)
        #expect(error?.message == message)
    }

    @Test(arguments: [
        (#"{"a":null}"#, "1:6", "a", "null is not a value; remove the key instead"),
        (#"{"a":{"b": null}}"#, "1:12", "a.b", "null is not a value; remove the key instead"),
        (#"{"a":[{"b":1e999}]}"#, "1:12", "a", "the number is too large for a double; use a string"),
    ])
    func unsupportedValuesAreSkipped(json: String, place: String, key: String, message: String) {
        let error = problem(in: json)
        #expect(error?.code == .unsupportedValue)
        #expect(error?.description == "d.json:\(place): \(key): \(message)")
    }

    @Test(arguments: [
        (#"{"":1}"#, "1:2", "", "is empty"),
        (#"{"a":{"":1}}"#, "1:7", "a.", "has an empty segment between dots"),
        (#"{"a..b":1}"#, "1:2", "a..b", "has an empty segment between dots"),
        (#"{"a.":{"b":1}}"#, "1:2", "a.", "has an empty segment between dots"),
        (#"{"a":{".b":1}}"#, "1:7", "a..b", "has an empty segment between dots"),
        (#"{"x":1, "a b":1}"#, "1:9", "a b", "must contain only ASCII letters, digits, '.', '-' and '_'"),
        (#"{"é":1}"#, "1:2", "é", "must contain only ASCII letters, digits, '.', '-' and '_'"),
        (#"{"a\nb":1}"#, "1:2", #"a\u000ab"#, "must contain only ASCII letters, digits, '.', '-' and '_'"),
        (#"{"\u001b[2J":{}}"#, "1:2", #"\u001b[2J"#, "must contain only ASCII letters, digits, '.', '-' and '_'"),
    ])
    func keysThatBreakTheRuleAreLeftOut(json: String, place: String, key: String, phrase: String) {
        let error = problem(in: json)
        #expect(error?.code == .invalidKey)
        #expect(error?.location?.description == place)
        #expect(error?.key == key)
        #expect(error?.message == "the key \(phrase)")
    }

    /// Each line has a key that cannot be stored, for any value.
    @Test func theRestOfADocumentCounts() throws {
        let long = String(repeating: "x", count: 70_000)
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        let document = try document(
            """
            {"a": null, "kept.a": 1,
             "b": "\(long)", "kept": {"b": 2,
             "c d": {"e": [1, {"f": 2}], "e": 3}, "c": 3},
             "e": \(deep), "kept.e": 5,
             "f": [1e999, {"g": "}\\""}], "kept.f": 6}
            """
        )
        #expect(
            document.entries.mapValues(\.value) == ["kept.a": 1, "kept.b": 2, "kept.c": 3, "kept.e": 5, "kept.f": 6]
        )
        #expect(document.problems.map { $0.location?.description } == ["1:7", "2:7", "3:2", "4:7", "5:8"])
        #expect(document.problems.map(\.key) == ["a", "b", "kept.c d", "e", "f"])
        #expect(
            document.problems.map(\.code) == [.unsupportedValue, .tooLarge, .invalidKey, .tooLarge, .unsupportedValue]
        )
        #expect(document.leftOut.count == 5)
        #expect(document.problem?.message.hasSuffix("(and 4 more)") == true)
    }

    /// A value that cannot be stored must still be valid JSON, and its key can be a duplicate.
    @Test(arguments: [
        (#"{"a":[1e999,]}"#, ConfigError.Code.syntax), (#"{"a b":{"c"}}"#, .syntax), (#"{"a b":[1}"#, .syntax),
        (#"{"a b":{"c":tru}}"#, .syntax), (#"{"a":null,"a":1}"#, .duplicateKey), (#"{"a":1,"a":null}"#, .duplicateKey),
        (#"{"a b":1,"a b":2}"#, .duplicateKey), (#"{"a b":{},"a b":{}}"#, .duplicateKey),
        (#"{"a":[{"b":1,"c":2,"b":3}]}"#, .duplicateKey),
    ])
    func theRestDoesNotCountWhereTheWholeIsWrong(json: String, code: ConfigError.Code) {
        let error = #expect(throws: ConfigError.self) { try document(json) }
        #expect(error?.code == code)
    }

    /// A separate path to the same key is not a second definition, whether the first one can be stored or not.
    @Test(arguments: ["null", "1", "1e999"])
    func anObjectElsewhereIsNoDuplicate(value: String) throws {
        for json in [#"{"a.b":\#(value),"a":{"b":{"c":2}}}"#, #"{"a":{"b":{"c":2}},"a.b":\#(value)}"#] {
            #expect(try values(of: json)["a.b.c"] == 2)
        }
        #expect(throws: ConfigError.self) { try document(#"{"a":{"b":\#(value),"b":{"c":2}}}"#) }
    }

    /// Equal as texts to Swift, and two names in JSON.
    @Test func invalidKeysAreComparedByScalars() throws {
        let document = try document(#"{"caf\u00e9":1,"cafe\u0301":2,"ok":3}"#)
        #expect(document.entries.keys == ["ok"] && document.problems.count == 2)
    }

    /// Each of them costs as little as the first one.
    @Test(.timeLimit(.minutes(1))) func manyErrorsAreFoundInGoodTime() throws {
        let padding = (0..<100_000).map { "\"k\($0)\":\"some text of some length\"" }.joined(separator: ",")
        let faults = (0..<1000).map { "\"n\($0)\":null" }.joined(separator: ",")
        #expect(try document("{\(padding),\(faults)}").leftOut.count == 1000)
        let names = (0..<5_000).map { "\"\(String($0, radix: 36))é\":0" }.shuffled().joined(separator: ",")
        #expect(problem(in: "{\"v\":[{\(names),\"0é\":1}]}")?.code == .duplicateKey)
    }

    @Test func duplicateMemberHasItsPosition() {
        let error = problem(in: #"{"a":[{"b":1, "c":2, "b":3}]}"#)
        #expect(error?.description == #"d.json:1:22: a: duplicate name "b"; remove one"#)
    }

    @Test func manyProblemsAreCounted() throws {
        let keys = (0..<1000).map { "\"k \($0)\":\($0)" }.joined(separator: ",")
        let document = try document("{\(keys),\"k\":1}")
        #expect(document.problems.count == ConfigDocument.maximumProblems)
        #expect(document.leftOut.count == 1000)
        #expect(document.entries.keys == ["k"])
    }

    @Test func aKeyIsShownInPartWhereItIsTooLong() {
        let error = problem(in: #"{"e\#(String(repeating: "\u{301}", count: 1_000_000))":1}"#)
        #expect(error?.code == .invalidKey)
        #expect(error?.key?.unicodeScalars.count == 128)
    }

    @Test func everyErrorIsOneLine() {
        var random = SeededGenerator(seed: 6)
        let bytes: [UInt8] = [0x0A, 0x0D, 0x1B, 0x22, 0x5C, 0x7B, 0x7D, 0x3A, 0x2C, 0x61, 0x31, 0x75, 0x30]
        for _ in 0..<20_000 {
            let middle = (0..<12).map { _ in bytes.randomElement(using: &random) ?? 0 }
            guard let error = problem(in: Array(#"{"a"#.utf8) + middle) else { continue }
            let hasControls = error.description.unicodeScalars.contains { $0.properties.generalCategory == .control }
            #expect(!hasControls, "\(middle)")
        }
    }
}
