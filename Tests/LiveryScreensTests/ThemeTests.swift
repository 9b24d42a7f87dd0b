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

    @Test func theButtonStaysTheInverseAndPanelsDoNot() throws {
        var model = try Demo.model(Demo.document(color: "#1E1E2E"), depth: .direct)
        let center = Point(column: 40, row: 11)
        #expect(model.view()[center]?.style == model.view().base.inverted)
        for key in ["?", "i", "t"] {
            model.press("Esc", key)
            let panel = try #require(model.view()[Point(column: 60, row: 12)]).style
            guard case .direct(let ground) = panel.background else { return #expect(Bool(false), "\(panel)") }
            let moved = OklabColor(ground).lightness - OklabColor(RGBColor(0x1E1E2E)).lightness
            #expect((0.075...0.125).contains(moved), "\(key): \(ground)")
        }
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
