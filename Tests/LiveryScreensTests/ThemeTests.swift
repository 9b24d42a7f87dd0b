// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI
import Testing

@testable import LiveryScreens

struct ThemeTests {
    private static func theme(_ number: UInt32, _ depth: ColorDepth = .direct) -> Theme {
        let colors = ColorMatcher(depth: depth)
        return Theme(background: colors.match(RGBColor(number)), colors: colors)
    }

    @Test func aSwatchLikeThePanelGetsEdges() {
        let theme = Self.theme(0xFFFFFF)
        var grid = Grid(size: Size(columns: 12, rows: 2), base: theme.panel)
        guard case .direct(let ground) = theme.panel.background else { return #expect(Bool(false)) }
        for (row, color) in [ground, RGBColor(0x2040C0)].enumerated() {
            let line = ActiveLine<Int>([.init(" "), .init("    ", .swatch(color)), .init(" x")])
            grid.draw(line, in: .row(row, columns: 12), theme)
        }
        #expect(grid.text(row: 0).hasPrefix(" ▏  ▕ x"))
        #expect(grid.text(row: 1).hasPrefix("      x"))
        #expect(grid[Point(column: 1, row: 0)]?.style.background == .direct(ground))
    }
}
