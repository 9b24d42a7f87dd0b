// SPDX-License-Identifier: Apache-2.0

/// Where a screen is that opens beside the main screen where both have room, else over it.
package struct SidePanel: Hashable {
    /// The room of the main screen.
    package let main: Size
    /// The open screen with its border.
    package let panel: Rect
    /// What is within the border.
    package let content: Rect

    private static let leastMain = 30
    private static let leastPanel = 42
    private static let mostPanel = 72

    package init(_ size: Size) {
        let width = min(max(size.columns / 2 + 4, Self.leastPanel), Self.mostPanel)
        let isSplit = size.columns - width >= Self.leastMain
        main = isSplit ? Size(columns: size.columns - width, rows: size.rows) : size
        // Over the main screen, its first row and its status line stay in sight where there is room for that.
        let top = isSplit || size.rows < 10 ? 0 : 1
        let bottom = size.rows < 4 || isSplit ? 0 : 1
        panel = Rect(
            origin: Point(column: isSplit ? main.columns : 0, row: top),
            size: Size(columns: isSplit ? width : size.columns, rows: size.rows - top - bottom)
        )
        let hasBorder = panel.size.rows >= 8 && panel.size.columns >= 24
        content = hasBorder ? panel.inset(columns: 2, rows: 1) : panel
    }
}
