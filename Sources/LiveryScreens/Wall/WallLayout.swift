// SPDX-License-Identifier: Apache-2.0

package import TerminalUI

/// The places on a wall of screens: a grid that fills the room above the status line, with a line between neighbours.
package struct WallLayout: Equatable {
    /// A row of screens of the same height; the last row may have fewer, which are wider.
    struct Row: Equatable {
        var tiles: [Rect]

        /// The columns after each screen.
        var ends: Set<Int> { Set(tiles.map(\.columns.upperBound)) }
    }

    let rows: [Row]
    let statusRow: Int?

    var tiles: [Rect] { rows.flatMap(\.tiles) }

    /// Room for a name and a colour in the first row, the button in the second, and the state in the third.
    private static let minimumTile = Size(columns: 16, rows: 3)
    /// Each screen has its own connection.
    static let maximumScreens = 64

    /// The number of screens that fit into a terminal; the smallest terminal has one.
    package static func maximumScreens(in size: Size) -> Int {
        let most = maximumTiles(in: room(in: size))
        return min(most.columns * most.rows, maximumScreens)
    }

    /// The number of screens that fit, as a sentence without its end.
    package static func capacity(of size: Size) -> String {
        let most = maximumScreens(in: size)
        let noun = most == 1 ? "screen fits" : "screens fit"
        return "Only \(most) \(noun) in \(size.columns)×\(size.rows)"
    }

    private static func room(in size: Size) -> Size {
        Size(columns: size.columns, rows: size.rows >= 2 ? size.rows - 1 : size.rows)
    }

    private static func maximumTiles(in room: Size) -> (columns: Int, rows: Int) {
        (max((room.columns + 1) / (minimumTile.columns + 1), 1), max((room.rows + 1) / (minimumTile.rows + 1), 1))
    }

    /// - Parameter count: how many screens there are; as many as fit are placed.
    init(of count: Int, in size: Size) {
        let room = Self.room(in: size)
        statusRow = size.rows >= 2 ? size.rows - 1 : nil
        let count = max(min(count, Self.maximumScreens(in: size)), 1)
        let columns = Self.columns(for: count, in: room)
        let heights = Self.parts(of: room.rows, count: (count + columns - 1) / columns)
        rows = heights.enumerated().map { index, rows in
            let inRow = min(columns, count - index * columns)
            let tiles = Self.parts(of: room.columns, count: inRow).map { columns in
                Rect(
                    origin: Point(column: columns.lowerBound, row: rows.lowerBound),
                    size: Size(columns: columns.count, rows: rows.count)
                )
            }
            return Row(tiles: tiles)
        }
    }

    /// The number of screens per row for which they resemble a terminal of 80×24 most.
    private static func columns(for count: Int, in room: Size) -> Int {
        let most = maximumTiles(in: room)
        func distance(_ columns: Int) -> Double {
            let rows = (count + columns - 1) / columns
            let width = Double(room.columns + 1) / Double(columns)
            let height = Double(room.rows + 1) / Double(rows)
            let shape = width / height / (80.0 / 24)
            let gaps = rows * columns - count
            return max(shape, 1 / shape) + 0.25 * Double(gaps)
        }
        let possible = (1...most.columns).filter { (count + $0 - 1) / $0 <= most.rows }
        return possible.min { distance($0) < distance($1) } ?? 1
    }

    /// Divides a length into parts of about the same size, with one cell between neighbours.
    private static func parts(of length: Int, count: Int) -> [Range<Int>] {
        (0..<count).map { index in
            let start = (length + 1) * index / count
            return start..<max((length + 1) * (index + 1) / count - 1, start)
        }
    }
}

extension Grid {
    /// Draws the lines between the screens of a wall.
    mutating func drawLines(of layout: WallLayout, style: Style) {
        for tile in layout.rows.flatMap({ $0.tiles.dropLast() }) {
            for row in tile.rows { write("│", at: Point(column: tile.columns.upperBound, row: row), style: style) }
        }
        for (above, below) in zip(layout.rows, layout.rows.dropFirst()) {
            guard let row = above.tiles.first?.rows.upperBound else { continue }
            let (ends, beginnings) = (above.ends, below.ends)
            for column in 0..<size.columns {
                let glyph =
                    switch (ends.contains(column), beginnings.contains(column)) {
                    case (true, true): "┼"
                    case (true, false): "┴"
                    case (false, true): "┬"
                    case (false, false): "─"
                    }
                write(glyph, at: Point(column: column, row: row), style: style)
            }
        }
    }
}
