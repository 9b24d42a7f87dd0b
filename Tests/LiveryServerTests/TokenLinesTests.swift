// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LiveryServer

struct TokenLinesTests {
    private static func line(_ name: String, _ digit: Character) -> String {
        let hash = String(repeating: digit, count: 64)
        return #"{"name":"\#(name)","sha256":"\#(hash)","role":"read","namespaces":"*"}"# + "\n"
    }

    @Test func removalComparesTokenNamesByBytes() throws {
        let (left, right) = (Self.line("\u{E9}", "1"), Self.line("e\u{301}", "2"))
        var lines = try TokenLines(Array((left + right).utf8), named: "tokens")
        try lines.remove(named: "\u{E9}")
        #expect(lines.bytes == Array(right.utf8))
        #expect(lines.tokens(named: "\u{E9}").isEmpty && lines.tokens(named: "e\u{301}").count == 1)
    }
}
