// SPDX-License-Identifier: Apache-2.0

import TerminalUI

/// A line of an overlay, which does what it names when it is clicked.
typealias OverlayLine = ActiveLine<Action>

/// The open overlay: its content, unclipped, and where it goes.
struct OverlayLayout {
    let title: String
    /// The lines that the search has found, or all.
    let lines: [OverlayLine]
    let list: ScrolledList
    let frame: Rect
    /// Where the content goes: within a border, where there is room for one.
    let content: Rect
    /// How many rows of the content are seen at once.
    var page: Int { max(content.size.rows, 1) }

    /// An overlay in the middle, as large as its content.
    ///
    /// - Parameter sections: Lines that belong together; a search finds them together.
    init(title: String, _ sections: [[OverlayLine]], _ list: ScrolledList, in size: Size) {
        self.title = title
        (self.list, self.lines) = (list, list.found(in: sections))
        // A search leaves the frame as it is.
        let lines = sections.joined()
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
    init(title: String, _ sections: [[OverlayLine]], _ list: ScrolledList, beside panel: SidePanel) {
        (self.title, self.list, lines) = (title, list, list.found(in: sections))
        (frame, content) = (panel.panel, panel.content)
    }
}

extension OverlayLayout {
    /// Room for the hints in the lower border.
    private static let leastColumns = 28

    private static func margin(in size: Size) -> Int { size.columns >= 60 ? 4 : 0 }

    /// The most columns that a row of an overlay can have.
    static func mostColumns(in size: Size) -> Int { max(size.columns - 2 * margin(in: size) - 4, 1) }

    /// The frame with its scrollbar, and with hints that can be clicked.
    func panel(keys: KeyMap) -> Panel<Action> {
        let scrollbar = list.scrollbar(count: lines.count, page: page)
        var name: [OverlayLine.Span] = [.init(title, .title)]
        if let search = list.search {
            let columns = max(content.size.columns - title.columnWidth - 6, 1)
            name += [.init(" ── ")] + search.searchSpans(isTyping: list.isTyping, columns: columns, target: .search)
        }
        return Panel(
            frame: frame,
            content: content,
            title: ActiveLine(name),
            hints: hints(isScrolling: scrollbar.isNeeded, keys),
            scrollbar: scrollbar
        )
    }

    private func hints(isScrolling: Bool, _ keys: KeyMap) -> [OverlayLine.Span] {
        if list.isTyping { return [.init("Enter Done", target: .search), .init("Esc Clear", target: .close)] }
        let scrolling: [Action] = isScrolling ? [.scrollDown, .pageDown] : []
        let actions = scrolling + (isScrolling || list.search != nil ? [.search] : []) + [.close]
        return actions.map { action in
            let word =
                switch action {
                case .pageDown: "Page"
                case .close where list.search != nil: "Clear"
                default: action.facts.title
                }
            return .init(keys.keys(for: action).first.map { "\($0) \(word)" } ?? "", target: action)
        }
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
        case .help: return OverlayLayout(title: "Keys", help.sections(columns: columns), list, in: size)
        case .problems:
            let sections = ProblemList(problems, in: state, columns: columns).sections
            let lines = sections.map { rows in rows.map { OverlayLine([.init($0)]) } }
            return OverlayLayout(title: "Errors", lines, list, in: size)
        case .log:
            let entries = activity.logEntries(clock)
            guard let side = sideOfLog else { return OverlayLayout(title: "Log", entries, list, in: size) }
            return OverlayLayout(title: "Log", entries, list, beside: side)
        case nil: return nil
        }
    }

    func drawOverlay(on grid: inout Grid, _ theme: Theme) {
        guard let layout = overlayLayout else { return }
        grid.draw(layout, keys: keys, theme)
        guard let news = activity.news?.line, hidesNews(layout), let row = layout.content.rows.last else { return }
        // It covers the end of the list, as in the inspector and the tweaks.
        let place = Rect.row(row, from: layout.content.origin.column, columns: layout.content.size.columns)
        grid.fill(place, style: theme.panel)
        grid.draw(news, in: place, theme)
    }

    /// Whether the row of the news is not seen.
    private func hidesNews(_ layout: OverlayLayout) -> Bool {
        if layout.frame.origin.column >= main.size.columns { return false }
        guard panels.isEmpty else { return true }
        return MainLayout(main).newsRow.map(layout.frame.rows.contains) ?? false
    }

    /// What the mouse does while an overlay is open.
    mutating func updateOverlay(_ mouse: MouseEvent) -> Action? {
        guard let layout = overlayLayout else { return nil }
        let panel = layout.panel(keys: keys)
        // A release may have been lost, as when the overlay was closed meanwhile.
        if case .press = mouse.action { list.release() }
        switch mouse.action {
        case .scroll(let direction): return direction < 0 ? .scrollUp : .scrollDown
        case .drag(button: 0): list.drag(panel, toScreenRow: mouse.point.row)
        case .release: list.release()
        case .press:
            switch panel.part(at: mouse.point) {
            case nil: return .close
            case .target(let action): return action
            case .scrollbar(let row):
                list.press(panel, trackRow: row, screenRow: mouse.point.row)
            case .content(let point):
                guard let line = layout.lines.dropFirst(panel.scrollbar.top + point.row).first,
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
    mutating func draw(_ overlay: OverlayLayout, keys: KeyMap, _ theme: Theme) {
        let panel = overlay.panel(keys: keys)
        draw(panel) { theme.style(of: $0) }
        for (line, row) in zip(overlay.lines.dropFirst(panel.scrollbar.top), overlay.content.rows) {
            draw(line, in: .row(row, from: overlay.content.origin.column, columns: overlay.content.size.columns), theme)
        }
    }
}
