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
