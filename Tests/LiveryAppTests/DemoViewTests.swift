// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI
import Testing

@testable import LiveryApp

struct DemoViewTests {
    /// Black and white by WCAG 2.2 on the colour as shown: 243 is #767676, on which black is read more easily.
    @Test(arguments: [
        ("#FFB6C1", ColorDepth.indexed256, TerminalColor.indexed(217), TerminalColor.indexed(16)),
        ("#000000", .indexed256, .indexed(16), .indexed(231)), ("#0000FF", .indexed256, .indexed(21), .indexed(231)),
        ("#00FF00", .indexed256, .indexed(46), .indexed(16)), ("#757575", .indexed256, .indexed(243), .indexed(16)),
        ("#757575", .direct, .direct(RGBColor(rgb24: 0x757575)), .direct(RGBColor(rgb24: 0xFFFFFF))),
        ("#767676", .direct, .direct(RGBColor(rgb24: 0x767676)), .direct(RGBColor(rgb24: 0x000000))),
        ("#FFB6C1", .monochrome, .indexed(1), .indexed(0)), ("#102030", .monochrome, .indexed(0), .indexed(1)),
    ])
    func textIsBlackOrWhiteOnTheColorAsShown(
        color: String,
        depth: ColorDepth,
        background: TerminalColor,
        text: TerminalColor
    ) throws {
        let grid = try Demo.model(Demo.document(color: color), depth: depth).view()
        #expect(grid.base == Style(foreground: text, background: background))
        #expect(grid[Point(column: 0, row: 0)]?.style == grid.base)
        #expect(grid[Point(column: 40, row: 11)]?.style == grid.base.inverted)
        #expect(grid[Point(column: 0, row: 23)]?.style.background == background)
    }

    @Test(arguments: ColorDepth.allCases)
    func everyDepthShowsTheScreenInItsColors(depth: ColorDepth) throws {
        let model = try Demo.model(depth: depth)
        let grid = model.view()
        let page = Style(foreground: model.colors.text(on: model.background).color, background: model.background.color)
        let dimmed = model.colors.dimmedText(on: model.background).color
        #expect(grid.row(0).allSatisfy { $0.style == page })
        #expect(grid.row(14).contains { $0.style == Style(foreground: dimmed, background: page.background) })
        #expect(grid.faults == [])
    }

    @Test(arguments: [
        (200, 60, Rect(origin: Point(column: 92, row: 28), size: Size(columns: 16, rows: 3))),
        (80, 24, Rect(origin: Point(column: 32, row: 10), size: Size(columns: 16, rows: 3))),
        (20, 5, Rect(origin: Point(column: 2, row: 1), size: Size(columns: 16, rows: 3))),
    ])
    func theButtonIsInTheMiddle(columns: Int, rows: Int, button: Rect) throws {
        let model = try Demo.model(size: Size(columns: columns, rows: rows))
        let grid = model.view()
        #expect(MainLayout(model).button == button)
        for row in 0..<(rows - 1) {
            let isSolid = (0..<columns).map { grid[Point(column: $0, row: row)]?.style == grid.base.inverted }
            let expected = (0..<columns).map { button.contains(Point(column: $0, row: row)) }
            #expect(isSolid == expected, "row \(row)")
        }
        #expect(grid.text(row: button.rows.lowerBound + 1).contains(" ▸  Meow! 😸  ◂ "))
    }

    @Test func theURLIsBelowTheButton() throws {
        let lines = try Demo.model().lines
        #expect(lines[14].split(separator: " ") == ["https://example.org/cats"])
        #expect(lines.count { $0.contains("https://") } == 1)
    }

    @Test func aLongTextIsWrappedAndCut() throws {
        let text = Array(repeating: "cats", count: 60).joined(separator: " ")
        let model = try Demo.model(Demo.document(text: text))
        let layout = MainLayout(model)
        #expect(layout.label.count == 3)
        #expect(layout.label.allSatisfy { $0.columnWidth <= 60 })
        #expect(layout.label.last?.hasSuffix("…") == true)
        #expect(layout.button.size.rows == 5)
    }

    @Test func aWindowWithoutTheKeyboardHasNoFocusedButton() throws {
        var model = try Demo.model()
        _ = model.update(.terminal(.input(.focus(false))))
        #expect(!model.lines[11].contains("▸"))
        _ = model.update(.terminal(.input(.focus(true))))
        #expect(model.lines[11].contains("▸"))
    }
}

extension DemoViewTests {
    @Test func everySmallSizeIsDrawnWithoutFault() throws {
        for keys in [[], ["?"], ["i"], ["i", "/", "a"], ["i", "Enter"], ["i", "?"]] {
            var model = try Demo.model()
            for key in keys { model.press(key) }
            for columns in 0...30 {
                for rows in 0...12 {
                    model.resize(columns, rows)
                    let grid = model.view()
                    #expect(grid.size == Size(columns: columns, rows: rows))
                    #expect(grid.faults == [], "\(columns)×\(rows)")
                }
            }
        }
    }

    @Test func atEverySizeThePartsAreApartAndOnTheScreen() {
        for columns in 0...30 {
            for rows in 0...14 {
                let layout = MainLayout(size: Size(columns: columns, rows: rows), text: "one two three four five six")
                let parts = [layout.urlRow, layout.newsRow, layout.colorsRow, layout.statusRow].compactMap(\.self)
                let taken = Array(layout.button.rows) + parts
                #expect(Set(taken).count == taken.count, "\(columns)×\(rows)")
                #expect(taken.allSatisfy { $0 < max(rows, 1) }, "\(columns)×\(rows)")
                #expect(layout.button.columns.upperBound <= columns)
            }
        }
    }

    @Test func theSmallestScreenShowsThatThereIsAText() throws {
        let grid = try Demo.model(size: Size(columns: 1, rows: 1)).view()
        #expect(grid.lines == ["…"])
        #expect(grid[Point(column: 0, row: 0)]?.style == grid.base.inverted)
    }

    @Test func ofTwoRowsTheLastIsTheStatusLine() throws {
        let lines = try Demo.model(size: Size(columns: 20, rows: 2)).lines
        #expect(lines[0].contains("Meow! 😸"))
        #expect(lines[1].contains("● live"))
    }
}
