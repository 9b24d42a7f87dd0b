// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import RemoteConfig
import TerminalUI

/// The differences between the source on the screen and another one, key by key. A key of the other one can be staged here.
struct CompareScreen: ListPanel {
    enum Own: Hashable, Sendable { case copy }

    let name = "Compare"
    /// The other source, as on the command line.
    let source: String
    var size: Size {
        didSet { if size != oldValue { placeChanged() } }
    }
    var feedback = ""
    var list = ListState()
    private var state: PanelState
    /// The contents of the other source, once they are read.
    private var there: NamespaceContents?
    private var differing: [ComparedKey] = []
    private var summary = ""
    /// The keys that the filter has found, or all.
    private var shown: [ComparedKey] = []
    private var keyColumns = 0
    /// The key that is shown in full, and its lines.
    private var opened: String?
    private var details: [Line] = []
    private var firstLines: [Int]?

    /// With fewer columns, values are below each other.
    private static let minimumTableColumns = 60
    private static let gap = Line.Span("  ")

    init(_ source: String, _ state: PanelState, size: Size) {
        (self.source, self.state, self.size) = (source, state, size)
        list.isZoomed = true
        update(state)
    }

    var kind: PanelKind { .compare(source) }
    var keys: UserKeys { state.look.keys }
    private var selected: ComparedKey? { shown.indices.contains(list.cursor) ? shown[list.cursor] : nil }
}

// Reading.
extension CompareScreen {
    private var request: OperatorRequest { .contentsOf(source: source) }
    private var isLoading: Bool { state.reads.isRunning(request) }
    var openingIntents: [DemoIntent] { [.request(.abilities)] }
    var needs: Set<OperatorRequest> { [request] }

    mutating func update(_ next: PanelState) {
        let contents = next.reads.contents(ofSource: source).answer?.contents
        let isSame = contents == there && next.snapshot.revision == state.snapshot.revision
        state = next
        if isSame { return }
        (there, differing) = (contents, contents.map { ComparedKey.all(of: next.snapshot, and: $0) } ?? [])
        summary = ComparedKey.summary(of: differing)
        find(keeping: selected?.key)
    }

    private mutating func find(keeping key: String?) {
        let words = list.words
        shown = differing.filter { words.areIn($0.key) }
        placeChanged()
        if let index = shown.firstIndex(where: { $0.key == key }) {
            list.select(index, extent)
        } else {
            list.clamp(extent)
        }
    }

    mutating func filterChanged() {
        let former = list.filter == nil ? selected?.key : nil
        if list.filter != nil { list.reset() }
        find(keeping: former)
    }

    mutating func placeChanged() {
        let columns = place.content.size.columns
        keyColumns = min(shown.lazy.map(\.key.columnWidth).max() ?? 0, columns / 3)
        let index = shown.firstIndex { $0.key == opened }
        details = index.map { shown[$0].changeLines(PageText(columns: columns, state)) } ?? []
        let (rows, more) = (rowsOfKey, details.count)
        guard rows > 1 || more > 0 else { return firstLines = nil }
        firstLines = shown.indices.map { $0 * rows + ($0 > (index ?? shown.count) ? more : 0) }
    }
}

// The input.
extension CompareScreen {
    var backKeys: [Key] { [Key(.left)] }

    var opening: ScreenCommand<Command>? {
        let open = ScreenCommand(Command.open, [Key(.enter)], hint: "Show", help: "Show both values in full")
        return shown.isEmpty ? nil : open
    }

    var actions: [ScreenCommand<Command>] {
        var commands = isLoading ? [cancelling()] : []
        if !shown.isEmpty {
            let (keys, edits) = ([Key.character("<"), .character("c")], state.desk.abilities.allows(.edit))
            let help = "Copy the key of the other source into the staged changes"
            commands.append(own(.copy, keys, help, hint: "Copy", if: edits))
        }
        // A key with a rule alone has no value to edit.
        let key = selected.flatMap { $0.here == nil && $0.there == nil ? nil : $0.key }
        return commands + KeyCommands.all(of: key, in: state, Command.request)
    }

    var notes: [ScreenHelp] {
        [ScreenHelp("+ - ~", "Only there; only here; different"), ScreenHelp("◇ ±", "The rule differs; staged")]
    }

    /// Shows a key in full, or in its row again.
    mutating func open(_ entry: Int) -> ScreenResponse<DemoIntent> {
        opened = opened == shown[entry].key ? nil : shown[entry].key
        placeChanged()
        list.select(entry, extent)
        return .handled
    }

    mutating func run(_ action: Own) -> ScreenResponse<DemoIntent> {
        guard let changes = selected?.changes else { return .handled }
        let abilities = state.desk.abilities
        let reason = changes.rules.isEmpty ? nil : abilities.reason(against: .rules)
        if let reason = abilities.reason(against: .edit) ?? reason { return .explain(reason) }
        return .done([.stage(StagedEdits(changes))])
    }
}

// The view.
extension CompareScreen {
    private var isTable: Bool { place.frame.size.columns >= Self.minimumTableColumns }
    private var rowsOfKey: Int { isTable ? 1 : 3 }
    /// The room of a value.
    private var valueColumns: Int {
        let columns = place.content.size.columns
        return isTable ? max((columns - keyColumns - 7) / 2, 1) : max(columns - 10, 1)
    }

    var lineCount: Int { shown.count * rowsOfKey + details.count }
    var starts: [Int]? { firstLines }

    var emptyText: String {
        switch state.reads.contents(ofSource: source) {
        case .loading: ""
        case .failed(let error): error.description
        case .done: differing.isEmpty ? "No differences" : "No matches"
        }
    }

    var head: [Line] {
        let rows = place.list.size.rows
        let counts = Line([.init(isLoading ? "Loading…" : summary, .dimmed)])
        let columns = isTable ? valueColumns : place.content.size.columns / 2 - 1
        let margin = Line.Span(String(repeating: " ", count: isTable ? keyColumns + 5 : 0))
        let terms = ["here: ", "there: "]
        let names = [state.configuration.status.source, source].map { $0.sanitized() }
        let parts = KeyElision(names, columns: columns - terms[1].count).parts
        let cells = [0, 1].map { index -> [Line.Span] in
            [.init(terms[index], .dimmed)] + [Line.Span(names[index], .dimmed)].kept(parts[index])
        }.map { $0.fitted(columns: columns) }
        let headings = Line([margin] + cells[0] + [Self.gap] + cells[1])
        return rows < 3 ? [] : rows < 6 ? [counts] : [counts, headings]
    }

    func line(_ index: Int) -> Line { lines()(index) }

    func lines() -> (Int) -> Line {
        let (extent, starts, rows) = (extent, firstLines, rowsOfKey)
        let sight = list.scrollbar(extent)
        let first = extent.entry(ofLine: sight.top) ?? 0
        let last = extent.entry(ofLine: min(sight.top + sight.page, sight.count) - 1) ?? 0
        let visible = (first..<last + 1).clamped(to: shown.indices)
        let columns = isTable ? keyColumns : place.content.size.columns - 3
        let parts = KeyElision(shown[visible].map(\.key), columns: columns).parts
        let staged = Set(state.desk.staged.changes.changes.map(\.heldKey))
        return { index in
            let entry = extent.entry(ofLine: index) ?? 0
            let row = starts.map { index - $0[entry] } ?? 0
            guard row < rows else { return details[row - rows] }
            let key = shown[entry]
            let isStaged = staged.contains(key.key) || staged.contains(EntryKind.rule.key(of: key.key))
            let sign: [Line.Span] = [.init(key.sign), isStaged ? .init("±", .accent) : .init(" ")]
            let name = sign + [Line.Span(key.key)].kept(parts[entry - visible.lowerBound])
            return line(row, of: key, named: name, at: entry)
        }
    }

    /// A row of a key: all of it in a table, else its name, the value here and the value there.
    private func line(_ row: Int, of key: ComparedKey, named name: [Line.Span], at entry: Int) -> Line {
        let rule: [Line.Span] = key.rule == nil ? [] : [.init("◇ rule differs  ", .accent)]
        let (here, there) = (valueSpans(key.here), rule + valueSpans(key.there))
        switch row {
        case 1, 2: return Line([.init(row == 1 ? "   here   " : "   there  ", .dimmed)] + (row == 1 ? here : there))
        default:
            guard isTable else { return selectable(name, at: entry) }
            let cells = name.fitted(columns: keyColumns + 2) + [Self.gap] + here.fitted(columns: valueColumns)
            return selectable(cells + [Self.gap] + there.fitted(columns: valueColumns), at: entry)
        }
    }

    private func valueSpans(_ value: EntryValue?) -> [Line.Span] {
        value.map { state.preview.spans(of: $0, columns: valueColumns) } ?? [.init("none", .dimmed)]
    }
}
