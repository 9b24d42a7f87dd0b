// SPDX-License-Identifier: Apache-2.0

extension VirtualScreen {
    /// Shows a character at the cursor.
    mutating func show(_ scalar: Unicode.Scalar) {
        let width = configuration.widths.width(scalar)
        if width == 0 || joinsLastCluster(scalar) {
            combine(scalar)
            return
        }
        lastPrinted = scalar
        guard makeRoom(for: width, scalar) else { return }
        put(String(Character(scalar)), width: width, row: cursor.row, column: cursor.column)
        advance(by: width)
    }

    /// REP: shows the last character again.
    mutating func repeatLast(_ count: Int) {
        guard let lastPrinted else {
            recordViolation("REP without a character to repeat")
            return
        }
        for _ in 0..<min(count, columns * rows) { show(lastPrinted) }
    }

    /// Advances to the next row if a character does not fit, and returns whether it fits at all.
    private mutating func makeRoom(for width: Int, _ scalar: Unicode.Scalar) -> Bool {
        let isWrapping = modes.contains(Mode.autowrap)
        if cursor.isWrapPending, isWrapping { nextLine() }
        if cursor.column + width <= columns { return true }
        guard isWrapping, width <= columns else {
            recordViolation("wide character \(String(Character(scalar))) outside the screen, at \(cursorPosition)")
            return false
        }
        nextLine()
        return true
    }

    private mutating func put(_ text: String, width: Int, row: Int, column: Int) {
        let cell = Cell(text: text, width: width, style: cursor.style, hyperlink: hyperlink)
        grid.put(cell, row: row, column: column)
        lastPosition = Position(row: row, column: column)
    }

    private mutating func advance(by width: Int) {
        if cursor.column + width < columns {
            cursor.column += width
        } else {
            cursor.column = columns - 1
            cursor.isWrapPending = true
        }
    }

    // MARK: Combining

    /// Whether the terminal takes a character and the one before it for one.
    private func joinsLastCluster(_ scalar: Unicode.Scalar) -> Bool {
        guard configuration.widths.joinsClusters, scalar.value >= 0x300, let last = lastPosition else { return false }
        var text = grid[last.row, last.column].text
        text.unicodeScalars.append(scalar)
        return text.count == 1
    }

    /// Adds a character to the one before it.
    private mutating func combine(_ scalar: Unicode.Scalar) {
        guard let last = lastPosition else {
            recordViolation("combining character U+\(String(scalar.value, radix: 16)) with nothing to combine with")
            return
        }
        let cell = grid[last.row, last.column]
        var text = cell.text
        text.unicodeScalars.append(scalar)
        let isWider = configuration.widths.joinsClusters && configuration.widths.clusterWidth(text) > cell.width
        if isWider, last.column + 2 <= columns {
            grid.put(
                Cell(text: text, width: 2, style: cell.style, hyperlink: cell.hyperlink),
                row: last.row,
                column: last.column
            )
            advance(by: 1)
        } else {
            grid.setText(text, row: last.row, column: last.column)
        }
    }
}
