// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigWire
import RemoteConfig
import TerminalUI

/// The inspector: every key with its value, a cursor, a filter, an order, and groups that fold.
///
/// Only the rows that are shown are made.
struct InspectorScreen: ListPanel {
    enum Own: Hashable, Sendable {
        case next, previous, nextSort, fold, foldAll, copyValue, copyKey
        case sort(KeySorting)
    }

    let name = "Inspector"
    let kind = PanelKind.inspector
    var size: Size {
        didSet { placeChanged() }
    }
    var feedback = ""
    private(set) var state: PanelState
    private(set) var keyList: KeyList

    /// From so many rows on, there is one for the names of the columns.
    private static let rowsForHead = 6

    init(_ state: PanelState, size: Size) {
        (self.state, self.size, keyList) = (state, size, KeyList(state.configuration))
        placeChanged()
        update(state)
    }

    var keys: UserKeys { state.look.keys }
    var list: ListState {
        get { keyList.list }
        set { keyList.use(newValue) }
    }

    private var hasHead: Bool { place.content.size.rows >= Self.rowsForHead }

    mutating func placeChanged() { keyList.page = page }
}

extension InspectorScreen {
    var isWorking: Bool { keyList.isWorking }
    var openingIntents: [DemoIntent] { [.request(.abilities)] }
    private var entries: ConfigEntries { state.snapshot.entries }

    mutating func continueWork() { keyList.continueWork(in: entries) }

    mutating func goTo(_ key: String) { keyList.select(key, in: entries) }

    mutating func filterChanged() { keyList.filter(in: entries) }

    mutating func update(_ next: PanelState) {
        let staged = next.desk.staged.changes.values.map(\.key)
        let drafted = next.drafts.flatMap { kind in if case .edit(let start) = kind { [start.key] } else { [String]() }
        }
        keyList.update(from: state.configuration, to: next.configuration, unpublished: Set(staged + drafted))
        state = next
        if keyList.order.sorting == .author { takeAuthors() }
    }

    var needs: Set<OperatorRequest> {
        var needs: Set<OperatorRequest> = keyList.order.sorting == .author ? [.lastChanges] : []
        if state.desk.abilities.allows(.details) { needs.insert(.schemaNames) }
        return needs
    }

    /// Sorts by the authors, once the source has reported them or reports others.
    private mutating func takeAuthors() {
        switch state.reads.lastChanges {
        case .loading: break
        case .done(let page):
            let changes = LastChanges(page.records)
            guard changes != keyList.order.changes else { return }
            keyList.sort(by: KeySortOrder(sorting: .author, changes: changes), in: entries)
        case .failed(let error):
            feedback = "Cannot read the authors: \(error.message)"
            sort(by: .name)
        }
    }

    var opening: ScreenCommand<Command>? {
        ScreenCommand(.open, [Key(.enter), Key(.right)], hint: "Open", help: "Show the key in full")
    }

    var actions: [ScreenCommand<Command>] {
        KeyCommands.all(of: keyList.selectedKey, in: state, Command.request) + [
            ScreenCommand(.filter, [.character("/")], hint: "Filter", help: "Filter by key and value"),
            ScreenCommand(.own(.next), [.character("n")], help: "Go to the next match"),
            ScreenCommand(.own(.previous), [.character("N")], help: "Go to the previous match"),
            ScreenCommand(.own(.nextSort), [.character("o")], help: "Sort by name, last change or author"),
            ScreenCommand(.own(.fold), [.character("f")], help: "Fold or unfold the group of the key"),
            ScreenCommand(.own(.foldAll), [.character("F")], help: "Fold or unfold all groups"),
            ScreenCommand(.own(.copyValue), [.character("y")], hint: "Copy", help: "Copy the value"),
            ScreenCommand(.own(.copyKey), [.character("Y")], help: "Copy the key"),
        ] + KeyCommands.views(of: keyList.selectedKey, in: state, Command.request)
    }

    var notes: [ScreenHelp] {
        [
            ScreenHelp("Click", "Select; click again to open; on a column's name, sort by it"),
            ScreenHelp("Wheel, scrollbar", "Scroll"),
            ScreenHelp("In the filter", "Letters of the key in order, or a word of the value"),
            ScreenHelp("'word, !word, /regex", "A whole word; without the word; a regular expression"),
            ScreenHelp("✖ ◆ ◇ § •", "Invalid; tweaked; has a rule; has a schema; just changed"),
            ScreenHelp("± ✎", "Staged, with the new value; edited and not staged"),
        ]
    }

    mutating func run(_ action: Own) -> ScreenResponse<DemoIntent> {
        switch action {
        case .next, .previous:
            if !keyList.find(forward: action == .next) { feedback = "No matches; press / to filter" }
        case .nextSort: sort(by: keyList.order.sorting.next)
        case .sort(let sorting): sort(by: sorting)
        case .fold:
            if !keyList.canFold {
                feedback = "Groups need all keys, sorted by name; clear the filter, or sort by name"
            } else if !keyList.toggleFold() {
                feedback = "No group: no other key begins with the same part"
            }
        case .foldAll: keyList.toggleAllFolds()
        case .copyValue:
            let entry = keyList.selectedKey.flatMap { entries[$0] }
            return .done(entry.map { [.copy($0.value.plainText)] } ?? [])
        case .copyKey: return .done(keyList.selectedKey.map { [.copy($0)] } ?? [])
        }
        return .handled
    }

    /// Opens the key of a row, or unfolds its group.
    mutating func open(_ entry: Int) -> ScreenResponse<DemoIntent> {
        keyList.select(entry)
        guard let key = keyList.selectedKey else {
            _ = keyList.toggleFold()
            return .handled
        }
        return .done([.toggle(.key(key))])
    }

    private mutating func sort(by sorting: KeySorting) {
        var sorting = sorting
        if sorting == .author, !state.desk.abilities.allows(.history) {
            feedback = "Cannot sort by author: the source has no history"
            sorting = sorting.next
        }
        keyList.sort(by: KeySortOrder(sorting: sorting), in: entries)
    }
}

extension InspectorScreen {
    var lineCount: Int { keyList.rows.count }
    var headRows: Int { hasHead ? 1 : 0 }
    var head: [Line] { hasHead ? [InspectorRow.head(columns, sortedBy: keyList.order.sorting)] : [] }

    private var columns: InspectorColumns {
        InspectorColumns(
            columns: place.content.size.columns,
            wanted: keyList.wantedColumns,
            author: keyList.order.changes.authorColumns
        )
    }

    func line(_ index: Int) -> Line { lines()(index) }

    func lines() -> (Int) -> Line {
        let (columns, rows, notes, query) = (columns, keyList.rows, state.demo.notes, keyList.markedQuery)
        let schemas = state.reads.schemaNames.answer ?? []
        let sight = list.scrollbar(extent)
        let visible = sight.top..<min(sight.top + sight.page, sight.count)
        let keys = visible.map { row in if case .key(let key) = rows[row] { key } else { "" } }
        let shown = KeyElision(keys, columns: columns.key)
        let drafted = Set(state.drafts.flatMap(\.draftedEntries))
        let staged = Dictionary(state.desk.staged.changes.changes.map { ($0.heldKey, $0) }) { $1 }
        return { row in
            let isSelected = row == list.cursor
            switch rows[row] {
            case .group(let prefix, let count):
                return InspectorRow.group(prefix, count: count, isSelected: isSelected)
            case .key(let key):
                let ruleKey = EntryKind.rule.key(of: key)
                let parts = InspectorRow(
                    key: key,
                    parts: shown.parts[row - visible.lowerBound],
                    entry: entries[key],
                    note: notes[key],
                    isRuled: state.snapshot.hasRule(forKey: key),
                    hasSchema: SchemaName.candidates(forKey: key).contains(where: schemas.contains),
                    isMarked: state.activity.changedKeys.contains(key),
                    hasDraft: drafted.contains(key) || drafted.contains(ruleKey),
                    staged: staged[key],
                    hasStagedRule: staged[ruleKey] != nil,
                    isSelected: isSelected,
                    author: keyList.order.changes.authors[key],
                    query: query
                )
                return parts.line(columns, state.preview, state.look.clock)
            }
        }
    }

    var emptyText: String {
        if isWorking { return "" }
        let status = state.configuration.status
        let nothing =
            status.problem?.description ?? state.configuration.sentenceOnNamespace ?? "No keys in \(status.source)."
        return keyList.query.map { $0.problem ?? "No matches" } ?? nothing
    }

    var titleSpans: [Line.Span] { [.init(name, .title), .init(" ── "), .init(countText)] }

    /// The number of keys in the list and their order, such as `12 of 10,001 by author`.
    private var countText: String {
        let (count, sorting) = (keyList.keys.count, keyList.order.sorting)
        let order = sorting == .name ? "" : " by \(sorting.word)"
        let end = (keyList.listing?.isComplete == false ? "…" : "")
        guard keyList.query != nil else { return count.grouped(of: "key") + order + end }
        return "\(keyList.rows.count.grouped)\(end) of \(count.grouped)\(order)"
    }
}
