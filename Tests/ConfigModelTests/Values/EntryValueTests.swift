// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

struct EntryValueTests {
    static let samples: [EntryValue] = [
        .string(""), .string("1"), .string("true"), .string("\u{E9}"), .string("e\u{301}"), .integer(1),
        .integer(0), .double(1.5), .boolean(true),
        .boolean(false),
        [], ["1"], ["1", "1"], [1], [1, 2], [2, 1],
        [1.5], [true], [.null], [[]], [[1]], [[:]], [:], ["a": 1], ["a": 2], ["b": 1], ["a": 1, "b": .null],
        ["a": .null],
        ["": ["a": 1]], ["\u{E9}": 1], ["e\u{301}": 1], ["\u{E9}": 1, "e\u{301}": 1], .null,
    ]

    @Test func valuesAreEqualToThemselvesOnly() {
        for (index, value) in Self.samples.enumerated() {
            for (otherIndex, other) in Self.samples.enumerated() {
                #expect((value == other) == (index == otherIndex), "\(value) and \(other)")
            }
        }
        #expect(Set(Self.samples + Self.samples).count == Self.samples.count)
    }

    @Test(
        arguments: [
            (.string("a"), "string"), (.integer(1), "number"), (.double(1.5), "number"), (.boolean(true), "Boolean"),
            ([], "empty array"), (["a"], "array of strings"), ([1], "array of numbers"),
            ([1.5], "array of numbers"), ([1, 2.5], "array of numbers"), ([true], "array of Booleans"),
            ([[1], ["a"]], "array of arrays"), ([["a": 1], [:]], "array of objects"), ([1, "a"], "array"),
            ([.null, .null], "array"), ([:], "object"), (.null, "null"),
        ] as [(EntryValue, String)]
    )
    func kindsAreNamedForUsers(value: EntryValue, name: String) {
        #expect(value.kindName == name)
    }

    @Test func stringIsReadFromAStringOnly() {
        #expect(String(configValue: .string("text")) == "text")
        for value in Self.samples.dropFirst(5) { #expect(String(configValue: value) == nil, "\(value)") }
    }

    @Test func aNumberIsTheSameWhicheverWayItIsHeld() {
        #expect(EntryValue.double(3) == .integer(3) && EntryValue.integer(0) == .double(-0.0))
        #expect(EntryValue.double(3).hashValue == EntryValue.integer(3).hashValue)
        #expect(EntryValue.double(3.5) != .integer(3))
        #expect(EntryValue.double(9_007_199_254_740_992) != .integer(9_007_199_254_740_993))
    }

    @Test func lastDuplicateMemberApplies() {
        let members: [EntryObject.Member] = [("b", 1), ("a", 2), ("b", 3), ("a", 4), ("c", 5)]
        let object = EntryObject(members)
        #expect(EntryValue.object(object) == ["a": 4, "b": 3, "c": 5])
        #expect(object["b"] == 3)
        #expect(EntryObject([members[0], members[2]])["b"] == 3)
    }
}
