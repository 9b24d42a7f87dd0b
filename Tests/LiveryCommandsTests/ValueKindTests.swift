// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigWire
import Testing

@testable import LiveryCommands

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

struct AssignmentTests {
    @Test("NAME:=JSON names the type of one value")
    func aSignWithAColonIsJSON() throws {
        let read = try Assignment.read(["a=1.10", "b:=1.10", "c:=@f", "d=:=x"], isLiteral: false)
        #expect(read.map(\.key) == ["a", "b", "c", "d"] && read.map(\.isJSON) == [false, true, true, false])
        #expect(read.map(\.origin) == [.text("1.10"), .text("1.10"), .file("f"), .text(":=x")])
    }

    @Test(
        arguments: [
            (["a", "1"], false, [("a", .text("1"))]),
            (["a=1"], false, [("a", .text("1"))]),
            (["a=1", "b=2"], false, [("a", .text("1")), ("b", .text("2"))]),
            (["a", "b=2"], false, [("a", .text("b=2"))]),
            (["a=", "b=x=y"], false, [("a", .text("")), ("b", .text("x=y"))]),
            (["a", "-"], false, [("a", .file("-"))]),
            (["a=@f.txt"], false, [("a", .file("f.txt"))]),
            (["a", "@f"], true, [("a", .text("@f"))]),
            (["a", "-"], true, [("a", .text("-"))]),
        ] as [([String], Bool, [(String, Assignment.Origin)])]
    )
    func argumentsAreKeysAndOrigins(
        arguments: [String],
        isLiteral: Bool,
        expected: [(String, Assignment.Origin)]
    ) throws {
        let read = try Assignment.read(arguments, isLiteral: isLiteral)
        #expect(read.map(\.key) == expected.map(\.0))
        #expect(read.map(\.origin) == expected.map(\.1))
    }

    @Test(
        arguments: [
            ["a"], ["a", "b", "c"], ["a=1", "b"], ["=1"], ["a..b", "1"], ["a=1", "a=2"], ["a=-", "b=-"],
            ["a=-", "b=@-"], ["ä", "1"], [String(repeating: "k", count: 129), "1"],
        ]
    )
    func invalidAssignmentsAreRejected(arguments: [String]) {
        #expect(throws: ConfigError.self) { try Assignment.read(arguments, isLiteral: false) }
    }
}
