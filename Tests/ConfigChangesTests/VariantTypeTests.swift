// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import Testing

/// The variants of a rule have the type of the value in whose place programs read them.
struct VariantTypeTests {
    private static let contents = NamespaceContents(values: ["text": "a", "number": 1, "list": [1], "object": ["a": 1]])

    private static func check(_ variants: EntryValue, _ key: String, as type: ValueKind? = nil) throws {
        try contents.checkVariants(of: ["variants": variants], as: type, forKey: key)
    }

    @Test(
        arguments: [
            ("text", ["a": "x", "b": "y"]), ("number", ["a": 1, "b": 2.5]), ("list", ["a": []]), ("new", ["a": true]),
            ("object", ["a": [:]]),
        ] as [(String, EntryValue)]
    )
    func variantsOfTheSameTypeAreAccepted(key: String, variants: EntryValue) {
        #expect(throws: Never.self) { try Self.check(variants, key) }
    }

    @Test(
        arguments: [
            ("text", ["a": "x", "b": 2], "the variant 'b' is a number, not a string"),
            ("number", ["a": true], "the variant 'a' is a Boolean, not a number"),
            ("number", ["a": "1"], "the variant 'a' is a string, not a number"),
            ("list", ["a": ["b": 1]], "the variant 'a' is an object, not an array"),
        ] as [(String, EntryValue, String)]
    )
    func variantOfAnotherTypeIsRefused(key: String, variants: EntryValue, message: String) {
        let error = #expect(throws: ConfigError.self) { try Self.check(variants, key) }
        #expect(error?.message == message + ", the type of the current value; to change it, use --type")
        #expect(error?.code == .typeMismatch && error?.key == key)
    }

    @Test func aGivenTypeCountsInPlaceOfThatOfTheValue() {
        #expect(throws: Never.self) { try Self.check(["a": 1], "text", as: .number) }
        #expect(throws: Never.self) { try Self.check(["a": 1], "text", as: .json) }
        let error = #expect(throws: ConfigError.self) { try Self.check(["a": 1], "number", as: .string) }
        #expect(error?.message == "the variant 'a' is a number, not a string")
    }
}
