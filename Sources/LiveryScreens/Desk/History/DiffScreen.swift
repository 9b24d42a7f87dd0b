// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import Programs
import RemoteConfig
import TerminalUI

/// The difference between two revisions, key by key. From here a key, or all, can be restored.
struct DiffScreen: DemoPanel {
    enum Command: Hashable, Sendable {
        case open, restoreKey, restoreAll, confirm, cancel, help, back
        case change(Int)
    }

    /// The result so far.
    private enum Found: Equatable {
        case nothing
        case changes(ConfigDiff)
        case problem(String)
    }

    let start: DiffStart
    var size: Size {
        didSet { if size != oldValue { layOut() } }
    }
    var feedback = ""
    private var state: PanelState
    private var found = Found.nothing
    /// The current revision, if it is one of the two.
    private var head: UInt64?
    /// Whether the rollback was requested.
    private var isRestoring = false
    private var cursor = ListCursor()
    private var top = 0
    private var grip = ScrollGrip()
    /// The lines of each change, laid out once.
    private var blocks: [[Line]] = []

    init(_ start: DiffStart, _ state: PanelState, size: Size) {
        (self.start, self.state, self.size) = (start, state, size)
        update(state)
    }

    var name: String { start.isRestored ? "Roll back" : "Compare" }
    var kind: PanelKind { start.isRestored ? .restore(start.to) : .diff(start) }
    var changes: [KeyChange] { if case .changes(let diff) = found { diff.changes } else { [] } }
    private var place: PanelPlace { .side(in: size) }
    private var page: Int { max(place.list.size.rows - 1, 1) }
    private var rollback: OperatorRequest {
        .rollback(to: start.to, expecting: head, message: "Roll back to revision \(start.to)")
    }
}

// Reading.
extension DiffScreen {
    var needs: Set<OperatorRequest> {
        guard case .nothing = found else { return [] }
        return Set([start.from, start.to].filter { $0 != 0 }.map { .contents(revision: $0) })
    }

    mutating func update(_ next: PanelState) {
        state = next
        guard case .nothing = found else { return }
        switch (contents(at: start.from), contents(at: start.to)) {
        case (.failed(let error), _), (_, .failed(let error)): found = .problem(error.description)
        case (.done(let old), .done(let new)):
            var diff = ConfigDiff(from: old.contents, to: new.contents)
            if let key = start.key { diff = ConfigDiff(diff.changes.filter { $0.heldKey == key }) }
            (found, head) = (.changes(diff), old.cursor?.revision)
        default: return
        }
        layOut()
        if let first = start.first, let index = changes.firstIndex(where: { $0.heldKey == first }) { select(index) }
    }

    /// No revision precedes the first one.
    private func contents(at revision: UInt64?) -> DeskReading<SourceContents> {
        revision == 0 ? .done(SourceContents(NamespaceContents())) : state.reads.contents(at: revision)
    }

    mutating func receive(_ answer: OperatorAnswer) -> [DemoIntent] {
        guard isRestoring, answer.request == rollback else { return [] }
        isRestoring = false
        guard case .success(.restored(let receipt)) = answer.result else { return [] }
        let done = PublishedChanges(changes: ConfigDiff(changes), receipt: receipt)
        let news = "Rolled back to revision \(start.to), as \(receipt.name); u undoes it"
        return [.toggle(kind), .remember(done), .explain(news)]
    }

    private mutating func layOut() {
        let text = PageText(columns: place.content.size.columns, preview: state.preview, clock: state.look.clock)
        blocks = changes.map { change in
            let sign = change.old == nil ? "+" : change.new == nil ? "-" : "~"
            let lines = text.change(from: change.old, to: change.new).map { $0.map { _ in Command.open } }
            return [Line([.init("\(sign) \(change.kind.label)\(change.key)", .title)])] + lines
        }
    }
}

// The input.
extension DiffScreen {
    private var selected: KeyChange? { changes.indices.contains(cursor.index) ? changes[cursor.index] : nil }
    /// The earlier of the two revisions.
    private var former: UInt64 { start.from ?? 0 }
    private var isWaiting: Bool { found == .nothing || isRestoring }

    var commands: [ScreenCommand<Command>] {
        let close = state.look.keys.close + [Key(.left)]
        if isWaiting {
            return [
                ScreenCommand(.cancel, [Key(.escape)], hint: "Cancel", help: "Cancel the request"),
                ScreenCommand(.back, close),
            ]
        }
        let back = ScreenCommand(Command.back, close, hint: start.isRestored ? "Cancel" : "Back", help: "Go back")
        if start.isRestored {
            let help = "Roll back to the revision"
            let confirm = ScreenCommand(Command.confirm, [Key(.enter)], hint: "Roll back", help: help)
            return changes.isEmpty ? [back] : [confirm, back]
        }
        let abilities = state.desk.abilities
        return [
            ScreenCommand(.open, [Key(.enter), Key(.right)], hint: "Key", help: "Show the key"),
            ScreenCommand(
                .restoreKey,
                [.character("b")],
                hint: "Restore key",
                help: "Restore the key to revision \(former)",
                isPossible: abilities.allows(.edit)
            ),
            ScreenCommand(
                .restoreAll,
                [.character("B")],
                hint: "Roll back",
                help: "Roll back to revision \(former)",
                isPossible: abilities.allows(.rollback)
            ),
            ScreenCommand(.help, state.look.keys.help, hint: "Help"), back,
        ]
    }

    var notes: [ScreenHelp] {
        [
            ScreenHelp("j, k, g, G, arrows", "Go to another change"), ScreenHelp("PageUp, PageDown, Space", "Scroll"),
            ScreenHelp("+ - ~", "Added; removed; changed"),
        ]
    }

    mutating func perform(_ command: Command) -> ScreenResponse<DemoIntent> {
        switch command {
        case .open: return selected.map { .done([.toggle(.changedKey($0.key))]) } ?? .handled
        case .restoreKey: return restoreKey()
        case .restoreAll:
            if let reason = state.desk.abilities.reason(against: .rollback) { return .done([.explain(reason)]) }
            return .done([.toggle(.restore(former))])
        case .confirm:
            isRestoring = true
            return .done([.request(rollback)])
        case .cancel:
            guard isRestoring else { return .done([.cancelReads]) }
            isRestoring = false
            return .done([.cancel(rollback)])
        case .help: return .done([.toggle(.help)])
        case .back: return .close
        case .change(let index):
            if index == cursor.index, !start.isRestored { return perform(.open) }
            select(index)
        }
        return .handled
    }

    private mutating func restoreKey() -> ScreenResponse<DemoIntent> {
        guard let change = selected else { return .handled }
        if let reason = state.desk.abilities.reason(against: change.kind == .rule ? .rules : .edit) {
            return .done([.explain(reason)])
        }
        guard change.kind != .schema else {
            feedback = "A schema cannot be restored alone; press B to roll back to the revision"
            return .handled
        }
        let current = state.snapshot.held(change.heldKey)?.value
        let restored = KeyChange(key: change.key, kind: change.kind, old: current, new: change.old)
        guard restored.old != restored.new else {
            feedback = "The key is already identical to revision \(former)"
            return .handled
        }
        return .done([.toggle(.review(.restoring([restored], to: former)))])
    }

    mutating func handle(_ key: Key) -> ScreenResponse<DemoIntent> {
        if scroll(by: key) { return .handled }
        var list = cursor
        guard list.handle(key, count: changes.count, page: 1) else { return .ignored }
        select(list.index)
        return .handled
    }

    /// Scrolls by pages; the cursor goes to the first change that begins in sight.
    private mutating func scroll(by key: Key) -> Bool {
        let steps: [Key: Int] = [Key(.pageDown): page, .character(" "): page, Key(.pageUp): -page]
        guard let step = steps[key] else { return false }
        scroll(to: top + step)
        return true
    }

    private mutating func scroll(to row: Int) {
        top = Scrollbar(count: lineCount, page: page, top: row).top
        let starts = blockStarts
        if let index = starts.firstIndex(where: { $0 >= top }), starts[index] < top + page { cursor.index = index }
    }

    private mutating func select(_ index: Int) {
        cursor.index = max(min(index, changes.count - 1), 0)
        guard blocks.indices.contains(cursor.index) else { return }
        let (start, count) = (blockStarts[cursor.index], blocks[cursor.index].count)
        if start < top { top = start }
        // All of the change, or its beginning.
        if start + count > top + page { top = min(start, start + count - page) }
        top = max(top, 0)
        if start < top { top = start }
    }

    private var lineCount: Int { blocks.reduce(0) { $0 + $1.count } }

    private var blockStarts: [Int] {
        var starts: [Int] = []
        var row = 0
        for block in blocks {
            starts.append(row)
            row += block.count
        }
        return starts
    }

    mutating func handle(_ mouse: MouseEvent) -> ScreenResponse<DemoIntent> {
        let panel = panel
        if let top = grip.top(after: mouse, on: panel) {
            scroll(to: top)
            return .handled
        }
        return press(mouse, on: panel)
    }
}

// The view.
extension DiffScreen {
    var panel: Panel<Command> {
        panel(titled: title, lines, in: place, head: [Line([.init(summary, .dimmed)])], top: top)
    }

    private var title: String {
        if start.isRestored { return "Roll back to revision \(start.to)" }
        return former + 1 == start.to ? "Revision \(start.to)" : "\(former) → \(start.to)"
    }

    private var summary: String {
        switch found {
        case .nothing: "Loading…"
        case .problem: ""
        case .changes(let diff):
            isRestoring ? "Rolling back…" : (start.key.map { "\($0): " } ?? "") + diff.summary
        }
    }

    private var lines: [Line] {
        if case .problem(let text) = found {
            let columns = max(place.content.size.columns, 1)
            return text.sanitized().wrapped(toColumns: columns, maximumLines: 6).map { Line([.init($0, .accent)]) }
        }
        return blocks.enumerated().flatMap { index, block in
            block.enumerated().map { row, line in
                var line = line
                line.target = .change(index)
                if row == 0, index == cursor.index { line.spans = line.spans.map { .init($0.text, .selected) } }
                return line
            }
        }
    }
}
