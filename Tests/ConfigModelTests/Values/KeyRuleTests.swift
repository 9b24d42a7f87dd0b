// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

struct KeyRuleTests {
    @Test(arguments: [
        "a", "A", "0", "-", "_", "a.b", "app.background.color", "app.min_version", "a-b.c_d.E9", "-.-._._", "a.0.b",
        String(repeating: "k", count: 128), "a." + String(repeating: "b", count: 126),
    ])
    func keepsTheRule(key: String) {
        #expect(KeyRule.problem(in: key) == nil)
    }

    @Test(arguments: [".", "..", ".a", "a.", "a..b", "a.b.", ".a.b", "a...b"])
    func emptySegmentsAreRefused(key: String) {
        #expect(KeyRule.problem(in: key) == "has an empty segment between dots")
    }

    @Test(arguments: [
        " ", "a b", "a\n", "a/b", "a:b", "a[0]", "a\u{0}", "é", "e\u{301}", "ａ", "а", "a\u{200B}", "🐶", "a,b", "a+b",
        "$a", "a\"", "a\\",
    ])
    func otherCharactersAreRefused(key: String) {
        #expect(KeyRule.problem(in: key) == "must contain only ASCII letters, digits, '.', '-' and '_'")
    }

    @Test func emptyAndOverlongKeysAreRefused() {
        #expect(KeyRule.problem(in: "") == "is empty")
        #expect(KeyRule.problem(in: String(repeating: "k", count: 129)) == "is longer than 128 characters")
        #expect(KeyRule.problem(in: String(repeating: ".", count: 1_000_000)) == "is longer than 128 characters")
    }

    @Test func exactlyTheNamedASCIICharactersAreAllowed() {
        let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_".unicodeScalars)
        for scalar in (UInt8.min..<0x80).map(Unicode.Scalar.init) where scalar != "." {
            #expect((KeyRule.problem(in: String(scalar)) == nil) == allowed.contains(scalar), "\(scalar.value)")
        }
    }
}
