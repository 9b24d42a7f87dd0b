// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import ConfigChanges

struct ValueDiffTests {
    @Test func unchangedLinesFarFromAChangeAreLeftOut() {
        let old = EntryValue.array((0..<20).map { .integer($0) })
        let new = EntryValue.array((0..<20).map { .integer($0 == 10 ? 99 : $0) })
        let lines = ValueDiff(from: old, to: new).lines
        #expect(lines.contains(.removed("  10,")) && lines.contains(.added("  99,")))
        #expect(lines.first == .gap(8) && lines.last == .gap(7))
        #expect(lines.count == 10)
    }

    @Test func aNewValueIsAddedAsAWhole() {
        #expect(ValueDiff(from: nil, to: [1]).lines == [.added("["), .added("  1"), .added("]")])
        #expect(ValueDiff(from: [1], to: nil).lines == [.removed("["), .removed("  1"), .removed("]")])
        #expect(ValueDiff(from: [1], to: [1]).lines == [.gap(3)])
    }

    @Test func longValuesAreComparedAsAWhole() {
        let old = EntryValue.array((0..<5000).map { .integer($0) })
        let new = EntryValue.array((0..<5000).map { .integer($0 + 10_000) })
        #expect(ValueDiff(from: old, to: new).lines.count == 10_002)
    }

    @Test func addedCommaIsNoChange() {
        let (one, two): (EntryValue, EntryValue) = (["a"], ["a", "b"])
        #expect(
            ValueDiff(from: one, to: two).lines == [
                .same("["), .same("  \"a\","), .added("  \"b\""), .same("]"),
            ]
        )
        #expect(
            ValueDiff(from: two, to: one).lines == [
                .same("["), .same("  \"a\""), .removed("  \"b\""), .same("]"),
            ]
        )
    }

    @Test(
        arguments: [
            (#"  "limit": 20,"#, #"  "limit": 30,"#, "20", "30"), ("a: 1", "a: 12", "1", "12"),
            (##""color": "#00F""##, ##""color": "#00E""##, "#00F", "#00E"),
            ("25 % blue, 75 % pink", "50 % blue, 50 % pink", "25 % blue, 75", "50 % blue, 50"),
            ("if é: a", "if é: b", "a", "b"), ("same", "same", "", ""),
        ]
    )
    func changedWordsAreMarked(old: String, new: String, oldPart: String, newPart: String) {
        let part = ChangedPart(from: old, to: new)
        let texts = [(old, part.old), (new, part.new)].map { text, range in
            String(decoding: Array(text.utf8)[range], as: UTF8.self)
        }
        #expect(texts == [oldPart, newPart])
    }

    @Test func onlyReplacedLinesHaveMarks() {
        let diff = ValueDiff(from: [1, 2], to: [1, 3, 4])
        #expect(diff.lines.dropFirst(2).prefix(3) == [.removed("  2"), .added("  3,"), .added("  4")])
        #expect(diff.changedParts { $0 } == [nil, nil, 2..<3, 2..<3, nil, nil])
    }
}
