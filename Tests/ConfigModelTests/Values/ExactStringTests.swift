// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

struct ExactStringTests {
    /// Pairs that are equal to Swift and differ to JSON.
    static let equivalents = [
        ("\u{E9}", "e\u{301}"), ("K", "\u{212A}"), ("\u{C5}", "\u{212B}"), ("\u{AC00}", "\u{1100}\u{1161}"),
    ]

    @Test(arguments: equivalents)
    func differsFromItsCanonicalEquivalent(_ left: String, _ right: String) {
        #expect(left == right)
        #expect(ExactString(left) != ExactString(right))
        #expect(Set([ExactString(left), ExactString(right), ExactString(left)]).count == 2)
    }

    @Test func equalsTheSameBytesInAnotherStorage() {
        let text = "caf\u{E9} \(Int.max)"
        let copy = String(decoding: Array(text.utf8), as: UTF8.self)
        #expect(ExactString(text) == ExactString(copy))
        #expect([ExactString(text): 1][ExactString(copy)] == 1)
    }
}
