import ConfigModel

@testable import TerminalUI

extension Style {
    static let plain = Style(foreground: .indexed(16), background: .indexed(217))
    static let marked = Style(foreground: .indexed(231), background: .indexed(0))
}

extension Point {
    init(_ column: Int, _ row: Int) { self.init(column: column, row: row) }
}

extension Grid {
    /// An empty grid.
    init(_ columns: Int, _ rows: Int) {
        self.init(size: Size(columns: columns, rows: rows), base: .plain)
    }

    /// The rows as text; the columns that a wide glyph covers are no part of it.
    var lines: [String] { (0..<size.rows).map { text(row: $0) } }

    /// What a terminal could not show as it is meant: half glyphs, glyphs beyond the edge, control characters.
    var faults: [String] {
        (0..<size.rows).flatMap { row in faults(inRow: Array(self.row(row)), number: row) }
    }

    private func faults(inRow cells: [Cell], number: Int) -> [String] {
        var faults = cells.count == size.columns ? [] : ["row \(number) has \(cells.count) cells"]
        var column = 0
        while column < cells.count {
            guard let cluster = cells[column].cluster else {
                faults.append("row \(number), column \(column): a continuation without a head")
                column += 1
                continue
            }
            let width = cluster.columnWidth
            let covered = cells[(column + 1)...].prefix(while: \.isContinuation).count
            if width < 1 || covered != width - 1 {
                faults.append("row \(number), column \(column): \(String(cluster).escaped) covers \(covered) more")
            }
            if cluster.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
                faults.append("row \(number), column \(column): a control character")
            }
            column += 1 + covered
        }
        return faults
    }
}
