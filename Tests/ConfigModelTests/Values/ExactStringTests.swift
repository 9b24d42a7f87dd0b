// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport
import Testing

struct ExactStringTests {
    @Test(arguments: EquivalentNames.pairs)
    func differsFromItsCanonicalEquivalent(_ left: String, _ right: String) {
        #expect(left == right)
        #expect(ExactString(left) != ExactString(right))
        #expect(Set([ExactString(left), ExactString(right), ExactString(left)]).count == 2)
    }

    /// Swift's `==` takes minutes for these.
    @Test(.timeLimit(.minutes(1))) func comparesManyMarksInLinearTime() {
        let marks = String(String.UnicodeScalarView((0..<1_000_000).map { $0 % 2 == 0 ? "\u{301}" : "\u{323}" }))
        var other = marks
        other.unicodeScalars.removeLast()
        other.unicodeScalars.append("\u{324}")
        #expect(!marks.hasSameScalars(as: other) && ExactString(marks) != ExactString(other))
        #expect(Set([ExactString(marks), ExactString(other)]).count == 2)
        #expect(Set([EntryValue.string(marks), EntryValue.string(other)]).count == 2)
        switch marks {
        case "key", "other": Issue.record("marks are no name")
        default: break
        }
    }

    @Test func switchMatchesBytes() {
        switch "targeting\u{212A}ey" {
        case "targetingKey": Issue.record("U+212A is no K")
        default: break
        }
        enum Unit: String, CaseIterable { case kelvin = "K", other }
        #expect(Unit(name: "K") == .kelvin && Unit(name: "\u{212A}") == nil)
    }

    @Test func equalsTheSameBytesInAnotherStorage() {
        let text = "caf\u{E9} \(Int.max)"
        let copy = String(decoding: Array(text.utf8), as: UTF8.self)
        #expect(ExactString(text) == ExactString(copy))
        #expect([ExactString(text): 1][ExactString(copy)] == 1)
    }

    /// Short strings, strings in whole words, and strings with a rest are compared in different ways.
    @Test(arguments: 1...40)
    func differsInAnySingleByte(count: Int) {
        let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: count)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(ExactString(text) == ExactString(String(decoding: bytes, as: UTF8.self)))
        for index in bytes.indices {
            var others = bytes
            others[index] = UInt8(ascii: "b")
            #expect(ExactString(text) != ExactString(String(decoding: others, as: UTF8.self)))
        }
    }
}
