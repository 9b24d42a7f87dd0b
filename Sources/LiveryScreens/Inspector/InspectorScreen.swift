// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import RemoteConfig
import TerminalUI

/// The inspector: every key with its value, a cursor, a filter, an order, and groups that fold.
///
/// Only the rows that are shown are made.
struct InspectorScreen: DemoPanel {
    enum Command: Hashable, Sendable {
        case open, filter, endFilter, next, previous, nextSort, fold, foldAll, copyValue, copyKey, help, back
        case sort(KeySorting)
        /// A row of the list, by its index.
        case row(Int)
        /// A command of the operator on the selected key.
        case key(DemoIntent)
    }

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

    private var place: PanelPlace { .side(in: size) }
    private var hasHead: Bool { place.content.size.rows >= Self.rowsForHead }

    private mutating func arrange() { list.page = max(place.list.size.rows - (hasHead ? 1 : 0), 1) }
}

extension InspectorScreen {
    var takesText: Bool { list.isTyping }
    var isWorking: Bool { list.isWorking }

    var openingIntents: [DemoIntent] { [.request(.abilities)] }

    mutating func continueWork() { list.continueWork(in: entries) }

    mutating func goTo(_ key: String) { list.select(key, in: entries) }

    mutating func update(_ next: PanelState) {
        list.update(from: state.configuration, to: next.configuration)
        state = next
        if list.order.sorting == .author { takeAuthors() }
    }

    var needs: Set<OperatorRequest> {
        var needs: Set<OperatorRequest> = list.order.sorting == .author ? [.lastChanges] : []
        if state.desk.abilities.allows(.details) { needs.insert(.schemaNames) }
        return needs
    }

    /// Sorts by the authors, once the source has reported them or reports others.
    private mutating func takeAuthors() {
        switch state.reads.lastChanges {
        case .loading: break
        case .done(let page):
            let changes = LastChanges(page.records)
            guard changes != list.order.changes else { return }
            list.sort(by: KeySortOrder(sorting: .author, changes: changes), in: entries)
        case .failed(let error):
            feedback = "Cannot read the authors: \(error.message)"
            sort(by: .name)
        }
    }

    var commands: [ScreenCommand<Command>] {
        if list.isTyping {
            return [
                ScreenCommand(.endFilter, [Key(.enter)], hint: "Done"),
                ScreenCommand(.back, [Key(.escape)], hint: "Clear"),
            ]
        }
        let last = list.query == nil ? "Close" : "Clear"
        return [
            ScreenCommand(.open, [Key(.enter), Key(.right)], hint: "Open", help: "Show the key in full")
        ] + KeyCommands.all(of: list.selectedKey, in: state, Command.key) + [
            ScreenCommand(.filter, [.character("/")], hint: "Filter", help: "Filter by key and value"),
            ScreenCommand(.next, [.character("n")], help: "Go to the next match"),
            ScreenCommand(.previous, [.character("N")], help: "Go to the previous match"),
            ScreenCommand(.nextSort, [.character("o")], help: "Sort by name, last change or author"),
            ScreenCommand(.fold, [.character("f")], help: "Fold or unfold the group of the key"),
            ScreenCommand(.foldAll, [.character("F")], help: "Fold or unfold all groups"),
            ScreenCommand(.copyValue, [.character("y")], hint: "Copy", help: "Copy the value"),
            ScreenCommand(.copyKey, [.character("Y")], help: "Copy the key"),
        ] + KeyViews.all(of: list.selectedKey, in: state, Command.key) + [
            ScreenCommand(.help, state.look.keys.help, hint: "Help"),
            ScreenCommand(.back, state.look.keys.close, hint: last, help: "Clear the filter, then close"),
        ]
    }

    var notes: [ScreenHelp] {
        [
            ScreenHelp("j, k, g, G, arrows", "Move"), ScreenHelp("PageUp, PageDown, Space", "Move by a page"),
            ScreenHelp("Click", "Select; click again to open; on a column's name, sort by it"),
            ScreenHelp("Wheel, scrollbar", "Scroll"),
            ScreenHelp("In the filter", "Letters of the key in order, or a word of the value"),
            ScreenHelp("'word, !word, /regex", "A whole word; without the word; a regular expression"),
            ScreenHelp("✖ ◆ ◇ § •", "Invalid; tweaked; has a rule; has a schema; just changed"),
        ]
    }

    mutating func perform(_ command: Command) -> ScreenResponse<DemoIntent> {
        switch command {
        case .open: return open()
        case .filter: list.beginFilter()
        case .endFilter: list.endFilter(in: entries)
        case .next, .previous:
            if !list.find(forward: command == .next) { feedback = "No matches; press / to filter" }
        case .nextSort: sort(by: list.order.sorting.next)
        case .sort(let sorting): sort(by: sorting)
        case .fold:
            if !list.canFold {
                feedback = "Groups need all keys, sorted by name; clear the filter, or sort by name"
            } else if !list.toggleFold() {
                feedback = "No group: no other key begins with the same part"
            }
        case .foldAll: list.toggleAllFolds()
        case .key(let intent): return .done([intent])
        case .copyValue: return .done(list.selectedKey.flatMap { state.snapshot.copy(of: $0) } ?? [])
        case .copyKey: return .done(list.selectedKey.map { [.copy($0)] } ?? [])
        case .help: return .done([.toggle(.help)])
        case .back:
            if !list.isTyping, list.query == nil { return .close }
            list.clearFilter(in: entries)
        case .row(let row):
            // The second click opens.
            if row == list.cursor { return open() }
            if list.isTyping { list.endFilter(in: entries) }
            list.select(row)
        }
        return .handled
    }

    private var entries: ConfigEntries { state.snapshot.entries }

    /// Opens the key at the cursor, or unfolds its group.
    private mutating func open() -> ScreenResponse<DemoIntent> {
        guard let key = list.selectedKey else {
            _ = list.toggleFold()
            return .handled
        }
        if list.isTyping { list.endFilter(in: entries) }
        list.select(list.cursor)
        return .done([.toggle(.key(key))])
    }

    private mutating func sort(by sorting: KeySorting) {
        var sorting = sorting
        if sorting == .author, !state.desk.abilities.allows(.history) {
            feedback = "Cannot sort by author: the source has no history"
            sorting = sorting.next
        }
        list.sort(by: KeySortOrder(sorting: sorting), in: entries)
    }

    mutating func handle(_ key: Key) -> ScreenResponse<DemoIntent> {
        let types = list.isTyping && !ListCursor.movesWhileTyping(key)
        let isHandled = types ? list.type(key, in: entries) : list.move(key)
        return isHandled ? .handled : .ignored
    }

    mutating func handle(pasted text: String) -> ScreenResponse<DemoIntent> {
        if list.isTyping { list.type(text, in: entries) }
        return .handled
    }

    mutating func handle(_ mouse: MouseEvent) -> ScreenResponse<DemoIntent> {
        let panel = panel
        if let top = grip.top(after: mouse, on: panel) {
            list.scroll(toTop: top)
            return .handled
        }
        return press(mouse, on: panel)
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
    var panel: Panel<Command> {
        let (place, bar) = (place, list.scrollbar)
        let columns = InspectorColumns(
            columns: place.content.size.columns,
            wanted: list.wantedColumns,
            author: list.order.changes.authors.values.reduce(0) { max($0, $1.columnWidth) }
        )
        let (rows, cursor, notes, query) = (list.rows, list.cursor, state.demo.notes, list.markedQuery)
        let schemas = state.reads.schemaNames.answer ?? []
        let empty = rows.isEmpty ? emptyLines(columns: place.content.size.columns) : []
        return Panel(
            place,
            title: titleSpans(columns: place.titleColumns),
            hints: commands,
            head: hasHead ? [InspectorRow.head(columns, sortedBy: list.order.sorting)] : [],
            feedback: feedback,
            count: max(rows.count, empty.count),
            top: bar.top
        ) { row in
            if rows.isEmpty { return empty[row] }
            let isSelected = row == cursor
            var line: Line
            switch rows[row] {
            case .group(let prefix, let count):
                line = InspectorRow.group(prefix, count: count, isSelected: isSelected)
            case .key(let key):
                let parts = InspectorRow(
                    key: key,
                    entry: entries[key],
                    note: notes[key],
                    isRuled: state.snapshot.hasRule(forKey: key),
                    hasSchema: SchemaName.candidates(forKey: key).contains(where: schemas.contains),
                    isMarked: state.activity.changedKeys.contains(key),
                    isSelected: isSelected,
                    author: list.order.changes.authors[key],
                    query: query
                )
                line = parts.line(columns, state.preview, state.look.clock)
            }
            line.target = .row(row)
            return line
        }
    }

    private func emptyLines(columns: Int) -> [Line] {
        if isWorking { return [] }
        let status = state.configuration.status
        let nothing =
            status.problem?.description ?? state.configuration.sentenceOnNamespace ?? "No keys in \(status.source)."
        let text = list.query.map { $0.problem ?? "No matches" } ?? nothing
        return text.sanitized().wrapped(toColumns: columns, maximumLines: 20).map { Line([.init($0, .dimmed)]) }
    }

    private func titleSpans(columns: Int) -> [Line.Span] {
        var parts: [Line.Span] = [.init(name, .title), .init(" ── "), .init(countText)]
        guard list.isTyping || list.query != nil else { return parts }
        parts.append(.init(" ── "))
        // The filter is more specific than the name.
        let wanted = list.field.text.columnWidth + 2
        if parts.reduce(wanted, { $0 + $1.text.columnWidth }) > columns { parts.removeFirst(2) }
        let room = max(columns - parts.reduce(1) { $0 + $1.text.columnWidth }, 1)
        return parts + list.field.searchSpans(isTyping: list.isTyping, columns: room, target: .filter)
    }

    /// The number of keys in the list and their order, such as `12 of 10,001 by author`.
    private var countText: String {
        let (count, sorting) = (list.keys.count, list.order.sorting)
        let order = sorting == .name ? "" : " by \(sorting.word)"
        let end = (list.listing?.isComplete == false ? "…" : "")
        guard list.query != nil else { return count.grouped(of: "key") + order + end }
        return "\(list.rows.count.grouped)\(end) of \(count.grouped)\(order)"
    }
}
