import TerminalUI

/// Rows in aligned columns under a heading.
struct TextTable {
    var headings: [String]
    var rows: [[Span]]

    /// Columns between two cells.
    private static let gap = 2

    /// The table as it is sent, a line per row; if lines are limited, the longest columns are cut.
    func text(style: OutputStyle) -> String {
        let cells = [headings.map { Span($0, .heading) }] + rows
        let shown = cells.map { $0.map { Span(style.shown($0.text), $0.role) } }
        let widths = widths(of: shown, style: style)
        return shown.map { Self.line($0, widths: widths, style: style) }.joined()
    }

    private func widths(of rows: [[Span]], style: OutputStyle) -> [Int] {
        let needs = headings.indices.map { column in
            rows.map { $0[column].text.columnWidth }.max() ?? 0
        }
        guard let columns = style.columns else { return needs }
        return ColumnFit.widths(for: needs, in: columns - Self.gap * (headings.count - 1))
    }

    private static func line(_ cells: [Span], widths: [Int], style: OutputStyle) -> String {
        var spans: [Span] = []
        for (index, cell) in cells.enumerated() {
            let text = cell.text.truncated(toColumns: widths[index], ellipsis: style.ellipsis)
            spans.append(Span(text, cell.role))
            let padding = index == cells.count - 1 ? 0 : widths[index] - text.columnWidth + gap
            spans.append(Span(String(repeating: " ", count: padding)))
        }
        return style.line(spans)
    }
}

/// Shares the columns of a line among texts.
enum ColumnFit {
    /// The widths of texts: what they need if there is room for all, or else less for the longest.
    ///
    /// Every text gets an equal share, up to its need; so short texts are never cut for the sake of long ones.
    ///
    /// ```swift
    /// ColumnFit.widths(for: [3, 40, 60], in: 63)  // [3, 30, 30]
    /// ```
    static func widths(for needs: [Int], in columns: Int) -> [Int] {
        var widths = needs
        var room = max(columns, 0)
        for (rank, index) in needs.indices.sorted(by: { needs[$0] < needs[$1] }).enumerated() {
            widths[index] = min(needs[index], room / (needs.count - rank))
            room -= widths[index]
        }
        return widths
    }
}
