// SPDX-License-Identifier: Apache-2.0

import Basics
import TerminalUI
import Testing

struct PanelTests {
    private static let frame = Rect(origin: Point(column: 2, row: 1), size: Size(columns: 30, rows: 6))

    private static func panel(count: Int = 100, frame: Rect = frame) -> Panel<Int> {
        Panel(
            frame: frame,
            content: frame.inset(columns: 2, rows: 1),
            title: ActiveLine([.init("Title", .title), .init(" ── "), .init("/x", target: 9)]),
            hints: [.init("a One", target: 1), .init("b Two", target: 2), .init("c Three", target: 3)],
            scrollbar: Scrollbar(count: count, page: 4, top: 0)
        )
    }

    private static func drawn(_ panel: Panel<Int>) -> Grid {
        var grid = Grid(size: Size(columns: 34, rows: 8), base: .standard)
        grid.draw(panel) { _ in .standard }
        return grid
    }

    private static func lines(_ grid: Grid) -> [String] { (0..<grid.size.rows).map { grid.text(row: $0) } }

    @Test func eachPartIsFoundWhereItIsDrawn() throws {
        let panel = Self.panel()
        let lines = Self.lines(Self.drawn(panel))
        for (text, row, target) in [("/x", 1, 9), ("a One", 6, 1), ("c Three", 6, 3)] {
            let range = try #require(lines[row].firstRange(of: text))
            let column = lines[row].distance(from: lines[row].startIndex, to: range.lowerBound)
            #expect(panel.part(at: Point(column: column, row: row)) == .target(target))
            #expect(panel.part(at: Point(column: column + text.count, row: row)) == .border)
        }
        #expect(panel.part(at: Point(column: 31, row: 4)) == .scrollbar(row: 2))
        #expect(panel.part(at: Point(column: 4, row: 2)) == .content(Point(column: 0, row: 0)))
        #expect(panel.part(at: Point(column: 1, row: 2)) == nil)
    }

    @Test func theLastHintStaysLongest() {
        for columns in 5...40 {
            let panel = Self.panel(frame: Rect(origin: Self.frame.origin, size: Size(columns: columns, rows: 6)))
            let shown = panel.hints.compactMap(\.target)
            #expect(columns < 11 ? shown == [] : shown.last == 3, "\(columns)")
            #expect(panel.hints.reduce(-2) { $0 + $1.text.count + 2 } <= max(columns - 4, 0))
        }
    }
}
