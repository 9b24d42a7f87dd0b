/// A frame: a grid of character cells, as a terminal shows it.
///
/// A glyph of several columns takes its own cell and continuations to its right; the grid keeps them together, so
/// that half a glyph never stays behind.
public struct Grid: Hashable, Sendable {
    /// One character cell.
    public struct Cell: Hashable, Sendable {
        /// The grapheme cluster that begins here; `nil` in the columns that a wider glyph to the left covers.
        public var cluster: Character?
        /// How it is drawn.
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
    /// Which cells lead somewhere.
    public private(set) var links: [Hyperlink] = []
    private var cells: [Cell]

    /// Creates a grid of blanks.
    public init(size: Size, base: Style) {
        self.size = size
        self.base = base
        cells = Array(repeating: .blank(base), count: size.columns * size.rows)
    }

    /// The cell at a place, or `nil` outside the grid.
    public subscript(_ point: Point) -> Cell? {
        index(of: point).map { cells[$0] }
    }

    /// The cells of a row, from left to right.
    public func row(_ row: Int) -> ArraySlice<Cell> {
        cells[row * size.columns..<(row + 1) * size.columns]
    }

    /// The text of a row, with a blank for each empty cell.
    public func text(row: Int) -> String {
        String(self.row(row).compactMap(\.cluster))
    }

    private func index(of point: Point) -> Int? {
        let isInside = (0..<size.columns).contains(point.column) && (0..<size.rows).contains(point.row)
        return isInside ? point.row * size.columns + point.column : nil
    }
}

extension Grid {
    /// Fills a rectangle with blanks of a style; what lies outside the grid is left out.
    public mutating func fill(_ rect: Rect, style: Style) {
        for row in rect.rows.clamped(to: 0..<size.rows) {
            for column in rect.columns.clamped(to: 0..<size.columns) {
                put(" ", width: 1, at: Point(column: column, row: row), style: style)
            }
        }
    }

    /// Writes a text to the right of a place.
    ///
    /// Control characters and the like are replaced (see ``Swift/String/sanitized()``). What lies left or right of the
    /// grid, and a wide glyph that would be cut in half by its edge, is left out.
    public mutating func write(_ text: String, at point: Point, style: Style) {
        guard (0..<size.rows).contains(point.row) else { return }
        var place = point
        for cluster in text.sanitized() {
            let width = cluster.columnWidth
            guard width > 0 else { continue }
            if place.column >= size.columns { return }
            if place.column >= 0, place.column + width <= size.columns {
                put(cluster, width: width, at: place, style: style)
            }
            place.column += width
        }
    }

    private mutating func put(_ cluster: Character, width: Int, at point: Point, style: Style) {
        guard let index = index(of: point) else { return }
        for covered in index..<index + width { clearGlyph(at: covered) }
        cells[index] = Cell(cluster: cluster, style: style)
        for covered in index..<index + width where covered > index { cells[covered] = .continuation(style) }
    }

    /// Blanks the whole of a wide glyph of which one cell is about to be overwritten.
    private mutating func clearGlyph(at index: Int) {
        let endOfRow = (index / size.columns + 1) * size.columns
        var start = index
        while cells[start].isContinuation, start > 0 { start -= 1 }
        var next = start + 1
        while next < endOfRow, cells[next].isContinuation {
            cells[next].cluster = " "
            next += 1
        }
        if next > start + 1 { cells[start].cluster = " " }
    }
}

extension Grid {
    /// Draws a border along the inner edge of a rectangle, with a title in its upper side.
    ///
    /// A rectangle of fewer than two columns or rows has no room for a border and gets none.
    public mutating func drawBox(_ rect: Rect, title: String = "", style: Style) {
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

        let label = title.isEmpty ? "" : " \(title) ".sanitized().truncated(toColumns: inner - 1)
        let titlePlace = Point(column: left + 2, row: rect.origin.row)
        write(label, at: titlePlace, style: style.adding(.bold))
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
    /// - Parameter url: an absolute URL of printable ASCII, as every valid URL is; any other is left out.
    public mutating func link(_ cells: Rect, to url: String) {
        // Nothing in the URL may end the link's sequence early.
        let isSafe = url.utf8.count <= 2000 && url.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        if cells.size.rows == 1, isSafe { links.append(Hyperlink(cells: cells, url: url)) }
    }
}

/// A part of a row that leads somewhere.
public struct Hyperlink: Hashable, Sendable {
    /// The cells of the link, in one row.
    public let cells: Rect
    /// Where it leads.
    public let url: String
}
