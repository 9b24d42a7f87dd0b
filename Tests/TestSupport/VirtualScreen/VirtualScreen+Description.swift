// SPDX-License-Identifier: Apache-2.0

extension VirtualScreen: CustomStringConvertible {
    /// The text in a frame, with what else matters below it, for the message of a failing test.
    package var description: String {
        let edge = String(repeating: "─", count: columns)
        let body = (0..<rows).map { row in "│" + grid.row(row).map(\.text).joined() + "│" }
        let screen = isAlternate ? "alternate screen" : "main screen"
        let cursor = "cursor \(isCursorVisible ? "at" : "hidden at") \(cursorPosition)"
        var lines = ["┌\(edge)┐"] + body + ["└\(edge)┘", "\(columns)×\(rows), \(screen), \(cursor)"]
        if !title.isEmpty { lines.append("title: \(title)") }
        lines += violations.prefix(10).map { "violation: \($0)" }
        return lines.joined(separator: "\n")
    }
}

extension VirtualScreen {
    /// In what this screen looks unlike another one, a line for each cell and at most ten; none if it looks the same.
    package func differences(from other: VirtualScreen) -> [String] {
        guard columns == other.columns, rows == other.rows else {
            return ["the size is \(columns)×\(rows), not \(other.columns)×\(other.rows)"]
        }
        var differences: [String] = []
        for row in 0..<rows where grid.row(row) != other.grid.row(row) {
            for column in 0..<columns where grid[row, column] != other.grid[row, column] {
                let position = Position(row: row, column: column)
                differences.append("\(position): \(grid[row, column]), not \(other.grid[row, column])")
            }
        }
        if cursorPosition != other.cursorPosition {
            differences.append("the cursor is at \(cursorPosition), not \(other.cursorPosition)")
        }
        if isCursorVisible != other.isCursorVisible {
            differences.append("the cursor is \(isCursorVisible ? "shown" : "hidden"), not the other way")
        }
        return Array(differences.prefix(10))
    }
}
