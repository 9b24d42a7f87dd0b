// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI
import TestSupport

/// The expected screen of livery once a colour has arrived.
struct ExpectedFrame {
    private let color: RGBColor
    private let page: VirtualScreen.Color?
    private let text: VirtualScreen.Color?

    /// A frame of which the status line names the colour.
    ///
    /// - Parameters:
    ///   - color: The colour asked for.
    ///   - matcher: If given, every cell must have the colours of this.
    init(_ color: RGBColor, matcher: ColorMatcher? = nil) {
        self.color = color
        let background = matcher?.match(color)
        page = background.flatMap { VirtualScreen.Color($0.color) }
        text = background.flatMap { matcher?.text(on: $0) }.flatMap { VirtualScreen.Color($0.color) }
    }

    /// Whether all of it is there.
    func isShown(on screen: VirtualScreen) -> Bool {
        guard screen.text(row: screen.rows - 1).contains(color.description) else { return false }
        guard let page, let text else { return true }
        var pageCells = 0
        // Between the page and the status line, the last changes are shown in their own colours.
        for row in 0..<screen.rows where !(screen.rows - 3..<screen.rows - 1).contains(row) {
            for cell in screen.cells(row: row) {
                if cell.visibleBackground == page {
                    pageCells += 1
                } else if cell.visibleBackground != text || !isBlank(cell) && cell.visibleForeground != page {
                    return false
                }
            }
        }
        return pageCells > screen.rows * screen.columns / 2
    }

    private func isBlank(_ cell: VirtualScreen.Cell) -> Bool {
        cell.text.isEmpty || cell.text == " "
    }
}

extension VirtualScreen.Color {
    fileprivate init?(_ color: TerminalColor) {
        switch color {
        case .standard: self = .standard
        case .indexed(let index): self = .indexed(index)
        case .direct(let color): self = .rgb(color.rgb24)
        }
    }
}

extension VirtualScreen.Cell {
    fileprivate var visibleForeground: VirtualScreen.Color { isReversed ? background : foreground }
}
