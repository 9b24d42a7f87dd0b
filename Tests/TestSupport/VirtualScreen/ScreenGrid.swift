// SPDX-License-Identifier: Apache-2.0

/// The cells of one screen, and edits that never leave half of a wide character behind.
struct ScreenGrid: Equatable, Sendable {
    typealias Cell = VirtualScreen.Cell

    let columns: Int
    let rows: Int
    /// A row each, so that scrolling moves rows and not cells.
    private var lines: [[Cell]]

    init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        lines = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
    }

    subscript(row: Int, column: Int) -> Cell {
        lines[row][column]
    }

    /// The cells of one row, from left to right.
    func row(_ row: Int) -> [Cell] {
        lines[row]
    }

    // MARK: Writing

    /// Puts a character of one or two columns at a place where it fits.
    mutating func put(_ cell: Cell, row: Int, column: Int) {
        separate(row: row, before: column)
        separate(row: row, before: column + cell.width)
        lines[row][column] = cell
        if cell.width == 2 {
            lines[row][column + 1] = Cell(text: "", width: 0, style: cell.style, hyperlink: cell.hyperlink)
        }
    }

    /// Replaces the text of a cell, such as to add a combining character to it.
    mutating func setText(_ text: String, row: Int, column: Int) {
        lines[row][column].text = text
    }

    // MARK: Erasing and shifting within a row

    /// Makes the cells of a range of columns blank.
    mutating func erase(row: Int, _ range: Range<Int>, with blank: Cell) {
        separate(row: row, before: range.lowerBound)
        separate(row: row, before: range.upperBound)
        for column in range { lines[row][column] = blank }
    }

    /// Makes room at a column: what follows moves right, and what leaves the row is lost.
    mutating func insertCells(row: Int, column: Int, count: Int, blank: Cell) {
        let count = min(count, columns - column)
        separate(row: row, before: column)
        separate(row: row, before: columns - count)
        lines[row].removeLast(count)
        lines[row].insert(contentsOf: repeatElement(blank, count: count), at: column)
    }

    /// Removes cells at a column: the following cells move left, and blanks enter from the right.
    mutating func deleteCells(row: Int, column: Int, count: Int, blank: Cell) {
        let count = min(count, columns - column)
        separate(row: row, before: column)
        separate(row: row, before: column + count)
        lines[row].removeSubrange(column..<column + count)
        lines[row].append(contentsOf: repeatElement(blank, count: count))
    }

    /// Blanks both halves of a wide character that lies across the left edge of a column.
    private mutating func separate(row: Int, before column: Int) {
        guard column > 0, column < columns, lines[row][column].isContinuation else { return }
        for half in [column - 1, column] { lines[row][half] = Cell(style: lines[row][half].style) }
    }

    // MARK: Whole rows

    /// Moves the rows of a range up; blank ones enter from below.
    mutating func scrollUp(_ range: ClosedRange<Int>, by count: Int, blank: Cell) {
        let count = min(count, range.count)
        lines.removeSubrange(range.lowerBound..<range.lowerBound + count)
        lines.insert(contentsOf: blankLines(count, blank), at: range.upperBound + 1 - count)
    }

    /// Fills every cell with the same content.
    mutating func fill(with cell: Cell) {
        lines = blankLines(rows, cell)
    }

    private func blankLines(_ count: Int, _ blank: Cell) -> [[Cell]] {
        Array(repeating: Array(repeating: blank, count: columns), count: count)
    }

    /// The same cells on a screen of another size, cut off or blank at the right and at the bottom.
    func resized(columns newColumns: Int, rows newRows: Int) -> ScreenGrid {
        var resized = ScreenGrid(columns: newColumns, rows: newRows)
        for row in 0..<min(rows, newRows) {
            for column in 0..<min(columns, newColumns) {
                let cell = self[row, column]
                if cell.width > 0, column + cell.width <= newColumns { resized.put(cell, row: row, column: column) }
            }
        }
        return resized
    }
}
