// SPDX-License-Identifier: Apache-2.0

/// A frame: a grid of character cells, as a terminal shows it.
///
/// A glyph of several columns takes its own cell and continuations to its right; the grid keeps them together, so
/// that half a glyph never stays behind.
public struct Grid: Hashable, Sendable {
    /// One character cell.
    public struct Cell: Hashable, Sendable {
        /// The grapheme cluster that begins here; `nil` in the columns that a wider glyph to the left covers.
        public var cluster: Character?
        /// The style of the cell.
        public var style: Style

        /// Whether a glyph to the left covers this cell.
        public var isContinuation: Bool { cluster == nil }

        static func blank(_ style: Style) -> Cell { Cell(cluster: " ", style: style) }
        static func continuation(_ style: Style) -> Cell { Cell(cluster: nil, style: style) }
    }

    /// The extent.
    public let size: Size
    /// The style of every cell that nothing was drawn on.
    public let base: Style
    /// The cells with links.
    public private(set) var links: [Hyperlink] = []
    /// The place of the next character in the field that has the keyboard; `nil` where none is edited. The terminal shows
    /// its cursor there, which input methods and magnifiers follow.
    public var caret: Point?
    /// The drawn rows; most rows of most frames are blank and cost nothing.
    private var drawn: [GridRow]

    /// Creates a grid of blanks.
    public init(size: Size, base: Style) {
        self.size = size
        self.base = base
        drawn = Array(repeating: GridRow(), count: size.rows)
    }

    /// The cell at a place, or `nil` outside the grid.
    public subscript(_ point: Point) -> Cell? {
        guard (0..<size.columns).contains(point.column), (0..<size.rows).contains(point.row) else { return nil }
        let cells = drawn[point.row].cells
        return cells.isEmpty ? .blank(base) : cells[point.column]
    }

    /// The cells of a row, from left to right.
    public func row(_ row: Int) -> ArraySlice<Cell> {
        let cells = drawn[row].cells
        return cells.isEmpty ? ArraySlice(repeating: .blank(base), count: size.columns) : cells[...]
    }

    /// The text of a row, with a blank for each empty cell.
    public func text(row: Int) -> String {
        String(self.row(row).compactMap(\.cluster))
    }

    /// The cells of a row from the first to the last that is not a blank of the base; their indices are columns.
    func drawnCells(row: Int) -> ArraySlice<Cell> {
        let (cells, blank) = (drawn[row].cells, Cell.blank(base))
        guard let first = cells.firstIndex(where: { $0 != blank }),
            let last = cells.lastIndex(where: { $0 != blank })
        else { return [] }
        return cells[first...last]
    }

    /// Whether a row looks as in another grid of this size.
    func hasSameRow(_ row: Int, as other: Grid) -> Bool {
        if drawn[row].cells.isEmpty, other.drawn[row].cells.isEmpty { return base == other.base }
        return drawn[row] == other.drawn[row] || self.row(row) == other.row(row)
    }
}

extension Grid {
    /// Whether both look the same, lead to the same places and have the caret in the same place.
    public static func == (left: Grid, right: Grid) -> Bool {
        left.size == right.size && left.base == right.base && left.links == right.links
            && left.caret == right.caret && (0..<left.size.rows).allSatisfy { left.hasSameRow($0, as: right) }
    }

    /// Hashes only the members that are cheap to compare.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(size)
        hasher.combine(base)
        hasher.combine(links)
        hasher.combine(caret)
    }
}

extension Grid {
    /// Fills a rectangle with blanks of a style, and clips it to the grid. A caret in it is removed.
    public mutating func fill(_ rect: Rect, style: Style) {
        let columns = rect.columns.clamped(to: 0..<size.columns)
        guard !columns.isEmpty else { return }
        if let caret, rect.contains(caret) { self.caret = nil }
        for row in rect.rows.clamped(to: 0..<size.rows) {
            edit(row) { $0.fill(columns, style: style) }
        }
    }

    /// Writes a text to the right of a place.
    ///
    /// Control characters and similar ones are replaced (see `String.sanitized()`). Text left or right of the grid, and a wide
    /// glyph that its edge would cut in half, is left out.
    public mutating func write(_ text: String, at point: Point, style: Style) {
        guard (0..<size.rows).contains(point.row), point.column < size.columns else { return }
        let text = text.sanitized()
        edit(point.row) { row in
            var (column, place) = (point.column, text.startIndex)
            while place < text.endIndex, column < row.cells.count {
                let (cluster, width, next) = text.cluster(at: place)
                if column >= 0, width > 0, column + width <= row.cells.count {
                    row.put(cluster, width: width, at: column, style: style)
                }
                column += width
                place = next
            }
        }
    }

    /// Draws another grid over this one, with its caret; what lies outside is left out.
    package mutating func draw(_ other: Grid, at origin: Point) {
        if let place = other.caret {
            caret = Point(column: origin.column + place.column, row: origin.row + place.row)
        }
        for row in 0..<other.size.rows where (0..<size.rows).contains(origin.row + row) {
            edit(origin.row + row) { target in
                for (column, cell) in zip(origin.column..., other.row(row)) {
                    guard let cluster = cell.cluster, column >= 0 else { continue }
                    let width = cluster.columnWidth
                    if column + width > target.cells.count { break }
                    target.put(cluster, width: width, at: column, style: cell.style)
                }
            }
        }
    }

    private mutating func edit(_ row: Int, _ change: (inout GridRow) -> Void) {
        if drawn[row].cells.isEmpty { drawn[row] = GridRow(columns: size.columns, base: base) }
        change(&drawn[row])
    }
}

extension Grid {
    /// The terminal's cursor after the frame: at the caret, else at an empty cell as near to the lower right corner as
    /// possible, for terminals that cannot hide it.
    var cursor: Point {
        if let caret, self[caret] != nil { return caret }
        for row in (0..<size.rows).reversed() {
            let cells = drawn[row].cells
            let column = cells.isEmpty ? size.columns - 1 : cells.lastIndex { $0.cluster == " " }
            if let column { return Point(column: column, row: row) }
        }
        return Point(column: max(size.columns - 1, 0), row: max(size.rows - 1, 0))
    }

    /// Draws a border along the inner edge of a rectangle.
    ///
    /// A rectangle of fewer than two columns or rows has no room for a border and gets none.
    public mutating func drawBox(_ rect: Rect, style: Style) {
        guard rect.size.columns >= 2, rect.size.rows >= 2 else { return }
        let inner = rect.size.columns - 2
        let side = String(repeating: "─", count: inner)
        let left = rect.origin.column
        write("╭" + side + "╮", at: rect.origin, style: style)
        for row in rect.rows.dropFirst().dropLast() {
            write("│", at: Point(column: left, row: row), style: style)
            write("│", at: Point(column: left + inner + 1, row: row), style: style)
        }
        write("╰" + side + "╯", at: Point(column: left, row: rect.rows.upperBound - 1), style: style)
    }

    /// Writes a text into the middle of a row of a rectangle, and returns the cells that it takes.
    @discardableResult
    public mutating func writeCentered(_ text: String, in rect: Rect, row: Int, style: Style) -> Rect {
        let text = text.sanitized().truncated(toColumns: rect.size.columns)
        let width = text.columnWidth
        let place = Point(column: rect.origin.column + (rect.size.columns - width) / 2, row: row)
        write(text, at: place, style: style)
        return .row(row, from: place.column, columns: width)
    }
}

extension Grid {
    /// Makes cells of one row lead to a URL, in terminals that can follow links.
    ///
    /// - Parameters:
    ///   - cells: the cells, all in one row.
    ///   - url: an absolute URL of printable ASCII, as every valid URL is; any other is left out.
    public mutating func link(_ cells: Rect, to url: String) {
        // The URL must not end the link's sequence early.
        let isSafe = url.utf8.count <= 2000 && url.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        if cells.size.rows == 1, isSafe { links.append(Hyperlink(cells: cells, url: url)) }
    }
}

/// A part of a row that leads somewhere.
public struct Hyperlink: Hashable, Sendable {
    /// The cells of the link, in one row.
    public let cells: Rect
    /// The target of the link.
    public let url: String
}
