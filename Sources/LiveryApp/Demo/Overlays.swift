import TerminalUI

/// The open overlay: its content, unclipped, and where it goes.
struct OverlayLayout {
    let title: String
    let lines: LazyRows<String>
    let frame: Rect
    /// Where the content goes: within a border, where there is room for one.
    let content: Rect
    /// How many rows of the content are seen at once.
    var page: Int { max(content.size.rows, 1) }

    /// - Parameter widest: the columns of the widest line; without it, the overlay takes the whole width.
    init(title: String, lines: LazyRows<String>, widest: Int?, in size: Size) {
        self.title = title
        self.lines = lines
        let margin = Self.margin(in: size)
        let room = Size(columns: size.columns - 2 * margin, rows: max(size.rows - 1, min(size.rows, 1)))
        let columns = min(widest.map { $0 + 4 } ?? room.columns, room.columns)
        let wanted = Size(columns: columns, rows: min(lines.count + 2, room.rows))
        var frame = Rect.centered(wanted, in: room)
        frame.origin.column += margin
        self.frame = frame
        content = frame.size.rows >= 3 && frame.size.columns >= 5 ? frame.inset(columns: 2, rows: 1) : frame
    }
}

extension OverlayLayout {
    private static func margin(in size: Size) -> Int { size.columns >= 60 ? 4 : 0 }

    /// Keys and what they do, in two columns.
    static func lines(of rows: [(keys: String, text: String)]) -> [String] {
        let widest = rows.map(\.keys.columnWidth).max() ?? 0
        return rows.map { $0.keys.padded(toColumns: widest + 2) + $0.text }
    }

    /// The most columns that a row of an overlay can have.
    static func mostColumns(in size: Size) -> Int { max(size.columns - 2 * margin(in: size) - 4, 1) }
}

extension DemoModel {
    var overlayLayout: OverlayLayout? {
        switch overlay {
        case .help:
            let lines = helpLines
            let widest = lines.lazy.map(\.columnWidth).max()
            return OverlayLayout(title: "Keys", lines: LazyRows(lines), widest: widest, in: size)
        case .inspector:
            return inspector.map { OverlayLayout(title: "Inspector", lines: $0.rows, widest: $0.columns, in: size) }
        case .problems:
            let rows = ProblemList(problems, in: state, columns: OverlayLayout.mostColumns(in: size)).rows
            let widest = rows.lazy.map(\.columnWidth).max()
            return OverlayLayout(title: "Errors", lines: LazyRows(rows), widest: widest, in: size)
        case .log:
            let rows = logLines
            let widest = rows.lazy.map(\.columnWidth).max()
            return OverlayLayout(title: "Log", lines: LazyRows(rows), widest: widest, in: size)
        case nil: return nil
        }
    }

    func drawOverlay(on grid: inout Grid, _ theme: Theme) {
        if let layout = overlayLayout { grid.draw(layout, from: scroll, theme) }
    }
}

extension Grid {
    /// - Parameter top: the first line of the content that is shown.
    mutating func draw(_ overlay: OverlayLayout, from top: Int, _ theme: Theme) {
        fill(overlay.frame, style: theme.panel)
        if overlay.content != overlay.frame { drawBox(overlay.frame, title: overlay.title, style: theme.panelBorder) }
        for (line, row) in zip(overlay.lines.dropFirst(top), overlay.content.rows) {
            let text = line.truncated(toColumns: overlay.content.size.columns)
            write(text, at: Point(column: overlay.content.origin.column, row: row), style: theme.panel)
        }
    }
}

extension DemoModel {
    private var helpLines: [String] {
        let actions: [Action] = tweaks == nil ? Action.allCases : [.help, .redraw, .quit]
        let own = actions.compactMap { action -> (keys: String, text: String)? in
            let names = keys.keys(for: action).map(\.description)
            return names.isEmpty ? nil : (names.joined(separator: ", "), action.facts.explanation)
        }
        return OverlayLayout.lines(of: (tweaks?.help ?? []) + own)
    }
}

extension DemoModel {
    /// What happened, the newest first.
    private var logLines: [String] {
        if activity.log.isEmpty { return ["Nothing has happened since the start."] }
        return activity.log.reversed().flatMap { entry in
            let time = clock.clock(entry.time) + "  "
            return entry.lines.enumerated().map { index, line in
                (index == 0 ? time : String(repeating: " ", count: time.columnWidth)) + line.spans.map(\.text).joined()
            }
        }
    }
}
