// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import TerminalUI

struct GridTests {
    @Test func theCaretGoesWhereItsLineIsDrawn() {
        var grid = Grid(size: Size(columns: 10, rows: 3), base: .standard)
        let line = ActiveLine<Int>([.init("/"), .init("ab", .field), .init(" ", .caret)])
        grid.draw(line, in: .row(1, from: 2, columns: 8)) { _ in .standard }
        #expect(grid.caret == Point(column: 5, row: 1))
        #expect(grid.cursor == Point(column: 5, row: 1))

        var outer = Grid(size: Size(columns: 20, rows: 5), base: .standard)
        outer.draw(grid, at: Point(column: 4, row: 2))
        #expect(outer.caret == Point(column: 9, row: 3))
        outer.fill(.row(3, columns: 9), style: .standard)
        #expect(outer.caret == Point(column: 9, row: 3))
        outer.fill(.row(3, columns: 10), style: .standard)
        #expect(outer.caret == nil)
    }

    @Test(arguments: [("", "", 7, 1), ("", "status", 7, 1), ("", "a status", 1, 1), ("top", "a_status", 7, 0)])
    func theCursorRestsWhereItCoversNoText(top: String, bottom: String, column: Int, row: Int) {
        var grid = Grid(size: Size(columns: 8, rows: 2), base: .standard)
        grid.write(top, at: Point(column: 0, row: 0), style: .standard)
        grid.write(bottom, at: Point(column: 0, row: 1), style: .standard)
        #expect(grid.cursor == Point(column: column, row: row))
    }

    @Test(arguments: [
        ("abcdef", Point(-2, 0), "cdef"), ("abcdef", Point(2, 0), "  ab"), ("abcdef", Point(-1, 0), "bcde"),
        ("ab", Point(4, 0), "    "), ("ab", Point(-2, 0), "    "), ("ab", Point(0, 1), "    "),
        ("ab", Point(0, -1), "    "),
        ("ab", Point(.max, 0), "    "), ("ab", Point(.min, 0), "    "), ("ab", Point(0, .min), "    "),
        // A wide glyph that the edge would cut is left out.
        ("漢字", Point(-1, 0), " 字 "), ("漢字", Point(1, 0), " 漢 "), ("漢字", Point(3, 0), "    "), ("漢字", Point(0, 0), "漢字"),
        ("a漢b", Point(2, 0), "  a "),
    ])
    func cellsOutsideAreClipped(text: String, point: Point, expected: String) {
        var grid = Grid(4, 1)
        grid.write(text, at: point, style: .plain)
        #expect(grid.lines == [expected])
        #expect(grid.faults == [])
    }

    @Test(arguments: [
        (0, "x 字"), (1, " x字"), (2, "漢x "), (3, "漢 x"),
    ])
    func halfAGlyphNeverStaysBehind(column: Int, expected: String) {
        var grid = Grid(4, 1)
        grid.write("漢字", at: Point(0, 0), style: .plain)
        grid.write("x", at: Point(column, 0), style: .marked)
        #expect(grid.lines == [expected])
        #expect(grid.faults == [])
    }

    @Test func aWideGlyphReplacesTwoHalves() {
        var grid = Grid(4, 1)
        grid.write("漢字", at: Point(0, 0), style: .plain)
        grid.write("😸", at: Point(1, 0), style: .marked)
        #expect(grid.lines == [" 😸 "])
        #expect(grid[Point(2, 0)]?.isContinuation == true)
        #expect(grid[Point(2, 0)]?.style == .marked)
        #expect(grid[Point(3, 0)]?.style == .plain)
    }

    @Test func aRectangleIsFilledWithinTheGrid() {
        var grid = Grid(4, 3)
        for row in 0..<3 { grid.write("漢字", at: Point(0, row), style: .plain) }
        grid.fill(Rect(origin: Point(1, 1), size: Size(columns: 99, rows: 99)), style: .marked)
        #expect(grid.lines == ["漢字", "    ", "    "])
        #expect(grid.row(1).map { $0.style == .marked } == [false, true, true, true])
        grid.fill(Rect(origin: Point(-5, -5), size: Size(columns: 6, rows: 6)), style: .marked)
        #expect(grid.lines[0] == "  字")
        #expect(grid.faults == [])
    }

    @Test func equalLooksAreEqualHoweverDrawn() {
        var grid = Grid(4, 2)
        grid.write("ab", at: Point(0, 0), style: .marked)
        #expect(grid != Grid(4, 2))
        #expect(!grid.hasSameRow(0, as: Grid(4, 2)))
        #expect(grid.hasSameRow(1, as: Grid(4, 2)))
        grid.fill(.row(0, columns: 4), style: .plain)
        #expect(grid == Grid(4, 2))
        #expect(grid.hashValue == Grid(4, 2).hashValue)
        #expect(grid != Grid(size: grid.size, base: .marked))
        #expect(grid.drawnCells(row: 0).isEmpty)
    }

    @Test func theDrawnCellsOfARowGoFromTheFirstToTheLast() {
        var grid = Grid(9, 1)
        grid.write("a", at: Point(2, 0), style: .plain)
        grid.write("漢", at: Point(5, 0), style: .plain)
        #expect(grid.drawnCells(row: 0).indices == 2..<7)
        grid.fill(.row(0, from: 8, columns: 1), style: .marked)
        #expect(grid.drawnCells(row: 0).indices == 2..<9)
    }

    @Test func marksAndNothingElseTakeNoCell() {
        var grid = Grid(4, 1)
        grid.write("\u{301}", at: Point(0, 0), style: .marked)
        #expect(grid == Grid(4, 1))
        grid.write("e\u{301}x", at: Point(0, 0), style: .plain)
        #expect(grid[Point(0, 0)]?.cluster == "e\u{301}")
        #expect(grid.lines == ["e\u{301}x  "])
    }

    /// A URL must not end the sequence that marks it.
    @Test(arguments: [
        ("https://example.org", 1, true), ("https://example.org/\u{1B}\\", 1, false),
        ("https://example.org/ä", 1, false),
        ("https://" + String(repeating: "x", count: 2000), 1, false), ("https://example.org", 2, false),
    ])
    func onlySafeURLsBecomeLinks(url: String, rows: Int, isLink: Bool) {
        var grid = Grid(4, 2)
        grid.link(Rect(origin: Point(0, 0), size: Size(columns: 4, rows: rows)), to: url)
        #expect(grid.links.map(\.url) == (isLink ? [url] : []))
    }
}

struct GridPropertyTests {
    @Test(.timeLimit(.minutes(5)), arguments: 1...20 as ClosedRange<UInt64>)
    func noSequenceOfDrawingLeavesHalfAGlyph(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var texts = HostileText(seed: seed)
        let size = Size(columns: .random(in: 0...12, using: &generator), rows: .random(in: 0...4, using: &generator))
        var grid = Grid(size: size, base: .plain)
        for _ in 0..<200 {
            let text = Bool.random(using: &generator) ? texts.next() : "a漢😸b字"
            draw(text, on: &grid, using: &generator)
            guard grid.faults.isEmpty else {
                Issue.record("seed \(seed), \(size), \(text.escaped): \(grid.faults)")
                return
            }
        }
    }

    private func draw(_ text: String, on grid: inout Grid, using generator: inout SeededGenerator) {
        let point = Point(.random(in: -6...14, using: &generator), .random(in: -2...5, using: &generator))
        let rect = Rect(
            origin: point,
            size: Size(columns: .random(in: 0...14, using: &generator), rows: .random(in: 0...5, using: &generator))
        )
        switch UInt8.random(in: 0..<6, using: &generator) {
        case 0: grid.fill(rect, style: .marked)
        case 1: grid.drawBox(rect, style: .marked)
        case 2: grid.writeCentered(text, in: rect, row: point.row, style: .plain)
        default: grid.write(text, at: point, style: .plain)
        }
    }
}
