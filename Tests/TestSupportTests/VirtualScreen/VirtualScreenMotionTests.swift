// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

struct VirtualScreenMotionTests {
    @Test(arguments: [
        ("\u{1B}[2;5H", 1, 4), ("\u{1B}[2;5f", 1, 4), ("\u{1B}[H", 0, 0), ("\u{1B}[3H", 2, 0), ("\u{1B}[;4H", 0, 3),
        ("\u{1B}[0;0H", 0, 0), ("\u{1B}[2d", 1, 0), ("\u{1B}[7G", 0, 6), ("\u{1B}[7`", 0, 6),
        ("\u{1B}[3;9H\u{1B}[G", 2, 0),
        ("\u{1B}[2B", 2, 0), ("\u{1B}[2e", 2, 0), ("\u{1B}[4C", 0, 4), ("\u{1B}[4a", 0, 4),
        ("\u{1B}[3;5H\u{1B}[A", 1, 4),
        ("\u{1B}[3;5H\u{1B}[2D", 2, 2), ("ab\u{1B}[E", 1, 0), ("\u{1B}[3;3H\u{1B}[2F", 0, 0),
        ("\u{1B}[2;5H\u{1B}M", 0, 4),
        ("ab\u{1B}D", 1, 2), ("ab\u{1B}E", 1, 0), ("\u{1B}[2;5H\u{1B}7\u{1B}[H\u{1B}8", 1, 4), ("ab\u{1B}8", 0, 0),
        ("\u{1B}[2;5H\u{1B}[s\u{1B}[H\u{1B}[u", 1, 4), ("\u{1B}[2;5H\u{1B}[?1048h\u{1B}[H\u{1B}[?1048l", 1, 4),
        ("\t", 0, 8), ("\t\t\t", 0, 9), ("\u{1B}[I", 0, 8), ("\t\t\u{1B}[Z", 0, 8), ("\t\u{1B}[2Z", 0, 0),
        ("\u{1B}[3G\u{1B}H\r\t", 0, 2), ("\u{1B}[9G\u{1B}[g\r\t", 0, 9), ("\u{1B}[3g\t", 0, 9),
    ])
    func moves(input: String, row: Int, column: Int) {
        let screen = screen(input)
        #expect(screen.cursorPosition == .init(row: row, column: column))
        #expect(screen.violations == [])
    }

    @Test(arguments: [
        ("\u{1B}[4;1H", 2, 0), ("\u{1B}[1;11H", 0, 9), ("\u{1B}[4d", 2, 0), ("\u{1B}[11G", 0, 9), ("\u{1B}[A", 0, 0),
        ("\u{1B}[3B", 2, 0), ("\u{1B}[D", 0, 0), ("\u{1B}[10C", 0, 9), ("\u{1B}[999;999H", 2, 9), ("\u{1B}[2;4r", 0, 0),
    ])
    func notesWhatLeavesTheScreen(input: String, row: Int, column: Int) {
        let screen = screen(input)
        #expect(screen.cursorPosition == .init(row: row, column: column))
        #expect(screen.violations.count == 1)
    }

    // MARK: Margins

    @Test(arguments: [
        ("\u{1B}[2;3r\u{1B}[3;1H\n", ["11", "33", "", "44"]), ("\u{1B}[2;3r\u{1B}M", ["11", "22", "33", "44"]),
        ("\u{1B}[2;3r\u{1B}[2;1H\u{1B}M", ["11", "", "22", "44"]),
        ("\u{1B}[2;3r\u{1B}[4;1H\n", ["11", "22", "33", "44"]),
        ("\u{1B}[2;4r\u{1B}[2S", ["11", "44", "", ""]), ("\u{1B}[1;3r\u{1B}[T", ["", "11", "22", "44"]),
        ("\u{1B}[2;3r\u{1B}[r\u{1B}[4;1H\n", ["22", "33", "44", ""]), ("\u{1B}[2H\u{1B}[L", ["11", "", "22", "33"]),
        ("\u{1B}[2H\u{1B}[2M", ["11", "44", "", ""]), ("\u{1B}[1;3r\u{1B}[2H\u{1B}[L", ["11", "", "22", "44"]),
        ("\u{1B}[1;3r\u{1B}[2H\u{1B}[9M", ["11", "", "", "44"]),
        ("\u{1B}[1;2r\u{1B}[4H\u{1B}[L", ["11", "22", "33", "44"]),
    ])
    func scrollsWithinTheMargins(input: String, expected: [String]) {
        #expect(screen("11\r\n22\r\n33\r\n44" + input, rows: 4).lines == expected)
    }

    @Test func stopsAtTheMargins() {
        #expect(screen("\u{1B}[2;3r\u{1B}[2;1H\u{1B}[2B", rows: 4).cursorPosition.row == 2)
        #expect(screen("\u{1B}[2;3r\u{1B}[4;1H\u{1B}[1A", rows: 4).cursorPosition.row == 2)
    }

    @Test func countsFromTheMarginInOriginMode() {
        let screen = screen("\u{1B}[2;3r\u{1B}[?6hA\u{1B}[2;1HB\u{1B}[?6lC", rows: 4)
        #expect(screen.lines == ["C", "A", "B", ""])
        #expect(screen.violations == [])
    }

    @Test func ignoresMarginsWithoutRows() {
        #expect(screen("a\u{1B}[2;2r").cursorPosition.column == 1)
        #expect(screen("\u{1B}[3;2r").violations.count == 1)
    }

    @Test func restoresWhatWasSaved() {
        let saved = "\u{1B}[2;3H\u{1B}[1;31m\u{1B}(0\u{1B}7\u{1B}[m\u{1B}(B\u{1B}[H\u{1B}8q"
        let cell = screen(saved).cell(row: 1, column: 2)
        #expect(cell == .init(text: "─", style: .init(foreground: .indexed(1), attributes: .bold)))
    }
}
