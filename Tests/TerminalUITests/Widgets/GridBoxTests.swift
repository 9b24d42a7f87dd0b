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
        (14, "╭─ Keys ─────╮"), (9, "╭─ Keys ╮"), (8, "╭─ Key…╮"), (5, "╭─ …╮"), (4, "╭─…╮"), (3, "╭─╮"), (2, "╭╮"),
    ])
    func theTitleStaysBetweenTheCorners(columns: Int, expected: String) {
        var grid = Grid(columns, 2)
        let rect = Rect(origin: Point(0, 0), size: grid.size)
        grid.drawBox(rect, title: "Keys", style: .plain)
        #expect(grid.lines[0] == expected)
    }

    @Test func aHostileTitleStaysBetweenTheCorners() {
        var grid = Grid(12, 2)
        let rect = Rect(origin: Point(0, 0), size: grid.size)
        grid.drawBox(rect, title: String(repeating: "\u{1B}\u{202E}", count: 20), style: .plain)
        #expect(grid.lines[0].hasPrefix("╭─ \u{FFFD}"))
        #expect(grid.lines[0].hasSuffix("…╮"))
        #expect(grid.faults == [])
    }

    @Test func theTitleIsBold() {
        var grid = Grid(12, 2)
        grid.drawBox(Rect(origin: Point(0, 0), size: grid.size), title: "Keys", style: .marked)
        #expect(grid[Point(3, 0)]?.style == Style.marked.adding(.bold))
        #expect(grid[Point(0, 0)]?.style == .marked)
    }

    @Test func aBoxThatBeginsOutsideShowsWhatIsInside() {
        var grid = Grid(4, 3)
        grid.drawBox(Rect(origin: Point(-1, -1), size: Size(columns: 4, rows: 3)), title: "Keys", style: .plain)
        #expect(grid.lines == ["  │ ", "──╯ ", "    "])
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

    @Test func centredTextStaysInItsRectangle() {
        var grid = Grid(10, 2)
        let rect = Rect(origin: Point(3, 0), size: Size(columns: 4, rows: 2))
        grid.writeCentered("abcdefgh", in: rect, row: 1, style: .plain)
        grid.writeCentered("gone", in: rect, row: 2, style: .plain)
        #expect(grid.lines == ["          ", "   abc…   "])
    }
}
