// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TestSupport
import Testing

struct JSONValueTests {
    @Test(arguments: EquivalentNames.pairs)
    func namesAndTextsThatOnlyLookTheSameAreApart(_ left: String, _ right: String) throws {
        let object = [left: .string(right), right: .string(left)] as EntryValue
        let value = JSONValue(object)
        #expect(try EntryValue(json: Array(value.text.utf8)) == object)
        #expect(try JSONValue(text: value.text) == value)
        #expect(JSONValue.string(left) != .string(right))
        #expect(Set([JSONValue.string(left), .string(right), .string(left)]).count == 2)
    }
}
