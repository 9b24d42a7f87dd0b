// SPDX-License-Identifier: Apache-2.0

import TerminalUI

/// A line of an overlay, which does what it names when it is clicked.
typealias OverlayLine = ActiveLine<Action>

/// The open overlay: its content, unclipped, and where it goes.
struct OverlayLayout {
    let title: String
    let lines: [OverlayLine]
    let frame: Rect
    /// Where the content goes: within a border, where there is room for one.
    let content: Rect
    /// How many rows of the content are seen at once.
    var page: Int { max(content.size.rows, 1) }

    /// An overlay in the middle, as large as its content.
    init(title: String, lines: [OverlayLine], in size: Size) {
        self.title = title
        self.lines = lines
        let margin = Self.margin(in: size)
        let room = Size(columns: size.columns - 2 * margin, rows: max(size.rows - 1, min(size.rows, 1)))
        let widest = lines.lazy.map(\.columnWidth).max() ?? 0
        let columns = min(max(widest, Self.leastColumns) + 4, room.columns)
        let wanted = Size(columns: columns, rows: min(lines.count + 2, room.rows))
        var frame = Rect.centered(wanted, in: room)
        frame.origin.column += margin
        self.frame = frame
        content = frame.size.rows >= 3 && frame.size.columns >= 5 ? frame.inset(columns: 2, rows: 1) : frame
    }

    /// An overlay beside the main screen.
    init(title: String, lines: [OverlayLine], beside panel: SidePanel) {
        (self.title, self.lines, frame, content) = (title, lines, panel.panel, panel.content)
    }
}

extension OverlayLayout {
    /// Room for the hints in the lower border.
    private static let leastColumns = 28

    private static func margin(in size: Size) -> Int { size.columns >= 60 ? 4 : 0 }

    /// The most columns that a row of an overlay can have.
    static func mostColumns(in size: Size) -> Int { max(size.columns - 2 * margin(in: size) - 4, 1) }

    /// The frame with its scrollbar, and with hints that can be clicked.
    func panel(top: Int, keys: KeyMap) -> Panel<Action> {
        let scrollbar = Scrollbar(count: lines.count, page: page, top: top)
        let actions: [Action] = scrollbar.isNeeded ? [.scrollDown, .pageDown, .close] : [.close]
        return Panel(
            frame: frame,
            content: content,
            title: ActiveLine([.init(title, .title)]),
            hints: actions.map { action in
                let word = action == .pageDown ? "Page" : action.facts.title
                return .init(keys.keys(for: action).first.map { "\($0) \(word)" } ?? "", target: action)
            },
            scrollbar: scrollbar
        )
    }
}

extension DemoModel {
    /// From so many columns on, the log has room beside the main screen.
    private static let columnsForTheLog = 120

    /// The side that the log takes, if it is open and has room there.
    var sideOfLog: SidePanel? { overlay == .log && size.columns >= Self.columnsForTheLog ? SidePanel(size) : nil }

    var overlayLayout: OverlayLayout? {
        let columns = OverlayLayout.mostColumns(in: size)
        switch overlay {
        case .help: return OverlayLayout(title: "Keys", lines: help.lines(columns: columns), in: size)
        case .problems:
            let rows = ProblemList(problems, in: state, columns: columns).rows
            return OverlayLayout(title: "Errors", lines: rows.map { OverlayLine([.init($0)]) }, in: size)
        case .log:
            let lines = activity.logLines(clock)
            guard let side = sideOfLog else { return OverlayLayout(title: "Log", lines: lines, in: size) }
            return OverlayLayout(title: "Log", lines: lines, beside: side)
        case nil: return nil
        }
    }

    func drawOverlay(on grid: inout Grid, _ theme: Theme) {
        if let layout = overlayLayout { grid.draw(layout, from: scroll, keys: keys, theme) }
    }

    /// What the mouse does while an overlay is open.
    mutating func updateOverlay(_ mouse: MouseEvent) -> Action? {
        guard let layout = overlayLayout else { return nil }
        let panel = layout.panel(top: scroll, keys: keys)
        // A release may have been lost, as when the overlay was closed meanwhile.
        if case .press = mouse.action { grip = nil }
        switch mouse.action {
        case .scroll(let direction): return direction < 0 ? .scrollUp : .scrollDown
        case .drag(button: 0): if let grip { scroll = panel.top(dragging: grip, toScreenRow: mouse.point.row) }
        case .release: grip = nil
        case .press:
            switch panel.part(at: mouse.point) {
            case nil: return .close
            case .target(let action): return action
            case .scrollbar(let row):
                let grip = panel.grip(at: row)
                self.grip = grip
                scroll = panel.top(dragging: grip, toScreenRow: mouse.point.row)
            case .content(let point):
                guard let line = layout.lines.dropFirst(scroll + point.row).first,
                    let action = line.hit(column: point.column)?.target
                else { break }
                overlay = nil
                return action
            case .border: break
            }
        default: break
        }
        return nil
    }
}

extension Grid {
    /// - Parameter top: the first line of the content that is shown.
    mutating func draw(_ overlay: OverlayLayout, from top: Int, keys: KeyMap, _ theme: Theme) {
        draw(overlay.panel(top: top, keys: keys)) { theme.style(of: $0) }
        for (line, row) in zip(overlay.lines.dropFirst(top), overlay.content.rows) {
            draw(line, in: .row(row, from: overlay.content.origin.column, columns: overlay.content.size.columns), theme)
        }
    }
}
