// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import TerminalUI

/// Where the parts of the inspector are on a screen.
struct InspectorLayout: Hashable {
    let list: SidePanel
    /// The rows above the list: the names of the columns, and the title where no border has it.
    let headRows: Int
    let hasTitleRow: Bool

    init(_ size: Size) {
        list = SidePanel(size)
        let rows = list.content.size.rows
        hasTitleRow = list.content == list.panel && rows >= 2
        headRows = (hasTitleRow ? 1 : 0) + (rows >= 6 ? 1 : 0)
    }

    /// How many rows of the list are in sight at once.
    var page: Int { max(list.content.size.rows - headRows, 1) }
    /// How many lines of a key in full are in sight at once.
    var detailPage: Int { max(list.content.size.rows - (hasTitleRow ? 1 : 0), 1) }

    func panel(_ model: InspectorModel) -> Panel<InspectorTarget> {
        let scrollbar = model.detail?.scrollbar(page: detailPage) ?? model.scrollbar
        return Panel(
            frame: list.panel,
            content: list.content,
            title: model.titleLine(columns: list.content.size.columns - 2),
            hints: model.hints(isScrolling: scrollbar.isNeeded),
            scrollbar: scrollbar
        )
    }
}

extension InspectorModel {
    var layout: InspectorLayout { InspectorLayout(size) }

    func draw(on grid: inout Grid, _ theme: Theme) {
        let layout = layout
        let panel = layout.panel(self)
        grid.draw(panel) { theme.style(of: $0) }
        let content = panel.content
        for (line, row) in zip(visibleLines(layout, panel.scrollbar), content.rows) {
            let place = Rect.row(row, from: content.origin.column, columns: content.size.columns)
            grid.draw(line, in: place, theme)
        }
    }

    /// The lines within the border.
    private func visibleLines(_ layout: InspectorLayout, _ bar: Scrollbar) -> [InspectorLine] {
        let size = layout.list.content.size
        let title = layout.hasTitleRow ? [titleLine(columns: size.columns)] : []
        let body: [InspectorLine]
        if let detail {
            body = Array(detail.lines[bar.top..<min(bar.top + bar.page, detail.lines.count)])
        } else {
            let head = layout.headRows > title.count ? [InspectorRow.head(columns(of: layout))] : []
            body = head + listLines(layout, bar)
        }
        guard !feedback.isEmpty, size.rows > 0 else { return title + body }
        // What has been said covers the end of the list until the next key.
        let lines = (title + body).prefix(size.rows - 1)
        let gap = Array(repeating: InspectorLine([]), count: size.rows - 1 - lines.count)
        return lines + gap + [InspectorLine([.init(feedback, .title)])]
    }

    private func columns(of layout: InspectorLayout) -> InspectorColumns {
        InspectorColumns(columns: layout.list.content.size.columns, wanted: wantedColumns)
    }

    private func listLines(_ layout: InspectorLayout, _ bar: Scrollbar) -> [InspectorLine] {
        let (rows, cursor, columns) = (rows, cursor, columns(of: layout))
        if rows.isEmpty { return emptyLines(columns: layout.list.content.size.columns) }
        return (bar.top..<min(bar.top + bar.page, rows.count)).map { row in
            let key = rows[row]
            let parts = InspectorRow(
                key: key,
                entry: entries[key],
                note: state.notes[key],
                isRuled: state.configuration.snapshot.hasRule(forKey: key),
                isMarked: marked.contains(key),
                isSelected: row == cursor
            )
            return parts.line(columns, preview, clock)
        }
    }

    private func emptyLines(columns: Int) -> [InspectorLine] {
        if isWorking { return [] }
        let status = state.configuration.status
        let note = state.configuration.noteOnNamespace.map { $0.prefix(1).uppercased() + $0.dropFirst() + "." }
        let nothing = status.problem?.description ?? note ?? "\(status.source) has no keys yet."
        let text = filter == nil ? nothing : "Nothing found"
        return text.sanitized().wrapped(toColumns: columns, maximumLines: 20).map {
            InspectorLine([.init($0, .dimmed)])
        }
    }
}

extension InspectorModel {
    func titleLine(columns: Int) -> InspectorLine {
        if let detail {
            let name = InspectorLine.Span("Inspector", .title)
            guard let search = detail.list.search else { return InspectorLine([name]) }
            let room = max(columns - 14, 1)
            let isTyping = detail.list.isTyping
            let spans = search.searchSpans(isTyping: isTyping, columns: room, target: InspectorTarget.search)
            return InspectorLine([name, .init(" ── ")] + spans)
        }
        var parts: [InspectorLine.Span] = [.init("Inspector", .title), .init(" ── "), .init(countText)]
        guard isTyping || filter != nil else { return InspectorLine(parts) }
        parts.append(.init(" ── "))
        // The filter says more than the name.
        let wanted = field.text.columnWidth + 2
        if parts.reduce(wanted, { $0 + $1.text.columnWidth }) > columns { parts.removeFirst(2) }
        let room = max(columns - parts.reduce(1) { $0 + $1.text.columnWidth }, 1)
        return InspectorLine(parts + field.searchSpans(isTyping: isTyping, columns: room, target: .filter))
    }

    /// How many keys are in the list, such as `12 of 10,001`.
    private var countText: String {
        guard let filter else { return keys.count == 1 ? "1 key" : "\(keys.count.grouped) keys" }
        return "\(filter.matches.count.grouped)\(filter.isComplete ? "" : "…") of \(keys.count.grouped)"
    }

    func hints(isScrolling: Bool) -> [InspectorLine.Span] {
        let hints: [(String, InspectorTarget)]
        if let list = detail?.list, list.isTyping {
            hints = [("Enter Done", .search), ("Esc Clear", .back)]
        } else if let list = detail?.list {
            let last = list.search == nil ? "Esc Back" : "Esc Clear"
            let scroll: [(String, InspectorTarget)] = isScrolling ? [("j Scroll", .scroll), ("/ Search", .search)] : []
            hints =
                [("y Copy", .copyValue), ("Y Copy key", .copyKey)] + scroll + [("? Help", .help), (last, .back)]
        } else if isTyping {
            hints = [("Enter Done", .done), ("Esc Clear", .back)]
        } else {
            let last = filter == nil ? "Esc Close" : "Esc Clear"
            hints = [
                ("Enter Open", .open), ("/ Filter", .filter), ("y Copy", .copyValue), ("? Help", .help), (last, .back),
            ]
        }
        return hints.map { .init($0, target: $1) }
    }

    /// The keys of this screen, and what the mouse does.
    var help: [ScreenHelp] {
        let lines =
            detail != nil
            ? [
                ("j, k, g, G, arrows", "Scroll"), ("PageUp, PageDown", "Scroll by a page"), ("/", "Search the lines"),
                ("y, Y", "Copy the value, the key"), ("Esc, h, Enter", "Back to the list"),
                ("Wheel, scrollbar", "Scroll"),
            ]
            : [
                ("j, k, g, G, arrows", "Move"), ("PageUp, PageDown, Space", "Move by a page"),
                ("Enter", "Show the whole value"), ("/", "Filter by words in key and value"),
                ("y, Y", "Copy the value, the key"),
                ("Esc, h", "End the filter, then close"), ("i", "Close"), ("Click", "Select; again: open"),
                ("Wheel, scrollbar", "Scroll"), ("✖ ◆ ◇ •", "Refused; a tweak is used; a rule decides; just changed"),
            ]
        return lines.map(ScreenHelp.init)
    }
}
