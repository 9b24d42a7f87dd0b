// SPDX-License-Identifier: Apache-2.0

extension VirtualScreen {
    /// The cell at a place of the screen.
    package func cell(row: Int, column: Int) -> Cell {
        grid[row, column]
    }

    /// The cells of a row, from left to right.
    package func cells(row: Int) -> [Cell] {
        Array(grid.row(row))
    }

    /// The text of a row, without the spaces at its end.
    package func text(row: Int) -> String {
        let text = grid.row(row).map(\.text).joined()
        return String(text.reversed().drop { $0 == " " }.reversed())
    }

    /// The text of every row, without the spaces at their ends.
    package var lines: [String] {
        (0..<rows).map { text(row: $0) }
    }

    /// The text of the screen: its lines, without the empty ones at the end.
    package var text: String {
        String(lines.joined(separator: "\n").reversed().drop { $0 == "\n" }.reversed())
    }

    /// The first position of a text within one row; `nil` if it is not shown.
    package func find(_ text: String) -> Position? {
        for row in 0..<rows {
            let line = grid.row(row).map(\.text).joined()
            guard let start = line.firstRange(of: text)?.lowerBound else { continue }
            let before = line[..<start].unicodeScalars.count
            if let column = column(row: row, afterScalars: before) { return Position(row: row, column: column) }
        }
        return nil
    }

    /// Whether a text is shown, within one row.
    package func contains(_ text: String) -> Bool {
        find(text) != nil
    }

    /// The backgrounds of all cells.
    package func backgrounds() -> Set<Color> {
        Set((0..<rows).flatMap { grid.row($0).map(\.background) })
    }

    private func column(row: Int, afterScalars count: Int) -> Int? {
        var remaining = count
        for (column, cell) in grid.row(row).enumerated() where !cell.isContinuation {
            if remaining <= 0 { return column }
            remaining -= cell.text.unicodeScalars.count
        }
        return nil
    }
}
