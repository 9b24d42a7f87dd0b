// SPDX-License-Identifier: Apache-2.0

import TerminalUI

/// The lines of an editor in a panel: how far they are scrolled, and the mouse on their parts.
struct EditorPane: Sendable {
    /// A part of the editor that is being dragged, wherever the pointer strays.
    struct Drag: Hashable {
        var part: [Int]
        /// The column of the screen where the part begins.
        var origin: Int
    }

    /// The number of rows by which the user has scrolled the lines; `nil` while they follow the keyboard.
    private var scroll: Int?
    var drag: Drag?
    private var grip = ScrollGrip()

    /// Shows the line with the keyboard again.
    mutating func followKeyboard() { scroll = nil }

    mutating func scroll(by rows: Int, count: Int, page: Int) {
        scroll(to: (scroll ?? 0) + rows, count: count, page: page)
    }

    mutating func scroll(to row: Int, count: Int, page: Int) {
        scroll = Scrollbar(count: count, page: page, top: row).top
    }

    /// Scrolls by the wheel or the scrollbar.
    ///
    /// - Returns: whether the mouse did something to them.
    mutating func scroll<Target>(by mouse: MouseEvent, on panel: Panel<Target>, page: Int) -> Bool {
        guard let top = grip.top(after: mouse, on: panel) else { return false }
        scroll(to: top, count: panel.scrollbar.count, page: page)
        return true
    }

    /// The first line in sight.
    func top<Target>(of lines: [ActiveLine<Target>], page: Int) -> Int {
        scroll ?? ListCursor.top(showing: lines.firstIndex(where: \.isFocused) ?? 0, of: lines.count, rows: page)
    }
}
