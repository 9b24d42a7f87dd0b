// SPDX-License-Identifier: Apache-2.0

/// A row that has been drawn on; a row of blanks has no cells.
///
/// A glyph of several columns takes its own cell and continuations to its right; the row keeps them together.
struct GridRow: Equatable, Sendable {
    private(set) var cells: [Grid.Cell] = []

    init() {}

    /// A row of blanks.
    init(columns: Int, base: Style) {
        cells = Array(repeating: .blank(base), count: columns)
    }

    /// Puts a glyph into its columns, all of which lie in the row.
    mutating func put(_ cluster: Character, width: Int, at column: Int, style: Style) {
        clearGlyphs(at: column..<column + width)
        cells[column] = Grid.Cell(cluster: cluster, style: style)
        for covered in column..<column + width where covered > column { cells[covered] = .continuation(style) }
    }

    /// Fills columns, all of which lie in the row, with blanks.
    mutating func fill(_ columns: Range<Int>, style: Style) {
        clearGlyphs(at: columns)
        for column in columns { cells[column] = .blank(style) }
    }

    /// Blanks the whole of the wide glyphs of which only a part is about to be overwritten.
    private mutating func clearGlyphs(at columns: Range<Int>) {
        clearGlyph(at: columns.lowerBound)
        if columns.count > 1 { clearGlyph(at: columns.upperBound - 1) }
    }

    private mutating func clearGlyph(at column: Int) {
        var start = column
        while start > 0, cells[start].isContinuation { start -= 1 }
        var next = start + 1
        while next < cells.count, cells[next].isContinuation {
            cells[next].cluster = " "
            next += 1
        }
        if next > start + 1 { cells[start].cluster = " " }
    }
}
