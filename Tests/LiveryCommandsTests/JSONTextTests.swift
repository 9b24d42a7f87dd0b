// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigWire
import Testing

@testable import LiveryCommands

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
