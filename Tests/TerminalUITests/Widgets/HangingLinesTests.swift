// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TerminalUI

struct HangingLinesTests {
    private typealias Line = ActiveLine<Int>

    @Test func wrappedLinesKeepTheirIndentation() {
        let text = Line.Span("    \"a b c d e f\"", .dimmed)
        let lines = Line.indented(.init("+ "), text, part: 11..<12, columns: 12)
        #expect(lines.map { $0.spans.map(\.text).joined() } == ["+     \"a b c", "      d e f\""])
        #expect(lines.map { $0.spans.filter { $0.tone == .accent }.map(\.text) } == [[], ["d"]])
    }

    @Test func continuationsHang() {
        let lines = Line.indented(.init(""), .init("  one two"), hang: 2, columns: 8)
        #expect(lines.map { $0.spans.map(\.text).joined() } == ["  one", "    two"])
    }
}
