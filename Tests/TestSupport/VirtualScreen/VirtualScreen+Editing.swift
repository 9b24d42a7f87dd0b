// SPDX-License-Identifier: Apache-2.0

extension VirtualScreen {
    /// The content of erased cells.
    var blank: Cell {
        Cell(style: Style(background: configuration.erasesWithBackground ? cursor.style.background : .standard))
    }

    /// Performs the sequences that erase, insert, delete and scroll, and returns whether this is one.
    mutating func performEdit(_ sequence: ControlSequence) -> Bool {
        // Any change of the row ends the wait for the next one.
        switch sequence.function {
        case "J": return eraseScreen(sequence.number(0, default: 0))
        case "K": return eraseRow(sequence.number(0, default: 0))
        case "X":
            let end = min(cursor.column + sequence.count(), columns)
            grid.erase(row: cursor.row, cursor.column..<end, with: blank)
        case "@": grid.insertCells(row: cursor.row, column: cursor.column, count: sequence.count(), blank: blank)
        case "P": grid.deleteCells(row: cursor.row, column: cursor.column, count: sequence.count(), blank: blank)
        case "S": grid.scrollUp(margins, by: sequence.count(), blank: blank)
        case "b":
            repeatLast(sequence.count())
            return true
        case "!p":
            softReset()
            return true
        default: return false
        }
        return edited()
    }

    /// Forgets what an edit ends, and returns that there was one.
    private mutating func edited() -> Bool {
        (cursor.isWrapPending, lastPosition) = (false, nil)
        return true
    }

    /// ED. Its 3 clears the scrollback, of which there is none.
    private mutating func eraseScreen(_ part: Int) -> Bool {
        switch part {
        case 0:
            _ = eraseRow(0)
            eraseRows(cursor.row + 1..<rows)
        case 1:
            eraseRows(0..<cursor.row)
            _ = eraseRow(1)
        case 2: eraseRows(0..<rows)
        case 3: break
        default: return false
        }
        return edited()
    }

    /// EL.
    private mutating func eraseRow(_ part: Int) -> Bool {
        switch part {
        case 0: grid.erase(row: cursor.row, cursor.column..<columns, with: blank)
        case 1: grid.erase(row: cursor.row, 0..<cursor.column + 1, with: blank)
        case 2: grid.erase(row: cursor.row, 0..<columns, with: blank)
        default: return false
        }
        return edited()
    }

    private mutating func eraseRows(_ range: Range<Int>) {
        for row in range { grid.erase(row: row, 0..<columns, with: blank) }
    }

    /// Resizes the screen as a window does. Nothing is reflowed: the rows stay, except for the rows that must leave at the top so
    /// that the main screen's cursor stays visible.
    package mutating func resize(columns newColumns: Int, rows newRows: Int) {
        precondition(newColumns > 0 && newRows > 0, "a screen has at least one row and one column")
        if !isAlternate, cursor.row >= newRows {
            grid.scrollUp(0...rows - 1, by: cursor.row - newRows + 1, blank: Cell())
            cursor.row = newRows - 1
        }
        grid = grid.resized(columns: newColumns, rows: newRows)
        hiddenGrid = hiddenGrid.resized(columns: newColumns, rows: newRows)
        margins = 0...newRows - 1
        moveCursor()
    }
}
