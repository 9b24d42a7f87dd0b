// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

struct VirtualScreenEditingTests {
    private static let full = "aaaaa\r\nbbbbb\r\nccccc\u{1B}[2;3H"

    @Test(arguments: [
        ("\u{1B}[J", ["aaaaa", "bb...", "....."]), ("\u{1B}[0J", ["aaaaa", "bb...", "....."]),
        ("\u{1B}[1J", [".....", "...bb", "ccccc"]), ("\u{1B}[2J", [".....", ".....", "....."]),
        ("\u{1B}[3J", ["aaaaa", "bbbbb", "ccccc"]), ("\u{1B}[K", ["aaaaa", "bb...", "ccccc"]),
        ("\u{1B}[1K", ["aaaaa", "...bb", "ccccc"]), ("\u{1B}[2K", ["aaaaa", ".....", "ccccc"]),
        ("\u{1B}[X", ["aaaaa", "bb.bb", "ccccc"]), ("\u{1B}[9X", ["aaaaa", "bb...", "ccccc"]),
        ("\u{1B}[@", ["aaaaa", "bb.bb", "ccccc"]), ("\u{1B}[9@", ["aaaaa", "bb...", "ccccc"]),
        ("x\u{1B}[2P", ["aaaaa", "bbx..", "ccccc"]), ("\u{1B}[P", ["aaaaa", "bbbb.", "ccccc"]),
        ("\u{1B}[9P", ["aaaaa", "bb...", "ccccc"]), ("\u{1B}[L", ["aaaaa", ".....", "bbbbb"]),
        ("\u{1B}[M", ["aaaaa", "ccccc", "....."]), ("\u{1B}[S", ["bbbbb", "ccccc", "....."]),
        ("\u{1B}[T", [".....", "aaaaa", "bbbbb"]), ("\u{1B}#8", ["EEEEE", "EEEEE", "EEEEE"]),
    ])
    func edits(sequence: String, expected: [String]) {
        let screen = screen(Self.full + sequence, columns: 5)
        #expect(screen.dotted == expected)
        #expect(screen.violations == [])
    }

    @Test func staysWhereItIs() {
        for sequence in ["J", "1J", "2J", "K", "1K", "2K", "X", "@", "P", "S", "T"] {
            #expect(screen(Self.full + "\u{1B}[" + sequence, columns: 5).cursorPosition == .init(row: 1, column: 2))
        }
        for sequence in ["L", "M"] {
            #expect(screen(Self.full + "\u{1B}[" + sequence, columns: 5).cursorPosition == .init(row: 1, column: 0))
        }
    }

    @Test(arguments: ["\u{1B}[2K", "\u{1B}[K", "\u{1B}[X", "\u{1B}[@", "\u{1B}[P", "\u{1B}[L", "\u{1B}[M", "\u{1B}[2J"])
    func erasesWithTheBackground(sequence: String) {
        let input = "\u{1B}[1;31;44m\u{1B}[1;1H" + sequence
        let blue = VirtualScreen.Style(background: .indexed(4))
        let styles = Set((0..<2).flatMap { screen(input, rows: 2).cells(row: $0).map(\.style) })
        #expect(styles.contains(blue))
        #expect(styles.isSubset(of: [blue, .init()]))
        #expect(screen(input, rows: 2, configuration: .screen).backgrounds() == [.standard])
    }

    @Test func scrollsInTheBackground() {
        #expect(screen("\u{1B}[44m\n\n\n").cells(row: 2).allSatisfy { $0.background == .indexed(4) })
        #expect(screen("\u{1B}[44m\u{1B}M").cells(row: 0).allSatisfy { $0.background == .indexed(4) })
        #expect(screen("\u{1B}[44m\n\n\n", configuration: .screen).backgrounds() == [.standard])
    }

    // MARK: Size

    @Test func growsAndShrinks() {
        var screen = screen("abcdef\r\n世\r\nlast", columns: 6)
        screen.resize(columns: 8, rows: 4)
        #expect(screen.lines == ["abcdef", "世", "last", ""])
        #expect((screen.columns, screen.rows) == (8, 4))
        screen.resize(columns: 1, rows: 2)
        // The row of the cursor stays, and half of a wide character does not.
        #expect(screen.dotted == [".", "l"])
        #expect(screen.cursorPosition == .init(row: 1, column: 0))
        screen.feed("\u{1B}[2;1HX")
        #expect(screen.violations == [])
        screen.feed("\u{1B}[3;1HX")
        #expect(screen.violations.count == 1)
    }

    @Test func keepsTheAlternateScreenAtTheTop() {
        var screen = screen("\u{1B}[?1049h1\r\n2\r\n3")
        screen.resize(columns: 10, rows: 2)
        #expect(screen.lines == ["1", "2"])
        #expect(screen.cursorPosition == .init(row: 1, column: 1))
    }
}
