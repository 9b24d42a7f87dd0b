// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI

/// The picker of namespaces and sources: what is typed filters the list, or is a source itself.
struct SourcesScreen: PickerPanel {
    let name = "Sources"
    let kind = PanelKind.sources
    var size: Size
    var feedback = ""
    private var sources: KnownSources
    private(set) var field = TextField()
    private(set) var cursor = ListCursor()

    static let rows = 16

    init(_ state: PanelState, size: Size) { (sources, self.size) = (state.sources, size) }

    private var rows: [KnownSources.Row] { sources.rows(matching: field.text) }
}

extension SourcesScreen {
    var openingIntents: [DemoIntent] { [.checkSources] }

    mutating func update(_ state: PanelState) {
        let selected = rows.indices.contains(cursor.index) ? rows[cursor.index].source : nil
        sources = state.sources
        let rows = rows
        cursor.index = rows.firstIndex { $0.source == selected } ?? max(min(cursor.index, rows.count - 1), 0)
    }

    var commands: [ScreenCommand<Command>] {
        let refresh = [Key(.character("r"), .control)]
        return [
            ScreenCommand(.choose, [Key(.enter)], hint: "Follow", help: "Follow the source"),
            ScreenCommand(.request(.checkSources), refresh, hint: "Check", help: "Check the sources again"),
            ScreenCommand(.close, [Key(.escape)], hint: "Close", help: "Close the list"),
        ]
    }

    var notes: [ScreenHelp] {
        [ScreenHelp("Letters", "Filter the list, or type a namespace, a path or a URL")]
    }

    func choose(_ index: Int) -> ScreenResponse<DemoIntent> {
        let rows = rows
        guard rows.indices.contains(index) else { return .handled }
        return rows[index].isCurrent ? .close : .done([.follow(rows[index].source)])
    }

    mutating func handle(_ key: Key) -> ScreenResponse<DemoIntent> {
        let moves = ListCursor.movesWhileTyping(key)
        let isHandled = moves ? cursor.handle(key, count: rows.count, page: page) : type(key)
        return isHandled ? .handled : .ignored
    }

    mutating func handle(_ mouse: MouseEvent) -> ScreenResponse<DemoIntent> {
        pressOrClose(mouse, on: panel)
    }

    mutating func handle(pasted text: String) -> ScreenResponse<DemoIntent> {
        field.insert(text.firstLine)
        cursor.index = 0
        return .handled
    }

    private mutating func type(_ key: Key) -> Bool {
        let before = field.text
        guard field.handle(key) else { return false }
        if field.text != before { cursor.index = 0 }
        return true
    }
}

extension SourcesScreen {
    private static let gap = 2
    private static let stateColumns = "✖ refused".columnWidth

    var panel: Panel<Command> {
        let (place, rows) = (place, rows)
        let least = max(place.list.size.columns / 3, 1)
        let widest = rows.map(\.title.columnWidth).max() ?? 0
        let room = place.list.size.columns - 2 - Self.stateColumns - 2 * Self.gap
        let titleColumns = max(min(widest, max(room - least, least)), 1)
        return Panel(
            place,
            title: title,
            hints: commands,
            feedback: feedback,
            count: rows.count,
            top: max(cursor.index - page + 1, 0)
        ) { line(rows[$0], at: $0, titleColumns: titleColumns, detailColumns: max(room - titleColumns, 0)) }
    }

    private func line(_ row: KnownSources.Row, at index: Int, titleColumns: Int, detailColumns: Int) -> Line {
        let isSelected = index == cursor.index
        let query = KeyQuery(field.text)
        let gap = Line.Span(String(repeating: " ", count: Self.gap))
        let title = Line.Span(row.title).marked(query.marks(inKey: row.title)).fitted(columns: titleColumns)
        let state = row.check?.title ?? "… checking"
        let spans: [Line.Span] =
            [.init(isSelected ? "▌" : " "), .init(row.isCurrent ? "•" : " ", .accent)] + title
            + [gap, .init(state.truncated(toColumns: Self.stateColumns).padded(toColumns: Self.stateColumns)), gap]
            + [Line.Span(row.check?.detail ?? "", .dimmed)].fitted(columns: detailColumns)
        return Line(isSelected ? spans.map(\.selected) : spans, isFocused: isSelected, target: .row(index))
    }
}
