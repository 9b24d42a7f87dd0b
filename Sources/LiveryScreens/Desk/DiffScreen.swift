// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import Programs
import RemoteConfig
import TerminalUI

/// The difference between two revisions, key by key. From here a key, or all, can be restored.
struct DiffScreen: ListPanel {
    enum Own: Hashable, Sendable { case restoreKey, restoreAll, confirm, stage, cancel }

    let start: DiffStart
    var size: Size {
        didSet { if size != oldValue { placeChanged() } }
    }
    var feedback = ""
    var list = ListState()
    private var state: PanelState
    private var found = DeskReading<ConfigDiff>.loading
    /// The numbers of changes, counted once.
    private var counts = ""
    /// The current revision, if it is one of the two.
    private var headRevision: UInt64?
    /// Whether the rollback was requested.
    private var isRestoring = false
    /// The changes that the filter has found, or all, and the lines of each, laid out once.
    private var shown: [KeyChange] = []
    private var lines: [Line] = []
    private var firstLines: [Int] = []

    init(_ start: DiffStart, _ state: PanelState, size: Size) {
        (self.start, self.state, self.size) = (start, state, size)
        update(state)
    }

    var name: String { start.isRestored ? "Roll back" : "Compare" }
    var kind: PanelKind { .diff(start) }
    var keys: UserKeys { state.look.keys }
    var changes: [KeyChange] { found.answer?.changes ?? [] }
    private var rollback: OperatorRequest {
        .rollback(to: start.to, expecting: headRevision, message: "Roll back to revision \(start.to)")
    }
    /// The restore of a name.
    private var proposal: Proposal? {
        guard let name = start.name else { return nil }
        let title = "Restore \(name) to revision \(start.to)"
        var proposal = Proposal(title: title, changes: ConfigDiff(changes), message: title)
        (proposal.action, proposal.expected) = (.restore(start.to), headRevision)
        return proposal
    }
}

// Reading.
extension DiffScreen {
    var needs: Set<OperatorRequest> {
        // An error is kept, and shown, until a retry.
        if found.answer != nil { return [] }
        return Set([start.from, start.to].filter { $0 != 0 }.map { .contents(revision: $0) })
    }

    mutating func update(_ next: PanelState) {
        state = next
        if found.answer != nil { return }
        switch (contents(at: start.from), contents(at: start.to)) {
        case (.failed(let error), _), (_, .failed(let error)): found = .failed(error)
        case (.done(let old), .done(let new)):
            let diff =
                start.name.map { ConfigDiff(restoring: [$0], from: old.contents, to: new.contents) }
                ?? ConfigDiff(from: old.contents, to: new.contents)
            (found, headRevision) = (.done(diff), old.cursor?.revision)
            counts = (start.name.map { "\($0): " } ?? "") + diff.summary
        default: found = .loading
        }
        placeChanged()
        if let index = shown.firstIndex(where: { $0.heldKey == start.first }) { list.select(index, extent) }
    }

    /// No revision precedes the first one.
    private func contents(at revision: UInt64?) -> DeskReading<SourceContents> {
        revision == 0 ? .done(SourceContents(NamespaceContents())) : state.reads.contents(at: revision)
    }

    mutating func receive(_ answer: OperatorAnswer) -> [DemoIntent] {
        guard isRestoring, answer.request == proposal?.request ?? rollback else { return [] }
        isRestoring = false
        if case .success(.published(.conflict)) = answer.result {
            return [.explain("Nothing was written: the key has changed since; restore it again")]
        }
        guard case .success(.restored(let receipt)) = answer.result else { return [] }
        let done = PublishedChanges(changes: ConfigDiff(changes), receipt: receipt)
        let news = "Rolled back to revision \(start.to), as \(receipt.name); u undoes it"
        return [.toggle(kind), .remember(done), .explain(news)]
    }

    mutating func placeChanged() {
        let text = PageText(columns: place.content.size.columns, state)
        let words = list.words
        shown = changes.filter { words.areIn($0.kind.label + $0.key) }
        // The change that the cursor begins on is among those with lines.
        let first = shown.dropFirst(PageText.maximumChanges).firstIndex { $0.heldKey == start.first }
        if let first { shown.insert(shown.remove(at: first), at: 0) }
        let problem = found.problem.map { text.wrapped("✖ \($0)", .error) } ?? []
        (lines, firstLines) = ((text.wrapped(start.note, .dimmed) + problem).map { Line(of: $0) }, [])
        for change in shown.prefix(PageText.maximumChanges) {
            firstLines.append(lines.count)
            lines.append(Line([.init("\(change.sign) \(change.kind.label)\(change.key)", .title)]))
            lines += text.change(of: change).map { Line(of: $0) }
        }
        lines += text.rest(ofChanges: shown.count).map { Line(of: $0) }
    }

    mutating func filterChanged() {
        placeChanged()
        if list.filterText != nil { list.reset() }
    }
}

// The input.
extension DiffScreen {
    private var selected: KeyChange? { shown.indices.contains(list.cursor) ? shown[list.cursor] : nil }
    /// The earlier of the two revisions.
    private var former: UInt64 { start.from ?? 0 }
    private var isWaiting: Bool { found == .loading || isRestoring }
    var backKeys: [Key] { [Key(.left)] }

    var opening: ScreenCommand<Command>? {
        let open = ScreenCommand(Command.open, [Key(.enter), Key(.right)], hint: "Key", help: "Show the key")
        return isWaiting || start.isRestored ? nil : open
    }

    var actions: [ScreenCommand<Command>] {
        if isWaiting { return [isRestoring ? cancelling(.own(.cancel)) : cancelling()] }
        if found.problem != nil { return [refreshing("Read the revisions again")] }
        if start.isRestored {
            let confirm = QuestionScreen.confirmation(
                of: Command.own(.confirm),
                hint: proposal == nil ? "Roll back" : "Restore",
                "Confirm"
            )
            let stage = own(.stage, [UserKeys.stage], "Stage the changes, to publish them with others", hint: "Stage")
            return changes.isEmpty ? [] : [confirm] + (proposal == nil ? [] : [stage])
        }
        let (edits, restores) = (state.desk.abilities.allows(.edit), state.desk.abilities.allows(.rollback))
        let restoreKey = "Restore the key to revision \(former)"
        return [
            own(.restoreKey, [.character("b")], restoreKey, hint: "Restore key", if: edits),
            own(.restoreAll, [.character("B")], "Roll back to revision \(former)", hint: "Roll back", if: restores),
        ]
    }

    var notes: [ScreenHelp] { [ScreenHelp("+ - ~", "Added; removed; changed")] }

    mutating func open(_ entry: Int) -> ScreenResponse<DemoIntent> {
        start.isRestored ? .handled : .done([.toggle(.changedKey(shown[entry].key))])
    }

    mutating func run(_ action: Own) -> ScreenResponse<DemoIntent> {
        switch action {
        case .restoreKey:
            guard let change = selected else { return .handled }
            if let reason = state.desk.abilities.reason(against: .edit) { return .explain(reason) }
            return .done([.toggle(.restore(former, name: change.key))])
        case .restoreAll:
            if let reason = state.desk.abilities.reason(against: .rollback) { return .explain(reason) }
            return .done([.toggle(.restore(former))])
        case .confirm:
            isRestoring = true
            return .done([proposal.map(DemoIntent.publish) ?? .request(rollback)])
        case .stage:
            return .done(proposal.map { [.stage(StagedEdits($0.changes, message: $0.message))] } ?? [])
        case .cancel:
            isRestoring = false
            return .done([.cancel(proposal?.request ?? rollback)])
        }
    }

    // Nothing else is possible before the answer to a question, but for what keys with Ctrl do everywhere.
    mutating func handle(_ key: Key) -> ScreenResponse<DemoIntent> {
        start.isRestored && !key.isChord ? .handled : .ignored
    }
}

// The view.
extension DiffScreen {
    var titleSpans: [Line.Span] { [.init(title, .title)] }
    var head: [Line] { place.list.size.rows < 3 ? [] : [Line([.init(summary, .dimmed)])] }
    var lineCount: Int { lines.count }
    var starts: [Int]? { firstLines }
    var emptyText: String { changes.isEmpty ? "" : "No matches" }

    private var title: String {
        if start.isRestored { return proposal?.title ?? "Roll back to revision \(start.to)" }
        return former + 1 == start.to ? "Revision \(start.to)" : "\(former) → \(start.to)"
    }

    private var summary: String {
        switch found {
        case .loading: "Loading…"
        case .failed: ""
        case .done: isRestoring ? start.name == nil ? "Rolling back…" : "Restoring…" : counts
        }
    }

    func line(_ index: Int) -> Line { selectable(lines[index], atLine: index) }
}
