// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import Testing

struct TextTypeTests {
    @Test(
        arguments: [
            (TextType(), "42", 42), (TextType(), "1.10", "1.10"), (TextType(), #"{"a": [1]}"#, ["a": [1]]),
            (TextType(), "null", .null), (TextType(schema: ["type": "string"]), "42", "42"),
            (TextType(schema: ["type": "number"]), "1.0", 1), (TextType().next, "[1,2", "[1,2"),
            (TextType(.number).next, "true", true), (TextType(.number), " 7", 7),
        ] as [(TextType, String, EntryValue)]
    )
    func textIsReadAsItsType(type: TextType, text: String, value: EntryValue) throws {
        #expect(try type.value(of: text) == value)
    }

    @Test(
        arguments: [
            (TextType(.number), "12abc", "expected a number such as 42; column 3: unexpected 'a'"),
            (TextType(.number), "1.", "expected a number such as 42; column 3: unexpected end"),
            (TextType(.number), "", "expected a number such as 42"),
            (TextType(.number), "[1]", "expected a number such as 42; found an array"),
            (TextType(.number), "1e400", "the number is too large for a double; use a string"),
            (TextType(.boolean), "yes\nno", "expected true or false; column 1: unexpected 'y'"),
            (TextType(), "[1,2", "column 5: unexpected end of input; expected ']' or ',' in the array"),
            (TextType(), "[\n1 2]", "line 2, column 3: expected ']' or ',' in the array, found '2'"),
        ] as [(TextType, String, String)]
    )
    func errorHasTheExpectationAndTheColumn(type: TextType, text: String, message: String) {
        let error = #expect(throws: ConfigError.self) { try type.value(of: text) }
        #expect(error?.description == message)
    }

    @Test func changesOfTypesAreNamed() {
        let values: [(String, EntryValue?, EntryValue?)] = [
            ("a", 1, ["x"]), ("b", 1, 1.5), ("c", nil, 1), ("d", "x", nil), ("e", "1", 1),
        ]
        let diff = ConfigDiff(values.map { KeyChange(key: $0, old: $1, new: $2) })
        #expect(
            diff.typeChanges == ["The type of a changes: integer → array", "The type of e changes: string → integer"]
        )
    }
}
