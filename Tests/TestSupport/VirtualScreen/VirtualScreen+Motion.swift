// SPDX-License-Identifier: Apache-2.0

extension VirtualScreen {
    /// Performs the sequences that move the cursor, and returns whether this is one.
    mutating func performMotion(_ sequence: ControlSequence) -> Bool {
        switch sequence.function {
        case "A": moveVertically(by: -sequence.count())
        case "B": moveVertically(by: sequence.count())
        case "C": moveHorizontally(by: sequence.count(), sequence)
        case "D": moveHorizontally(by: -sequence.count(), sequence)
        case "G": address(row: nil, column: sequence.count() - 1, sequence)
        case "d": address(row: sequence.count() - 1, column: nil, sequence)
        case "H", "f": address(row: sequence.count(0) - 1, column: sequence.count(1) - 1, sequence)
        case "Z": advanceTab(by: -sequence.count())
        case "r": setMargins(sequence)
        case "s" where sequence.parameters.isEmpty: saveCursor()
        case "u" where sequence.parameters.isEmpty: restoreCursor()
        default: return false
        }
        return true
    }

    // MARK: Moving

    /// Moves the cursor to a place, or to the nearest one of the screen.
    mutating func moveCursor(row: Int? = nil, column: Int? = nil) {
        cursor.row = min(max(row ?? cursor.row, 0), rows - 1)
        cursor.column = min(max(column ?? cursor.column, 0), columns - 1)
        cursor.isWrapPending = false
        lastPosition = nil
    }

    /// Moves to an address of the program's.
    private mutating func address(row: Int?, column: Int?, _ sequence: ControlSequence) {
        if row ?? 0 >= rows || column ?? 0 >= columns {
            recordViolation("\(sequence) addresses a place outside the screen of \(columns)×\(rows)")
        }
        moveCursor(row: row, column: column)
    }

    /// Moves up or down, not across a margin.
    private mutating func moveVertically(by distance: Int) {
        let top = cursor.row >= margins.lowerBound ? margins.lowerBound : 0
        let bottom = cursor.row <= margins.upperBound ? margins.upperBound : rows - 1
        let target = cursor.row + distance
        if target < 0 || target >= rows {
            recordViolation("motion by \(distance) rows from row \(cursor.row) leaves the screen of \(rows) rows")
        }
        moveCursor(row: min(max(target, top), bottom))
    }

    private mutating func moveHorizontally(by distance: Int, _ sequence: ControlSequence) {
        let target = cursor.column + distance
        if target < 0 || target >= columns {
            recordViolation("\(sequence) from column \(cursor.column) leaves the screen of \(columns) columns")
        }
        moveCursor(column: target)
    }

    // MARK: Lines

    /// IND: one row down, which scrolls at the bottom margin.
    mutating func index() {
        if cursor.row == margins.upperBound {
            grid.scrollUp(margins, by: 1, blank: blank)
            moveCursor()
        } else {
            moveCursor(row: cursor.row + 1)
        }
    }

    /// The start of the next row.
    mutating func nextLine() {
        index()
        moveCursor(column: 0)
    }

    private mutating func setMargins(_ sequence: ControlSequence) {
        let top = sequence.count(0) - 1
        let last = sequence.number(1, default: 0)
        let bottom = (last == 0 ? rows : last) - 1
        if bottom >= rows { recordViolation("\(sequence) sets a margin outside the screen of \(rows) rows") }
        guard top < min(bottom, rows - 1) else {
            recordViolation("\(sequence) leaves no rows to scroll")
            return
        }
        margins = top...min(bottom, rows - 1)
        moveCursor(row: 0, column: 0)
    }

    // MARK: Tabs

    /// Moves by tab stops, of which each eighth column is one, to the right or, for a negative count, to the left.
    mutating func advanceTab(by count: Int) {
        let stop = count > 0 ? cursor.column / 8 + count : (cursor.column + 7) / 8 + count
        let column = min(max(stop * 8, 0), columns - 1)
        if column != cursor.column { moveCursor(column: column) }
    }

    // MARK: Saving

    mutating func saveCursor() {
        savedCursor = cursor
    }

    mutating func restoreCursor() {
        cursor = savedCursor ?? ScreenCursor()
        cursor.row = min(cursor.row, rows - 1)
        cursor.column = min(cursor.column, columns - 1)
        lastPosition = nil
    }
}

extension Set {
    /// Inserts or removes a member.
    mutating func set(_ member: Element, _ isMember: Bool) {
        if isMember { insert(member) } else { remove(member) }
    }
}
