import TerminalUI

/// A line of an overlay, which does what it names when it is clicked.
typealias OverlayLine = ActiveLine<Action>

/// The open overlay: its content, unclipped, and where it goes.
struct OverlayLayout {
    let title: String
    let lines: LazyRows<OverlayLine>
    let frame: Rect
    /// Where the content goes: within a border, where there is room for one.
    let content: Rect
    /// How many rows of the content are seen at once.
    var page: Int { max(content.size.rows, 1) }

    var scrolls: Bool { lines.count > page }

    /// - Parameter widest: the columns of the widest line; without it, the overlay takes the whole width.
    init(title: String, lines: LazyRows<OverlayLine>, widest: Int?, in size: Size) {
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
    /// An overlay as wide as the widest of its lines.
    init(title: String, lines: [OverlayLine], in size: Size) {
        let widest = lines.lazy.map(\.columnWidth).max()
        self.init(title: title, lines: LazyRows(lines), widest: widest, in: size)
    }

    private static func margin(in size: Size) -> Int { size.columns >= 60 ? 4 : 0 }

    /// The most columns that a row of an overlay can have.
    static func mostColumns(in size: Size) -> Int { max(size.columns - 2 * margin(in: size) - 4, 1) }
}

extension DemoModel {
    var overlayLayout: OverlayLayout? {
        switch overlay {
        case .help: return layout(titled: "Keys", help.lines(columns: OverlayLayout.mostColumns(in: size)))
        case .inspector:
            return inspector.map { inspector in
                let rows = inspector.rows
                let lines = LazyRows(count: rows.count) { OverlayLine([.init(rows[$0])]) }
                return OverlayLayout(title: "Inspector", lines: lines, widest: inspector.columns, in: size)
            }
        case .problems:
            let rows = ProblemList(problems, in: state, columns: OverlayLayout.mostColumns(in: size)).rows
            return layout(titled: "Errors", rows.map { OverlayLine([.init($0)]) })
        case .log: return layout(titled: "Log", activity.logLines(clock))
        case nil: return nil
        }
    }

    private func layout(titled title: String, _ lines: [OverlayLine]) -> OverlayLayout {
        OverlayLayout(title: title, lines: lines, in: size)
    }

    /// What the line of the overlay at a place does.
    func overlayAction(at point: Point) -> Action? {
        guard let layout = overlayLayout, layout.content.contains(point) else { return nil }
        let row = scroll + point.row - layout.content.origin.row
        guard layout.lines.indices.contains(row) else { return nil }
        return layout.lines[row].hit(column: point.column - layout.content.origin.column)?.target
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
            draw(line, in: .row(row, from: overlay.content.origin.column, columns: overlay.content.size.columns), theme)
        }
    }
}
