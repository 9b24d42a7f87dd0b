// SPDX-License-Identifier: Apache-2.0

import TerminalUI

/// Rows in aligned columns under a heading.
struct TextTable {
    var headings: [String]
    var rows: [[Span]]
    /// The headings of the columns that mean nothing, or something else, when they are cut, such as a time or a number.
    var whole: Set<String> = ["REVISION", "WHEN", "CHANGED", "KEYS", "CONTEXTS", "NOW", "THEN"]

    /// The headings of the columns that are left out before one of those would be cut, in this order.
    var dispensable = ["MESSAGE", "AUTHOR"]

    private static let gap = 2
    /// The columns that a text has at least, if it is as long, before a column is left out.
    private static let minimumTextColumns = 4
    /// The columns that a text has at least, if it is as long, before the heading of another column is cut.
    private static let leastOfTextBesideHeadings = 12

    /// The table as it is sent, a line per row. If lines are limited, columns without content are left out first, then the
    /// longest texts are cut, then headings, and last of all columns are left out so that none is cut that must not be.
    func text(style: OutputStyle) -> String {
        let cells = [headings.map { Span($0, .heading) }] + rows
        let shown = cells.map { $0.map { Span(style.shown($0.text), $0.role) } }
        var columns = Array(headings.indices)
        guard let room = style.columns, Self.width(of: Self.needs(shown)) > room, !rows.isEmpty else {
            return Self.lines(shown, columns, Self.needs(shown), style)
        }
        columns.removeAll { column in rows.allSatisfy { ["", "-"].contains($0[column].text) } }
        while true {
            let chosen = shown.map { row in columns.map { row[$0] } }
            let isWhole = columns.map { whole.contains(headings[$0]) }
            let widths = Self.widths(of: chosen, isWhole: isWhole, in: room)
            let contents = Self.needs(chosen.dropFirst())
            let cut = columns.indices.last { isWhole[$0] && widths[$0] < contents[$0] }
            guard let cut, columns.count > 1 else { return Self.lines(shown, columns, widths, style) }
            let other = dispensable.lazy.compactMap { name in columns.firstIndex { headings[$0] == name } }.first
            columns.remove(at: other ?? cut)
        }
    }

    private static func lines(_ rows: [[Span]], _ columns: [Int], _ widths: [Int], _ style: OutputStyle) -> String {
        rows.map { row in line(columns.map { row[$0] }, widths: widths, style: style) }.joined()
    }

    private static func needs(_ rows: some Sequence<[Span]>) -> [Int] {
        rows.reduce(into: []) { needs, row in
            let widths = row.map(\.text.columnWidth)
            needs = needs.isEmpty ? widths : zip(needs, widths).map { max($0, $1) }
        }
    }

    private static func width(of widths: [Int]) -> Int { widths.reduce(0, +) + gap * max(widths.count - 1, 0) }

    /// - Parameter rows: the headings, and the rows under them.
    private static func widths(of rows: [[Span]], isWhole: [Bool], in columns: Int) -> [Int] {
        var needs = needs(rows)
        if width(of: needs) <= columns { return needs }
        let texts = needs.indices.filter { !isWhole[$0] }
        let readable = needs.indices.map { isWhole[$0] ? needs[$0] : min(needs[$0], leastOfTextBesideHeadings) }
        if width(of: readable) > columns {
            // A heading may be cut before the cells below it.
            let contents = Self.needs(rows.dropFirst())
            for (index, content) in contents.enumerated() where isWhole[index] { needs[index] = content }
        }
        let others = needs.indices.filter { isWhole[$0] }
        var room = columns - gap * (needs.count - 1)
        var widths = needs
        let least = texts.reduce(0) { $0 + min(needs[$1], minimumTextColumns) }
        // The shortest first, so that a time is cut before a revision.
        for index in others.sorted(by: { needs[$0] < needs[$1] }) {
            widths[index] = min(needs[index], max(room - least, 0))
            room -= widths[index]
        }
        for (index, width) in zip(texts, ColumnFit.widths(for: texts.map { needs[$0] }, in: room)) {
            widths[index] = width
        }
        return widths
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
