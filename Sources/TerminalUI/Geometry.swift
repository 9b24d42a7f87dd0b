// SPDX-License-Identifier: Apache-2.0

/// An extent in character cells.
public struct Size: Hashable, Sendable {
    /// The width in columns.
    public var columns: Int
    /// The height in rows.
    public var rows: Int

    /// Creates a size; negative extents count as 0.
    public init(columns: Int, rows: Int) {
        self.columns = max(columns, 0)
        self.rows = max(rows, 0)
    }
}

/// A cell's place, from the upper left corner, which is column 0 of row 0.
public struct Point: Hashable, Sendable {
    /// The column, from 0.
    public var column: Int
    /// The row, from 0.
    public var row: Int

    /// Creates a point.
    public init(column: Int, row: Int) {
        (self.column, self.row) = (column, row)
    }
}

/// A rectangle of cells.
public struct Rect: Hashable, Sendable {
    /// The upper left cell.
    public var origin: Point
    /// The extent.
    public var size: Size

    /// Creates a rectangle from its upper left cell and its extent.
    public init(origin: Point, size: Size) {
        (self.origin, self.size) = (origin, size)
    }

    /// Cells of one row.
    public static func row(_ row: Int, from column: Int = 0, columns: Int) -> Rect {
        Rect(origin: Point(column: column, row: row), size: Size(columns: columns, rows: 1))
    }

    /// The columns that the rectangle covers.
    public var columns: Range<Int> { origin.column..<origin.column + size.columns }
    /// The rows that the rectangle covers.
    public var rows: Range<Int> { origin.row..<origin.row + size.rows }

    /// Whether a cell lies in the rectangle.
    public func contains(_ point: Point) -> Bool {
        columns.contains(point.column) && rows.contains(point.row)
    }

    /// The rectangle without a border of some columns on the left and right, and rows above and below.
    public func inset(columns: Int, rows: Int) -> Rect {
        Rect(
            origin: Point(column: origin.column + columns, row: origin.row + rows),
            size: Size(columns: size.columns - 2 * columns, rows: size.rows - 2 * rows)
        )
    }

    /// A rectangle of this size in the middle of an area; where it cannot be exact, nearer to the upper left.
    public static func centered(_ size: Size, in area: Size) -> Rect {
        let size = Size(columns: min(size.columns, area.columns), rows: min(size.rows, area.rows))
        let origin = Point(column: (area.columns - size.columns) / 2, row: (area.rows - size.rows) / 2)
        return Rect(origin: origin, size: size)
    }
}
