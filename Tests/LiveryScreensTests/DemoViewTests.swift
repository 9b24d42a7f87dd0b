// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI
import Testing

@testable import LiveryScreens

struct DemoViewTests {
    /// Black and white by WCAG 2.2 on the colour as shown: 243 is #767676, on which black is read more easily.
    @Test(arguments: [
        ("#FFB6C1", ColorDepth.indexed256, TerminalColor.indexed(217), TerminalColor.indexed(16)),
        ("#000000", .indexed256, .indexed(16), .indexed(231)), ("#0000FF", .indexed256, .indexed(21), .indexed(231)),
        ("#00FF00", .indexed256, .indexed(46), .indexed(16)), ("#757575", .indexed256, .indexed(243), .indexed(16)),
        ("#757575", .direct, .direct(RGBColor(0x757575)), .direct(RGBColor(0xFFFFFF))),
        ("#767676", .direct, .direct(RGBColor(0x767676)), .direct(RGBColor(0x000000))),
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

    @Test func aLongTextIsWrappedAndCut() throws {
        let text = Array(repeating: "cats", count: 60).joined(separator: " ")
        let model = try Demo.model(Demo.document(text: text))
        let layout = model.main.layout
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
    @Test(arguments: CatalogScreen.all)
    func everySizeIsDrawn(screen: CatalogScreen) throws {
        var model = try screen.model(columns: 80, rows: 24)
        for columns in [0, 1, 2, 3, 5, 12, 20, 24, 28, 40, 71, 72, 120, 200] {
            for rows in [0, 1, 2, 3, 4, 5, 8, 10, 12, 60] {
                model.resize(columns, rows)
                let grid = model.view()
                #expect(grid.size == Size(columns: columns, rows: rows))
                #expect(grid.faults == [], "\(columns)×\(rows)")
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
}
