// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import TerminalUI

/// The inspector: every key with its value, a cursor, and a filter.
///
/// Only the rows that are shown are made.
struct InspectorScreen: DemoPanel {
    enum Command: Hashable, Sendable {
        case open, filter, endFilter, copyValue, copyKey, help, back
        /// A row of the list, by its index.
        case row(Int)
    }

    typealias Line = ActiveLine<Command>

    let name = "Inspector"
    let kind = PanelKind.inspector
    var size: Size {
        didSet { arrange() }
    }
    var feedback = ""
    private(set) var state: PanelState
    private(set) var list: KeyList
    private var grip = ScrollGrip()

    /// From so many rows on, there is one for the names of the columns.
    private static let rowsForHead = 6

    init(_ state: PanelState, size: Size) {
        (self.state, self.size, list) = (state, size, KeyList(state.configuration))
        arrange()
    }

    private var place: PanelPlace { .beside(in: size) }
    private var hasHead: Bool { place.content.size.rows >= Self.rowsForHead }

    private mutating func arrange() { list.page = max(place.list.size.rows - (hasHead ? 1 : 0), 1) }
}

extension InspectorScreen {
    var takesText: Bool { list.isTyping }
    var isWorking: Bool { list.isWorking }

    mutating func goOn() { list.goOn(in: state.snapshot.entries) }

    mutating func update(_ next: PanelState) {
        list.update(from: state.configuration, to: next.configuration)
        state = next
    }

    var commands: [ScreenCommand<Command>] {
        if list.isTyping {
            return [
                ScreenCommand(.endFilter, [Key(.enter)], hint: "Done"),
                ScreenCommand(.back, [Key(.escape)], hint: "Clear"),
            ]
        }
        let last = list.filter == nil ? "Close" : "Clear"
        return [
            ScreenCommand(.open, [Key(.enter), Key(.right)], hint: "Open", help: "Show the whole value"),
            ScreenCommand(.filter, [.character("/")], hint: "Filter", help: "Filter by key and value"),
            ScreenCommand(.copyValue, [.character("y")], hint: "Copy", help: "Copy the value"),
            ScreenCommand(.copyKey, [.character("Y")], help: "Copy the key"),
            ScreenCommand(.help, state.look.keys.help, hint: "Help"),
            ScreenCommand(.back, state.look.keys.close, hint: last, help: "Clear the filter, then close"),
        ]
    }

    var notes: [ScreenHelp] {
        [
            ScreenHelp("j, k, g, G, arrows", "Move"), ScreenHelp("PageUp, PageDown, Space", "Move by a page"),
            ScreenHelp("Click", "Select; click again to open"), ScreenHelp("Wheel, scrollbar", "Scroll"),
            ScreenHelp("✖ ◆ ◇ •", "Invalid; tweaked; has a rule; just changed"),
        ]
    }

    mutating func perform(_ command: Command) -> ScreenResponse<DemoIntent> {
        switch command {
        case .open:
            guard let key = list.selectedKey else { break }
            if list.isTyping { list.endFilter(keeping: true) }
            list.select(list.cursor)
            return .done([.toggle(.key(key))])
        case .filter: list.beginFilter()
        case .endFilter: list.endFilter(keeping: true)
        case .copyValue: return .done(list.selectedKey.flatMap { state.snapshot.copy(of: $0) } ?? [])
        case .copyKey: return .done(list.selectedKey.map { [.copy($0)] } ?? [])
        case .help: return .done([.toggle(.help)])
        case .back:
            if !list.isTyping, list.filter == nil { return .close }
            list.endFilter(keeping: false)
        case .row(let row):
            // The second click opens.
            if row == list.cursor { return perform(.open) }
            if list.isTyping { list.endFilter(keeping: true) }
            list.select(row)
        }
        return .handled
    }

    mutating func handle(_ event: InputEvent) -> ScreenResponse<DemoIntent> {
        switch event {
        case .key(let key):
            feedback = ""
            let response = perform(key)
            if response != .ignored { return response }
            let types = list.isTyping && ![.up, .down, .pageUp, .pageDown].contains(key.code)
            let isHandled = types ? list.type(key, in: state.snapshot.entries) : list.move(key)
            return isHandled ? .handled : .ignored
        case .mouse(let mouse): return use(mouse)
        case .paste(let text):
            if list.isTyping { list.type(text, in: state.snapshot.entries) }
            return .handled
        case .focus, .reply: return .ignored
        }
    }

    private mutating func use(_ mouse: MouseEvent) -> ScreenResponse<DemoIntent> {
        let panel = panel
        if let top = grip.top(after: mouse, on: panel) {
            list.scroll(toTop: top)
            return .handled
        }
        guard let part = panel.part(at: mouse.point) else { return .ignored }
        guard mouse.action == .press(button: 0), case .target(let command, _) = part else { return .handled }
        feedback = ""
        return perform(command)
    }
}

extension EntrySnapshot {
    /// The request to copy the value of a key: the text itself, and anything else as JSON; `nil` if there is no value.
    func copy(of key: String) -> [DemoIntent]? {
        entries[key].map { entry in
            if case .string(let text) = entry.value { [.copy(text)] } else { [.copy(entry.value.canonicalJSON)] }
        }
    }
}

extension InspectorScreen {
    func draw(on grid: inout Grid, _ theme: Theme) { grid.draw(panel, theme) }

    private var panel: Panel<Command> {
        let (place, bar) = (place, list.scrollbar)
        let columns = InspectorColumns(columns: place.content.size.columns, wanted: list.wantedColumns)
        let (rows, cursor, notes) = (list.rows, list.cursor, state.demo.notes)
        let empty = rows.isEmpty ? emptyLines(columns: place.content.size.columns) : []
        return Panel(
            place,
            title: titleSpans(columns: place.titleColumns),
            hints: commands,
            head: hasHead ? [InspectorRow.head(columns)] : [],
            feedback: feedback,
            count: max(rows.count, empty.count),
            top: bar.top
        ) { row in
            if rows.isEmpty { return empty[row] }
            let key = rows[row]
            let parts = InspectorRow(
                key: key,
                entry: state.snapshot.entries[key],
                note: notes[key],
                isRuled: state.snapshot.hasRule(forKey: key),
                isMarked: state.activity.changedKeys.contains(key),
                isSelected: row == cursor
            )
            var line = parts.line(columns, state.preview, state.look.clock)
            line.target = .row(row)
            return line
        }
    }

    private func emptyLines(columns: Int) -> [Line] {
        if isWorking { return [] }
        let status = state.configuration.status
        let note = state.configuration.noteOnNamespace.map { $0.prefix(1).uppercased() + $0.dropFirst() + "." }
        let nothing = status.problem?.description ?? note ?? "No keys in \(status.source)."
        let text = list.filter == nil ? nothing : "No matches"
        return text.sanitized().wrapped(toColumns: columns, maximumLines: 20).map { Line([.init($0, .dimmed)]) }
    }

    private func titleSpans(columns: Int) -> [Line.Span] {
        var parts: [Line.Span] = [.init(name, .title), .init(" ── "), .init(countText)]
        guard list.isTyping || list.filter != nil else { return parts }
        parts.append(.init(" ── "))
        // The filter is more specific than the name.
        let wanted = list.field.text.columnWidth + 2
        if parts.reduce(wanted, { $0 + $1.text.columnWidth }) > columns { parts.removeFirst(2) }
        let room = max(columns - parts.reduce(1) { $0 + $1.text.columnWidth }, 1)
        return parts + list.field.searchSpans(isTyping: list.isTyping, columns: room, target: .filter)
    }

    /// The number of keys in the list, such as `12 of 10,001`.
    private var countText: String {
        let count = list.keys.count
        guard let filter = list.filter else { return count == 1 ? "1 key" : "\(count.grouped) keys" }
        return "\(filter.matches.count.grouped)\(filter.isComplete ? "" : "…") of \(count.grouped)"
    }
}
