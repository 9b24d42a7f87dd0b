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

    /// Writes a text into the middle of a row of a rectangle.
    ///
    /// - Returns: the cells that it takes.
    @discardableResult
    public mutating func writeCentered(_ text: String, in rect: Rect, row: Int, style: Style) -> Rect {
        let text = text.sanitized().truncated(toColumns: rect.size.columns)
        let width = text.columnWidth
        let place = Point(column: rect.origin.column + (rect.size.columns - width) / 2, row: row)
        write(text, at: place, style: style)
        return Rect(origin: place, size: Size(columns: width, rows: 1))
    }
}
