// SPDX-License-Identifier: Apache-2.0

import Basics
import Testing

@testable import TerminalUI

struct GridBoxTests {
    @Test(arguments: [
        (Size(columns: 2, rows: 2), ["╭╮  ", "╰╯  ", "    "]), (Size(columns: 3, rows: 3), ["╭─╮ ", "│ │ ", "╰─╯ "]),
        (Size(columns: 4, rows: 2), ["╭──╮", "╰──╯", "    "]), (Size(columns: 2, rows: 3), ["╭╮  ", "││  ", "╰╯  "]),
        (Size(columns: 1, rows: 3), ["    ", "    ", "    "]), (Size(columns: 4, rows: 1), ["    ", "    ", "    "]),
        (Size(columns: 0, rows: 0), ["    ", "    ", "    "]), (Size(columns: 9, rows: 9), ["╭───", "│   ", "│   "]),
    ])
    func aBoxIsAsLargeAsItsRectangle(size: Size, expected: [String]) {
        var grid = Grid(4, 3)
        grid.drawBox(Rect(origin: Point(0, 0), size: size), style: .plain)
        #expect(grid.lines == expected)
    }

    @Test(arguments: [
        ("ab", "  ab  "), ("abc", " abc  "), ("漢", "  漢  "), ("", "      "), ("abcdefgh", "abcde…"), ("漢字漢字", "漢字… "),
        ("\u{1B}", "  \u{FFFD}   "),
    ])
    func centredTextIsInTheMiddleOrCut(text: String, expected: String) {
        var grid = Grid(6, 1)
        grid.writeCentered(text, in: Rect(origin: Point(0, 0), size: grid.size), row: 0, style: .plain)
        #expect(grid.lines == [expected])
    }
}

extension Style {
    static let plain = Style(foreground: .indexed(16), background: .indexed(217))
    static let marked = Style(foreground: .indexed(231), background: .indexed(0))
}

extension Point {
    init(_ column: Int, _ row: Int) { self.init(column: column, row: row) }
}

extension Grid {
    /// An empty grid.
    init(_ columns: Int, _ rows: Int) {
        self.init(size: Size(columns: columns, rows: rows), base: .plain)
    }

    /// The rows as text; the columns that a wide glyph covers are no part of it.
    var lines: [String] { (0..<size.rows).map { text(row: $0) } }

    /// Errors that a terminal could not show: half glyphs, glyphs beyond the edge, control characters.
    var faults: [String] {
        (0..<size.rows).flatMap { row in faults(inRow: Array(self.row(row)), number: row) }
    }

    private func faults(inRow cells: [Cell], number: Int) -> [String] {
        var faults = cells.count == size.columns ? [] : ["row \(number) has \(cells.count) cells"]
        var column = 0
        while column < cells.count {
            guard let cluster = cells[column].cluster else {
                faults.append("row \(number), column \(column): a continuation without a head")
                column += 1
                continue
            }
            let width = cluster.columnWidth
            let covered = cells[(column + 1)...].prefix(while: \.isContinuation).count
            if width < 1 || covered != width - 1 {
                faults.append("row \(number), column \(column): \(String(cluster).escaped) covers \(covered) more")
            }
            if cluster.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
                faults.append("row \(number), column \(column): a control character")
            }
            column += 1 + covered
        }
        return faults
    }
}

struct EmphasizedStyleTests {
    /// xterm shows bold black as a grey, and bold blue as a lighter one.
    @Test(arguments: [
        (TerminalColor.indexed(0), TerminalColor.indexed(9), false), (.indexed(4), .indexed(15), false),
        (.indexed(4), .indexed(0), true), (.indexed(12), .indexed(15), true), (.indexed(16), .indexed(231), true),
        (.indexed(0), .indexed(1), true), (.standard, .standard, true),
    ])
    func boldIsLeftOutWhereItIsHardToRead(text: TerminalColor, ground: TerminalColor, isBold: Bool) {
        let style = Style(foreground: text, background: ground)
        #expect(style.emphasized.attributes.contains(.bold) == isBold)
    }
}
