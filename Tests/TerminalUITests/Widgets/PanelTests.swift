// SPDX-License-Identifier: Apache-2.0

import Basics
import TerminalUI
import Testing

struct PanelTests {
    private static func panel(count: Int = 100, columns: Int = 30, focus: Int? = nil) -> Panel<Int> {
        var hints = [("a", "One", 1), ("b", "Two", 2), ("c", "Three", 3)].map { key, word, target in
            ScreenCommand(target, [Key.character(Character(key))], hint: word)
        }
        hints[1].keepsHint = true
        return Panel(
            .centered(columns: columns - 4, rows: 4, in: Size(columns: columns, rows: 7)),
            title: [.init("Title", .title), .init(" ── "), .init("/x", target: 9)],
            hints: hints,
            feedback: count == 100 ? "" : "Said",
            count: count,
            top: 0
        ) { ActiveLine([.init("line \($0)")], isFocused: $0 == focus, target: 10 + $0) }
    }

    private static func drawn(_ panel: Panel<Int>) -> Grid {
        var grid = Grid(size: Size(columns: 40, rows: 8), base: .standard)
        grid.draw(panel, .plain)
        return grid
    }

    private static func lines(_ grid: Grid) -> [String] { (0..<grid.size.rows).map { grid.text(row: $0) } }

    @Test func eachPartIsFoundWhereItIsDrawn() throws {
        let panel = Self.panel()
        let lines = Self.lines(Self.drawn(panel))
        for (text, row, target) in [("/x", 0, 9), ("line 1", 2, 11), ("a One", 5, 1), ("c Three", 5, 3)] {
            let range = try #require(lines[row].firstRange(of: text))
            let column = lines[row].distance(from: lines[row].startIndex, to: range.lowerBound)
            let isLine = text.hasPrefix("line")
            #expect(panel.part(at: Point(column: column, row: row)) == .target(target))
            let after = panel.part(at: Point(column: column + text.count, row: row))
            #expect(after == (isLine ? .target(target, offset: text.count) : .other))
        }
        #expect(panel.part(at: Point(column: 29, row: 3)) == .scrollbar(row: 2))
        #expect(panel.part(at: Point(column: 1, row: 7)) == nil)
    }

    @Test(arguments: [(nil, 0), (2, 0), (3, 1)] as [(Int?, Int)])
    func messageHasASeparateRow(focus: Int?, top: Int) {
        let panel = Self.panel(count: 4, focus: focus)
        let lines = Self.lines(Self.drawn(panel))
        for row in 0..<3 { #expect(lines[1 + row].contains("line \(top + row)")) }
        #expect(lines[4].contains("Said") && !lines[4].contains("line"))
        #expect(panel.scrollbar.top == top && panel.part(at: Point(column: 3, row: 4)) == .other)
    }

    @Test func theScrollbarIsHeldWhereverThePointerStrays() {
        let panel = Self.panel()
        var grip = ScrollGrip()
        let use = { (action: MouseEvent.Action, column: Int, row: Int) in
            grip.top(after: MouseEvent(action, at: Point(column: column, row: row)), on: panel)
        }
        #expect(use(.drag(button: 0), 29, 3) == nil)
        #expect(use(.press(button: 0), 29, 1) == 0)
        #expect(use(.drag(button: 0), 0, 7) == 96)
        #expect(use(.release(button: 0), 0, 0) == 0 && use(.drag(button: 0), 0, 7) == nil)
        #expect(use(.scroll(1), 3, 3) == 3 && use(.scroll(1), 3, 7) == nil)
    }

    @Test(
        arguments: [
            (5, []), (10, []), (11, [3]), (17, [3]), (18, [2, 3]), (24, [2, 3]), (25, [1, 2, 3]),
        ] as [(Int, [Int])]
    )
    func keptAndLastHintsStayLongest(columns: Int, shown: [Int]) {
        #expect(Self.panel(columns: columns).hints.compactMap(\.target) == shown)
    }
}
