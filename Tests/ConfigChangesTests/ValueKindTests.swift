// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import ConfigChanges

struct ValueKindTests {
    @Test(
        arguments: [
            ("#87CEFA", .string("#87CEFA")), ("", .string("")), ("1", .integer(1)), ("-5", .integer(-5)),
            ("0.5", .double(0.5)), ("true", .boolean(true)), ("false", .boolean(false)),
            ("True", .string("True")), ("nullable", .string("nullable")), ("1.0.0", .string("1.0.0")),
            ("01", .string("01")),
            ("2026-11-23", .string("2026-11-23")), ("10 km", .string("10 km")), ("-", .string("-")),
            ("+1", .string("+1")),
            ("\"1\"", .string("1")), (#"["a","b"]"#, ["a", "b"]), ("[1, 2]", [1, 2]), ("[null]", [.null]),
            (#"[1, "a"]"#, [1, "a"]), (#"{"k": 1}"#, ["k": 1]), (#"[{"a": {"b": []}}]"#, [["a": ["b": []]]]),
            ("{}", [:]),
            ("1.10", "1.10"), ("1.0", "1.0"), ("1e3", "1e3"), ("-0", "-0"), (" 1 ", " 1 "), (" 1", " 1"),
            (" true", " true"), ("1e400", "1e400"), ("12345678901234567890123", "12345678901234567890123"),
            ("1e+21", .double(1e21)), ("[1.10]", [1.1]), ("say {", .string("say {")),
            ("true story", .string("true story")),
        ] as [(String, EntryValue)]
    )
    func newKeyTypeFollowsFromTheText(text: String, value: EntryValue) throws {
        #expect(try ValueKind.value(text, like: nil) == value)
    }

    @Test(
        arguments: [
            ("2", .string("1.0.0"), .string("2")), ("true", .string(""), .string("true")),
            ("2", .double(0.5), .integer(2)), ("2.5", .integer(1), .double(2.5)),
            ("false", .boolean(true), .boolean(false)), ("[]", [1], []),
            ("[\"x\"]", [1], ["x"]), (#"{"b": null}"#, ["a": 1], ["b": .null]),
            ("1.10", "1.0", "1.10"), ("[1", "", "[1"), ("{\"a\":", "", "{\"a\":"), ("null", "", "null"),
            ("1e400", "", "1e400"),
        ] as [(String, EntryValue, EntryValue)]
    )
    func aKeyKeepsItsKind(text: String, former: EntryValue, value: EntryValue) throws {
        #expect(try ValueKind.value(text, like: former) == value)
    }

    @Test(
        arguments: [
            ("1.0", ["type": "number"], .integer(1)), ("0.50", ["type": ["integer", "number", "null"]], .double(0.5)),
            ("1e3", ["enum": [1000, 2000]], .integer(1000)), ("-2.0", ["anyOf": [["type": "number"]]], .integer(-2)),
            ("1.0", ["type": ["number", "string"]], "1.0"), ("1.0", [:], "1.0"), ("1.0", true, "1.0"),
            ("abc", ["type": "number"], "abc"),
        ] as [(String, EntryValue, EntryValue)]
    )
    func newKeyWithoutStringsAcceptsAnyNumber(text: String, schema: EntryValue, value: EntryValue) throws {
        #expect(try ValueKind.value(text, like: nil, schema: schema) == value)
    }

    @Test(
        arguments: [
            ("abc", .integer(1)), ("", .integer(1)), ("1", .boolean(true)), ("true", .integer(1)),
            ("1", ["a"]), ("[1]", ["a": 1]), ("{}", [1]), ("\"a\"", .integer(1)),
        ] as [(String, EntryValue)]
    )
    func otherTypeIsRejectedWithTheNextStep(text: String, former: EntryValue) {
        let error = #expect(throws: ConfigError.self) { try ValueKind.value(text, like: former) }
        #expect(error?.code == .typeMismatch)
        #expect(error?.message.contains("--type") == true)
    }

    @Test(
        arguments: [
            (.string, "1", .string("1")), (.number, "1", .integer(1)), (.boolean, "true", .boolean(true)),
            (.array, "[true]", [true]), (.json, "\"a\"", .string("a")), (.json, "1", .integer(1)),
            (.string, "\u{1B}[2J\n", .string("\u{1B}[2J\n")), (.object, #"{"a": [1]}"#, ["a": [1]]),
            (.string, "1.10", "1.10"), (.string, "1e400", "1e400"), (.string, "null", "null"),
            (.string, "{\"a\":", "{\"a\":"),
        ] as [(ValueKind, String, EntryValue)]
    )
    func aKindThatIsNamedIsKept(kind: ValueKind, text: String, value: EntryValue) throws {
        #expect(try kind.value(text) == value)
    }

    @Test(
        arguments: [
            (.number, "a"), (.boolean, "1"), (.array, "1"), (.json, "a"), (.json, "1 2"), (.object, "[]"),
            (.array, "{}"),
            (.number, "1e400"), (.json, "null"), (.object, "a"),
        ] as [(ValueKind, String)]
    )
    func mismatchedTypesAreRejected(kind: ValueKind, text: String) {
        #expect(throws: ConfigError.self) { try kind.value(text) }
    }

    /// As `livery get --json` prints it; a schema does not change what is stored.
    @Test(
        arguments: [
            "", "a", "\"a\"", "1", "1.10", "true", "null", "[1]", "{}", " a \n", "\u{1B}[2J\u{2028}e\u{301}", 1, -0.5,
            .double(1e22),
            .integer(9_007_199_254_740_991), true, false, [], [1, .null, "1"], [:],
            ["value": "x", "key": ["a": [0.1]]],
        ] as [EntryValue]
    )
    func jsonOfAFileIsReadBackExactly(value: EntryValue) throws {
        let schemas: [EntryValue?] = [nil, ["type": "string"], ["type": "number"]]
        for (former, schema) in [nil, value].flatMap({ former in schemas.map { (former, $0) } }) {
            #expect(try ValueKind.value(ofFile: value.canonicalJSON, like: former, schema: schema) == value)
        }
        for former in ["x", 1, true, [1], ["a": 1]] as [EntryValue] where ValueKind(of: former) != ValueKind(of: value)
        {
            let read = { () throws(ConfigError) in try ValueKind.value(ofFile: value.canonicalJSON, like: former) }
            let error = #expect(throws: ConfigError.self) { try read() }
            #expect(error?.code == .typeMismatch && error?.message.contains("use --type json") == true)
            #expect(try ValueKind.json.value(value.canonicalJSON) == value)
        }
    }

    @Test(
        arguments: [
            ("1.10", "1.0", "1.10"), ("[draft] x", "", "[draft] x"), ("{\"a\":", "", "{\"a\":"),
            ("hello", nil, "hello"),
            ("1.10", 1, 1.1), ("1.10", nil, "1.10"), ("", nil, ""),
        ] as [(String, EntryValue?, EntryValue)]
    )
    func otherTextOfAFileIsReadAsTyped(text: String, former: EntryValue?, value: EntryValue) throws {
        #expect(try ValueKind.value(ofFile: text, like: former) == value)
    }

    @Test(arguments: ["[1e400]", #"{"id":12345678901234567890}"#])
    func numbersThatNoValueHasAreNotTakenForText(text: String) throws {
        for former in [nil, "", 1] as [EntryValue?] {
            let error = #expect(throws: ConfigError.self) { try ValueKind.value(ofFile: text, like: former) }
            #expect(error?.message.hasSuffix("to store the text as a string, use --type string") == true)
        }
    }

    @Test func anotherTypeThanThatOfTheCurrentValueNamesBoth() {
        func message(_ body: () throws(ConfigError) -> EntryValue) -> String? {
            #expect(throws: ConfigError.self) { try body() }?.message
        }
        let number = message { () throws(ConfigError) in try ValueKind.value(ofFile: "42", like: "41") }
        #expect(
            number == """
                the input is a number, the current value is a string; to change the type, use --type json; to store the text \
                as a string, use --type string
                """
        )
        let array = message { () throws(ConfigError) in try ValueKind.value(ofFile: "[1]", like: 1) }
        #expect(array == "the input is an array, the current value is a number; to change the type, use --type json")
        let typed = message { () throws(ConfigError) in try ValueKind.value("many", like: 1) }
        #expect(typed == "\"many\" is a string, the current value is a number; to change the type, use --type string")
        let flag = message { () throws(ConfigError) in try ValueKind.value("true", like: 1) }
        #expect(flag == "\"true\" is a Boolean, the current value is a number; to change the type, use --type boolean")
    }

    @Test func theGreatestValueFitsAndOneByteMoreDoesNot() throws {
        let text = String(repeating: "x", count: EntryValue.maximumBytes - 2)
        #expect(try ValueKind.value(text, like: nil) == .string(text))
        let error = #expect(throws: ConfigError.self) { try ValueKind.value(text + "x", like: nil) }
        #expect(error?.code == .tooLarge)
    }
}

private let advice = "; for a string, use --type string)"

struct JSONTextTests {
    @Test(
        arguments: [
            ("1e400", "the number is too large for a double; use a string (--type string)"),
            (
                "12345678901234567890",
                "the integer exceeds ±(2^53 − 1) and is not portable in JSON; use a string (--type string)"
            ),
            (
                "1.00000000000000000001",
                "the number has too many digits for a double; use 1, or a string (--type string)"
            ),
            (
                "null",
                "null is not a value; to remove the key, use `livery unset`; to set the string, use --type string"
            ),
            (
                #"{"a":"#,
                "invalid JSON at 1:6: unexpected end of input; expected a value; for a string, use --type string"
            ),
            (
                "[draft] x",
                """
                invalid JSON at 1:2: expected a value, found 'draft'; put strings in quotes; for a string, use --type \
                string
                """
            ),
            ("[1,\n 1e400]", "the number is too large for a double; use a string (error at 2:2)"),
            (#"{"a":1,"a":2}"#, #"duplicate name "a"; remove one (error at 1:8)"#),
            (
                "\"a\" b",
                "invalid JSON at 1:5: expected the end of input, found 'b'; for a string, use --type string"
            ),
        ]
    )
    func textLikeJSONIsNeverSilentlyAString(text: String, message: String) {
        // A number that is not exact is a string for a new key.
        for former in [Double(text) == nil ? nil : 2, EntryValue.integer(1), [1], ["a": 1]] {
            let error = #expect(throws: ConfigError.self) { try ValueKind.value(text, like: former) }
            #expect(error?.description == message)
        }
    }

    @Test func deepOrLargeValuesAreRejected() {
        let deep = String(repeating: "[", count: 33) + String(repeating: "]", count: 33)
        for text in [deep, "[\"" + String(repeating: "x", count: EntryValue.maximumBytes) + "\"]"] {
            let error = #expect(throws: ConfigError.self) { try ValueKind.value(text, like: nil) }
            #expect(error?.code == .tooLarge)
        }
    }

    @Test(
        arguments: [
            ("1.10", "1.1 (number\(advice)"), ("1e3", "1000 (number\(advice)"),
            ("1.0", "1 (number\(advice)"), ("-0", "0 (number\(advice)"),
            ("[1, 2.50]", "[1,2.5] (array\(advice)"),
            (#"{"b": 1e0}"#, #"{"b":1} (object\#(advice)"#),
            (#""1""#, #""1" (string; to keep the quotes, use --type string)"#),
            ("1.1", nil), ("3", nil), ("-5", nil), ("true", nil), (" 1 ", "1 (number\(advice)"), ("[1, 2.5]", nil),
            ("hello", nil),
            ("", nil),
            (#"{"b": 1, "a": "1.10 \" 1e0"}"#, nil), (#"["\u0061"]"#, nil), ("1e+21", nil),
        ] as [(String, String?)]
    )
    func changedTextIsReported(text: String, note: String?) throws {
        let isNumber = text.utf8.first.map { "-0123456789 ".utf8.contains($0) } ?? false
        #expect(ValueKind.note(on: text, readAs: try ValueKind.value(text, like: isNumber ? 0 : nil)) == note)
    }

    @Test func aNoteOnALongValueIsShort() throws {
        let text = "[1.0" + String(repeating: ",1", count: 1000) + "]"
        let note = try #require(ValueKind.note(on: text, readAs: try ValueKind.value(text, like: nil)))
        #expect(note.hasPrefix("[1,1,1"))
        #expect(note.contains("1… (array; "))
        #expect(note.count < 120)
    }
}
