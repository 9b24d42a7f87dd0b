// SPDX-License-Identifier: Apache-2.0

/// Where a panel is on the screen.
package struct PanelPlace: Hashable, Sendable {
    /// The panel with its border.
    package let frame: Rect
    /// The room within the border; the same as the frame where there is no room for one.
    package let content: Rect

    private init(_ frame: Rect, least: Size) {
        self.frame = frame
        let hasBorder = frame.size.rows >= least.rows && frame.size.columns >= least.columns
        content = hasBorder ? frame.inset(columns: 2, rows: 1) : frame
    }

    package var hasBorder: Bool { frame != content }

    /// Columns from the edge of the panel to its title.
    static let titleMargin = 3

    /// The room of the title.
    package var titleColumns: Int {
        max(hasBorder ? frame.size.columns - 2 * Self.titleMargin : content.size.columns, 0)
    }

    /// The room of the lines: without a border, the title takes the first row, if there is another one.
    package var list: Rect {
        guard !hasBorder, content.size.rows > 1 else { return content }
        let origin = Point(column: content.origin.column, row: content.origin.row + 1)
        return Rect(origin: origin, size: Size(columns: content.size.columns, rows: content.size.rows - 1))
    }
}

extension PanelPlace {
    private static let minimumMainColumns = 30
    private static let minimumPanelColumns = 42
    private static let maximumPanelColumns = 104

    private static func columns(beside size: Size) -> Int {
        min(max(size.columns / 2 + 4, minimumPanelColumns), maximumPanelColumns)
    }

    private static func isSplit(_ size: Size) -> Bool { size.columns - columns(beside: size) >= minimumMainColumns }

    /// The room of the main screen beside the panel: all of it where the panel takes the whole width.
    package func main(in size: Size) -> Size {
        let columns = frame.origin.column
        return columns > 0 ? Size(columns: columns, rows: size.rows) : size
    }

    /// Beside the main screen where both have room, else over it.
    package static func side(in size: Size) -> PanelPlace { place(in: size, isSplit: isSplit(size)) }

    /// The place of a list: beside the main screen where that leaves a list room for its columns, else over it.
    package static func list(in size: Size) -> PanelPlace {
        place(in: size, isSplit: isSplit(size) && size.columns >= minimumColumnsForBoth)
    }

    private static let minimumColumnsForBoth = 100

    private static func place(in size: Size, isSplit: Bool) -> PanelPlace {
        // Over the main screen, its first row and its status line stay in sight where there is room for that.
        let top = isSplit || size.rows < 10 ? 0 : 1
        let bottom = size.rows < 4 || isSplit ? 0 : 1
        let columns = columns(beside: size)
        let frame = Rect(
            origin: Point(column: isSplit ? size.columns - columns : 0, row: top),
            size: Size(columns: isSplit ? columns : size.columns, rows: size.rows - top - bottom)
        )
        return PanelPlace(frame, least: Size(columns: 24, rows: 8))
    }
}

extension PanelPlace {
    /// The whole screen, but for the status line where there is room for it.
    package static func whole(in size: Size) -> PanelPlace {
        let size = Size(columns: size.columns, rows: size.rows < 10 ? size.rows : size.rows - 1)
        return PanelPlace(Rect(origin: Point(column: 0, row: 0), size: size), least: Size(columns: 24, rows: 8))
    }
}

extension PanelPlace {
    /// Room for the hints in the lower border.
    private static let minimumColumns = 28

    private static func margin(in size: Size) -> Int { size.columns >= 60 ? 4 : 0 }

    /// The maximum columns of a line in the middle.
    package static func maximumColumns(in size: Size) -> Int { max(size.columns - 2 * margin(in: size) - 4, 1) }

    /// In the middle of the screen above the status line, as large as the lines.
    package static func centered(columns: Int, rows: Int, in size: Size) -> PanelPlace {
        let margin = margin(in: size)
        let room = Size(columns: size.columns - 2 * margin, rows: max(size.rows - 1, min(size.rows, 1)))
        let wanted = Size(
            columns: min(max(columns, minimumColumns) + 4, room.columns),
            rows: min(rows + 2, room.rows)
        )
        var frame = Rect.centered(wanted, in: room)
        frame.origin.column += margin
        return PanelPlace(frame, least: Size(columns: 5, rows: 3))
    }
}
