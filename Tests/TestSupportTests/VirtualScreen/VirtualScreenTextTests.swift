// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

struct VirtualScreenTextTests {
    @Test func startsBlank() {
        let screen = screen("")
        #expect(screen.dotted == ["..........", "..........", ".........."])
        #expect(screen.cursorPosition == .init(row: 0, column: 0))
        #expect(screen.isCursorVisible && !screen.isAlternate)
        #expect(screen.backgrounds() == [.standard])
        #expect(screen.text == "")
        #expect(screen.violations == [])
    }

    @Test(arguments: [
        ("ab\r\ncd", ["ab", "cd"]), ("ab\ncd", ["ab", "..cd"]), ("abc\u{8}\u{8}X", ["aXc"]), ("abc\rX", ["Xbc"]),
        ("\u{8}a", ["a"]), ("a\tb\tc", ["a.......bc"]), ("1\n\r2\n\r3\n\r4", ["2", "3", "4"]),
        ("0123456789abc", ["0123456789", "abc"]), ("0123456789\r\nab", ["0123456789", "ab"]),
        ("0123456789\u{8}X", ["01234567X9"]), ("\u{1B}[?7l0123456789ab", ["012345678b"]),
        ("01\u{1B}[1;1H\u{1B}[4habc\u{1B}[4lX", ["abcX1"]), ("\u{1B}[20ha\nb\u{1B}[20l\nc", ["a", "b", ".c"]),
    ])
    func placesText(input: String, expected: [String]) {
        var rows = expected.map { row in row + String(repeating: ".", count: 10 - row.count) }
        while rows.count < 3 { rows.append("..........") }
        #expect(screen(input).dotted == rows)
        #expect(screen(input).violations == [])
    }

    @Test func waitsInTheLastColumnBeforeItWraps() {
        var screen = screen("0123456789")
        #expect(screen.cursorPosition == .init(row: 0, column: 9))
        screen.feed("a")
        #expect(screen.cursorPosition == .init(row: 1, column: 1))
    }

    @Test func scrollsWhenTheLastRowWraps() {
        #expect(screen("\u{1B}[3;1H0123456789ab").dotted == ["..........", "0123456789", "ab........"])
    }

    // MARK: Unicode

    @Test func givesWideCharactersTwoColumns() {
        let screen = screen("a世b")
        #expect(screen.dotted[0] == "a世b......")
        #expect(screen.cells(row: 0).map(\.width).prefix(5) == [1, 2, 0, 1, 1])
        #expect(screen.cell(row: 0, column: 2).isContinuation)
        #expect(screen.text(row: 0) == "a世b")
    }

    @Test func wrapsAWideCharacterThatDoesNotFit() {
        #expect(screen("012345678世").dotted == ["012345678.", "世........", ".........."])
    }

    @Test(arguments: [
        ("世\u{1B}[1;1Hx", "x"), ("世\u{1B}[1;2Hx", " x"), ("a世\u{1B}[1;1H世", "世"), ("世\u{1B}[1;2H\u{1B}[K", ""),
        ("世a\u{1B}[1;1H\u{1B}[1P", " a"), ("世a\u{1B}[1;2H\u{1B}[1@", "   a"), ("世a\u{1B}[1;2H\u{1B}[X", "  a"),
        ("01234567世\u{1B}[1;1H\u{1B}[@", " 01234567"),
    ])
    func leavesNoHalfOfAWideCharacter(input: String, expected: String) {
        let screen = screen(input)
        #expect(screen.text(row: 0) == expected)
        #expect(screen.cells(row: 0).reduce(0) { $0 + $1.width } == 10)
    }

    @Test func combinesMarks() {
        let screen = screen("e\u{301}a\u{308}\u{304}")
        #expect(screen.cells(row: 0).prefix(3).map(\.text) == ["e\u{301}", "a\u{308}\u{304}", " "])
        #expect(screen.cell(row: 0, column: 0).width == 1)
        // Also in the last column, and on a wide character.
        #expect(screen.find("a\u{308}\u{304}") == .init(row: 0, column: 1))
        var full = TestSupportTests.screen("012345678e\u{301}")
        #expect(full.cell(row: 0, column: 9).text == "e\u{301}")
        full.feed("が")
        #expect(full.dotted[1] == "が........")
    }

    @Test func countsScalarByScalarOrByCluster() {
        let family = "👩\u{200D}👧"
        let byScalar = screen(family + "x")
        #expect(byScalar.cells(row: 0).prefix(5).map(\.text) == ["👩\u{200D}", "", "👧", "", "x"])
        let byCluster = screen(family + "x", configuration: .init(widths: .clusters))
        #expect(byCluster.cells(row: 0).prefix(3).map(\.text) == [family, "", "x"])
    }

    @Test(arguments: ["🇩🇪", "👍🏽", "❤\u{FE0F}", "👩🏽\u{200D}🚀", "1\u{FE0F}\u{20E3}"])
    func givesAClusterTwoColumns(cluster: String) {
        let screen = screen(cluster + "x", configuration: .init(widths: .clusters))
        #expect(screen.cells(row: 0).prefix(3).map(\.text) == [cluster, "", "x"])
        #expect(screen.cursorPosition.column == 3)
    }

    @Test func takesTheWidthsItIsGiven() {
        let narrow = GlyphWidths { _ in 1 }
        #expect(screen("世x", configuration: .init(widths: narrow)).cell(row: 0, column: 1).text == "x")
    }

    @Test(
        arguments: [
            ("a", 1), ("é", 1), ("\u{301}", 0), ("\u{200D}", 0), ("\u{FE0F}", 0), ("世", 2), ("ｱ", 1), ("Ａ", 2),
            ("😀", 2),
            ("♥", 1), ("⌚", 2), ("\u{1FAE8}", 2), ("한", 2), ("\u{1F1E9}", 1), ("─", 1), ("\u{E0B0}", 1), ("\u{AD}", 1),
        ] as [(Unicode.Scalar, Int)]
    )
    func knowsWidths(scalar: Unicode.Scalar, width: Int) {
        #expect(GlyphWidths.standardWidth(scalar) == width)
    }

    // MARK: Character sets and repetition

    @Test func drawsLines() {
        let input = "\u{1B}(0lqk\u{1B}(Bq\r\n\u{1B})0\u{E}mqj\u{F}q"
        #expect(screen(input).dotted.prefix(2) == ["┌─┐q......", "└─┘q......"])
        #expect(screen("\u{1B}(0`afgopqrstuvwxyz{|}~", columns: 30).text == "◆▒°±⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·")
        #expect(screen("\u{1B}(A#\u{1B}(B#").text == "£#")
    }

    @Test func repeatsACharacter() {
        #expect(screen("ab\u{1B}[3b").text == "abbbb")
        #expect(screen("x\u{1B}[12b").lines == ["xxxxxxxxxx", "xxx", ""])
        #expect(screen("\u{1B}[3b").violations == ["REP without a character to repeat"])
    }

    // MARK: Reading

    @Test func findsTextInItsCells() {
        let screen = screen("\u{1B}[2;3H世é e\u{301}nd")
        #expect(screen.find("é") == .init(row: 1, column: 4))
        #expect(screen.find("nd") == .init(row: 1, column: 7))
        #expect(screen.find("世é") == .init(row: 1, column: 2))
        #expect(screen.find("none") == nil)
        #expect(screen.contains("é "))
    }

    @Test(arguments: RecordedStream.all)
    func showsWhatNcursesDrew(stream: RecordedStream) {
        let screen = screen(
            stream.bytes,
            columns: 40,
            rows: 10,
            configuration: .terminal(named: stream.terminal)
        )
        #expect(screen.lines == stream.lines)
        #expect(screen.violations == [])
        #expect(screen.isAlternate == stream.bytes.contains("\u{1B}[?1049h"))
    }

    @Test func describesItself() {
        let screen = screen("\u{1B}]2;name\u{7}ab\u{1B}[?25l", columns: 4, rows: 1)
        #expect(
            screen.description
                == "┌────┐\n│ab  │\n└────┘\n4×1, main screen, cursor hidden at row 0, column 2\ntitle: name"
        )
    }
}
