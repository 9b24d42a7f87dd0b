// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import Programs
import TerminalUI

/// Changes before they are written, those of a proposal or the staged ones: each with its old and new value, the result of the
/// check, and a message for the history.
struct ReviewScreen: ListPanel {
    enum Own: Hashable, Sendable {
        case publish, propose, stage, remove, edit, mark, mine, theirs, message, done, discard, cancel
        /// The field of the message.
        case field(columns: Int)
    }

    /// A change with what the check has found.
    private struct Entry {
        var change: KeyChange
        var conflict: EntryConflict?
        var problems: [String]
        /// Whether it can be folded.
        var isLong = false

        var isOpen: Bool { conflict != nil || !problems.isEmpty }
    }

    let kind: PanelKind
    var size: Size {
        didSet { if size != oldValue { placeChanged() } }
    }
    var feedback = ""
    var list = ListState()
    private let proposal: Proposal
    private var state: PanelState
    /// The changes, which start from other values once conflicts are resolved.
    private var draft: StagedEdits
    private var message: TextField
    private var isTyping = false
    /// The write that has not ended.
    private var sent: OperatorRequest?
    /// The result of the check.
    private var check = DeskReading<ChangeReport>.loading
    /// The entries whose lines are all shown.
    private var unfolded: Set<String> = []
    /// The entries, those with conflicts and violations first, and their lines, laid out once.
    private var entries: [Entry] = []
    private var allLines: [Line] = []
    private var firstLines: [Int] = []

    /// - Parameter proposal: `nil` for the staged changes.
    init(_ proposal: Proposal?, _ state: PanelState, size: Size) {
        let staged = state.desk.staged
        draft = proposal.map { StagedEdits($0.changes, message: $0.message) } ?? staged
        kind = proposal.map(PanelKind.review) ?? .staged
        self.proposal = proposal ?? Proposal(title: "Staged", changes: staged.changes)
        message = TextField(draft.message)
        (self.state, self.size) = (state, size)
        update(state)
        placeChanged()
    }

    var name: String { origin.map { "Draft \($0.id)" } ?? (isStaged ? "Staged" : "Review") }
    /// The draft of the server that the changes are from.
    private var origin: DraftOrigin? { draft.origin }
    private var isPublishing: Bool { sent != nil }
    var keys: UserKeys { state.look.keys }
    private var isStaged: Bool { kind == .staged }
    /// Whether the editor that the change is from is below.
    private var isEdit: Bool { !isStaged && (proposal.action == .publish || proposal.action == .rule) }
    /// A file has no history, which would have the message.
    private var hasMessage: Bool { state.desk.abilities.allows(.history) }
    /// The staged changes keep their message themselves.
    var unsaved: String? { isStaged || message.text == proposal.message ? nil : "the message" }

    mutating func resume(as kind: PanelKind, _ state: PanelState) {
        guard case .review(let proposal) = kind else { return }
        let text = message
        self = ReviewScreen(proposal, state, size: size)
        (message, draft.message) = (text, text.text)
    }
}

// The check and the write.
extension ReviewScreen {
    var needs: Set<OperatorRequest> { draft.chosen.isEmpty ? [] : [.check(draft.chosen)] }

    private var report: ChangeReport? { check.answer }
    /// Whether the changes can be written: the check has accepted them. A draft may have values that violate their schemas.
    var canPublish: Bool { origin == nil ? canPropose && report?.isAccepted == true : canPropose }
    private var canPropose: Bool { !isPublishing && !draft.chosen.isEmpty && report?.conflicts.isEmpty == true }
    private var offersDrafts: Bool { origin == nil && state.desk.abilities.allows(.drafts) }

    private var written: Proposal {
        var written = proposal
        (written.changes, written.message) = (draft.chosen, hasMessage ? message.text : "")
        return written
    }

    private var typedMessage: String? { message.text.isEmpty ? nil : message.text }

    /// The request that makes a draft of the changes.
    private var proposing: OperatorRequest {
        let title = draft.chosen.draftTitle(message: typedMessage)
        return .changeDraft(.propose(draft.chosen, title: title, message: typedMessage))
    }

    mutating func update(_ next: PanelState) {
        state = next
        let former = draft
        if isStaged { draft = next.desk.staged }
        if message.text != draft.message { message = TextField(draft.message) }
        let found = next.reads.report(on: draft.chosen)
        guard found != check || draft != former else { return }
        check = found
        placeChanged()
    }

    mutating func receive(_ answer: OperatorAnswer) -> [DemoIntent] {
        guard answer.request == sent else { return [] }
        sent = nil
        guard case .success(.published(.conflict)) = answer.result else { return [] }
        // The new revision leads to another check.
        return [.refresh, .explain("Nothing was written: the entries have changed since the check")]
    }

    /// Modifies the changes, which are then checked again.
    ///
    /// - Returns: the work that follows from it.
    private mutating func change(_ body: (inout StagedEdits) -> Void) -> [DemoIntent] {
        body(&draft)
        check = .loading
        placeChanged()
        return isStaged ? [.restage(draft)] : draft.isEmpty ? [.discard(kind)] : []
    }
}

// The input.
extension ReviewScreen {
    private var selected: Entry? { entries.indices.contains(list.cursor) ? entries[list.cursor] : nil }
    var backKeys: [Key] { keys.leave }

    var opening: ScreenCommand<Command>? {
        guard selected?.isLong == true else { return nil }
        return ScreenCommand(.open, [Key(.enter)], hint: "Unfold", help: "Show or hide the end of a long change")
    }

    private var publishCommand: ScreenCommand<Command> {
        let (hint, help) =
            origin == nil ? ("Publish", "Publish the changes") : ("Save", "Publish the changes to the draft")
        var command = QuestionScreen.confirmation(of: Command.own(.publish), hint: hint, help)
        command.isPossible = canPublish
        return command
    }

    private var stageCommands: [ScreenCommand<Command>] {
        let help = "Stage the changes, to publish them with others"
        return isStaged ? [] : [own(.stage, [UserKeys.stage], help, hint: "Stage")]
    }

    private var proposeCommands: [ScreenCommand<Command>] {
        let help = "Propose the changes as a draft"
        return offersDrafts ? [own(.propose, [Self.proposeKey], help, hint: "Propose", if: canPropose)] : []
    }

    private static let proposeKey = Key.character("p")

    var confirmations: [Key] { QuestionScreen.confirming + [Self.proposeKey] }

    var fieldCommands: [ScreenCommand<Command>]? {
        guard isTyping else { return nil }
        let keys = [Key(.enter), Key(.escape), Key(.tab)]
        return [publishCommand] + stageCommands + [own(.done, keys, "Return to the changes", hint: "Done")]
    }

    var actions: [ScreenCommand<Command>] {
        if isPublishing { return [cancelling(.own(.cancel))] }
        var actions = draft.isEmpty ? [] : [publishCommand]
        if selected?.conflict != nil {
            actions.append(own(.mine, [.character("m")], "Keep your change of the key", hint: "Mine"))
            actions.append(own(.theirs, [.character("t")], "Take the current value", hint: "Theirs"))
        }
        if case .failed = check { actions.append(refreshing("Refresh the check")) }
        if draft.isEmpty { return actions }
        if hasMessage { actions.append(own(.message, [Key(.tab)], "Edit the message", hint: "Message")) }
        actions += stageCommands + proposeCommands
        if isStaged || isEdit { actions.append(own(.edit, [.character("e")], "Edit the change", hint: "Edit")) }
        actions.append(own(.remove, [.character("x"), Key(.delete)], "Remove the change from the list"))
        if isStaged, origin == nil {
            actions.append(own(.mark, [.character(" ")], "Mark some to publish", hint: "Mark"))
        }
        return actions + [own(.discard, [UserKeys.discard], "Discard the changes")]
    }

    var notes: [ScreenHelp] { [ScreenHelp("+ - ~", "Added; removed; changed")] }

    mutating func open(_ entry: Int) -> ScreenResponse<DemoIntent> {
        if entries[entry].isLong {
            unfolded.formSymmetricDifference([entries[entry].change.heldKey])
            placeChanged()
        }
        return .handled
    }

    mutating func run(_ action: Own) -> ScreenResponse<DemoIntent> {
        switch action {
        case .publish:
            guard canPublish else { return .explain("Not published: the check has not accepted the changes") }
            isTyping = false
            if let origin {
                let request = OperatorRequest.changeDraft(.save(draft.changes, message: typedMessage, to: origin))
                sent = request
                return .done([.request(request)])
            }
            sent = written.request
            return .done([.publish(written)])
        case .propose:
            guard canPropose else { return .explain("Not proposed: the check has not ended, or found conflicts") }
            sent = proposing
            return .done([.request(proposing)])
        case .stage: return .done([.stage(draft)])
        case .message:
            isTyping = !isPublishing
            if message.text == proposal.message { message.select() }
        case .done: isTyping = false
        case .discard:
            let text =
                origin.map { "Discard the edits of draft \($0.id)? The server keeps the draft." }
                ?? "Discard the \(draft.count.grouped(of: "staged change"))?"
            let question = DemoIntent.ask(text, then: .restage(StagedEdits()), .discard(.staged))
            return isStaged ? .done([question]) : discard()
        case .cancel: return .done([.toggle(kind)] + (sent.map { [.cancel($0)] } ?? []))
        case .field: break
        case .remove, .edit, .mark, .mine, .theirs:
            guard let selected else { return .handled }
            return .done(run(action, on: selected))
        }
        return .handled
    }

    private mutating func run(_ action: Own, on entry: Entry) -> [DemoIntent] {
        let (key, heldKey) = (entry.change.key, entry.change.heldKey)
        let editor = entry.change.kind == .rule ? PanelKind.rollout(key) : .edit(EditStart(key: key))
        switch action {
        case .mark: return change { $0.toggleMark(heldKey) }
        case .mine: return keep(entry)
        case .theirs:
            let closing: [DemoIntent] = isEdit ? [.discard(editor)] : []
            return change { $0.drop([heldKey]) } + closing + [.explain("\(key) keeps the current value")]
        case .remove:
            var rest = draft
            rest.drop([heldKey])
            guard isStaged else {
                if rest.isEmpty, let unsaved { return [.discarding([kind], unsaved)] }
                return change { $0.drop([heldKey]) }
            }
            return [.ask("Remove the staged change of \(key)?", then: .restage(rest))]
        default:
            guard entry.change.kind != .schema else {
                return [.explain("Schemas cannot be edited here; use `livery schema set`")]
            }
            let intents = keep(entry)
            if draft.isEmpty { return intents }
            if isStaged { return intents + [.toggle(editor)] }
            return intents + [.toggle(kind)]
        }
    }

    /// Keeps a change here and in drafts, from the value that its entry has now.
    private mutating func keep(_ entry: Entry) -> [DemoIntent] {
        guard let conflict = entry.conflict else { return [] }
        return change { $0.rebase(conflict) } + [.rebase(conflict.rebased)]
    }

    mutating func handle(_ key: Key) -> ScreenResponse<DemoIntent> {
        if isTyping, message.handle(key) { return messageChanged() }
        // Nothing else is possible here, but for what keys with Ctrl do everywhere.
        return key.isChord ? .ignored : .handled
    }

    mutating func handle(pasted text: String) -> ScreenResponse<DemoIntent> {
        guard isTyping else { return .handled }
        message.insert(text.withoutLineBreakAtEnd)
        return messageChanged()
    }

    private mutating func messageChanged() -> ScreenResponse<DemoIntent> {
        draft.message = message.text
        return isStaged ? .done([.restage(draft)]) : .handled
    }

    mutating func handle(_ mouse: MouseEvent) -> ScreenResponse<DemoIntent> {
        guard mouse.action == .press(button: 0), !isPublishing,
            case .target(.own(.field(let columns)), let offset) = panel.part(at: mouse.point)
        else { return .ignored }
        isTyping = true
        message.click(column: offset, columns: columns)
        return .handled
    }
}

// The view.
extension ReviewScreen {
    private static let rowsForHead = 4
    private static let rowsForAll = 10
    /// The lines of a folded entry.
    private static let foldedLines = 8
    /// With more changes, a summary comes first, and each change is one line until it is unfolded.
    private static let mostSingleChanges = 3
    private static let termColumns = 8
    private static let columnsForThree = 100
    private static let gap = 2

    /// A conflict takes the whole width.
    var normalPlace: PanelPlace { report?.conflicts.isEmpty == false ? .whole(in: size) : .list(in: size) }
    private var columns: Int { max(place.content.size.columns, 1) }

    var titleSpans: [Line.Span] {
        let count = draft.count.grouped(of: "change")
        let chosen = draft.marks.map { "\($0.count.grouped) of \(count)" } ?? count
        return [.init(isStaged ? "\(name): \(chosen)" : proposal.title, .title)]
    }

    var lineCount: Int { allLines.count }
    var starts: [Int]? { firstLines }
    var emptyText: String { draft.isEmpty ? "No staged changes." : "No matches" }

    var head: [Line] {
        let room = place.list.size.rows
        guard room >= Self.rowsForHead, !draft.isEmpty else { return [] }
        let rows = room < Self.rowsForAll ? 1 : 3
        return Array(statusLines.prefix(rows)) + (hasMessage ? [messageLine] : [])
    }

    func line(_ index: Int) -> Line { selectable(allLines[index], atLine: index) }

    mutating func filterChanged() {
        if list.filterText != nil { list.reset() }
        placeChanged()
    }

    mutating func placeChanged() {
        let conflicts = Dictionary((report?.conflicts ?? []).map { ($0.change.heldKey, $0) }) { $1 }
        let problems = Dictionary(grouping: report?.violations ?? [], by: \.heldKey)
        let all = draft.changes.changes.map { change in
            let words = (problems[change.heldKey] ?? []).map(\.words)
            return Entry(change: change, conflict: conflicts[change.heldKey], problems: words)
        }
        let words = list.words
        let found = all.filter { words.areIn($0.change.kind.label + $0.change.key) }
        entries = found.filter(\.isOpen) + found.filter { !$0.isOpen }
        let changed = Set(all.map(\.change.heldKey))
        let others = (report?.violations ?? []).filter { !changed.contains($0.heldKey) }
        (allLines, firstLines) = (firstPart + others.flatMap { sentence("✖ \($0.words)", .error) }, [])
        let isCompact = draft.count > Self.mostSingleChanges
        for index in entries.indices.prefix(PageText.maximumChanges) {
            let entry = entries[index]
            let isRow = isCompact && !entry.isOpen
            entries[index].isLong = isRow
            firstLines.append(allLines.count)
            if isRow, !unfolded.contains(entry.change.heldKey) {
                allLines.append(row(of: entry))
                continue
            }
            let body = body(of: entry)
            entries[index].isLong = isRow || body.count > Self.foldedLines
            allLines.append(titleLine(of: entry))
            allLines += shownPart(of: body, entries[index])
        }
        allLines += PageText(columns: columns, state).rest(ofChanges: entries.count).map { Line(of: $0) }
        list.clamp(extent)
    }

    /// The lines before the changes.
    private var firstPart: [Line] {
        var lines = (proposal.notes + (isStaged ? draft.changes.typeChanges : [])).flatMap { sentence($0, .accent) }
        lines += (report?.ruledKeys ?? []).flatMap { key in
            sentence("◇ \(key) has a rule: users that it selects get its variants, not the new value", .accent)
        }
        if !isStaged { lines += replacedLines }
        // The notes of an import begin with its summary.
        let isLong = draft.count > Self.mostSingleChanges && proposal.action != .importFile
        return lines + (isLong ? sentence(draft.changes.summary, .dimmed) : [])
    }

    /// The staged changes that these replace.
    private var replacedLines: [Line] {
        let staged = Set(state.desk.staged.changes.changes.map(\.heldKey))
        let replaced = draft.changes.changes.filter { staged.contains($0.heldKey) }
        if replaced.count > Self.mostSingleChanges {
            return sentence("± \(replaced.count.grouped(of: "change")) are staged; this replaces them", .accent)
        }
        return replaced.flatMap { sentence("± \($0.kind.label)\($0.key) is staged; this replaces it", .accent) }
    }

    private var statusLines: [Line] {
        if isPublishing { return sentence("Publishing…", .dimmed) }
        if draft.chosen.isEmpty { return sentence("No change is marked; Space marks one", .accent) }
        switch check {
        case .loading: return sentence("Checking…", .dimmed)
        case .failed(let error): return sentence("✖ \(error.description)", .error)
        case .done(let report):
            if !report.conflicts.isEmpty { return sentence("m keeps yours, t takes theirs, e edits", .accent) }
            let errors = report.violations.count
            if errors > 0 { return sentence("✖ \(errors.grouped(of: "error"))", .error) }
            let verb = origin == nil ? "publishes" : "saves"
            return sentence("✔ Valid; \(QuestionScreen.confirming[isTyping ? 1 : 0]) \(verb)")
        }
    }

    private var messageLine: Line {
        let term = "Message "
        let room = max(columns - term.count, 1)
        let spans = message.spans(columns: room, hasFocus: isTyping, target: Command.own(.field(columns: room)))
        return Line([.init(term, .dimmed, target: .own(.message))] + spans, isFocused: isTyping)
    }

    private func sentence(_ text: String, _ tone: Tone = .plain) -> [Line] {
        text.sanitized().wrapped(toColumns: columns, maximumLines: 8).map { Line([.init($0, tone)]) }
    }
}

// The lines of a change.
extension ReviewScreen {
    private func titleLine(of entry: Entry) -> Line {
        let end = entry.conflict == nil ? "" : " was changed by another operator"
        return Line([mark(of: entry), .init(entry.change.kind.label + entry.change.key, .title), .init(end, .accent)])
    }

    private func row(of entry: Entry) -> Line {
        let change = ShownChange(entry.change, hasColors: state.look.hasColors).row(state.look.repertoire)
        return Line([mark(of: entry)] + change.map { .init($0.text, $0.tone) })
    }

    private func mark(of entry: Entry) -> Line.Span {
        .init(draft.marks.map { $0.contains(entry.change.heldKey) ? "[x] " : "[ ] " } ?? "")
    }

    /// The lines of a change, or the first ones of a folded one.
    private func shownPart(of body: [Line], _ entry: Entry) -> [Line] {
        if !entry.isLong || unfolded.contains(entry.change.heldKey) { return body }
        let rest = (body.count - Self.foldedLines).grouped(of: "more line")
        return body.prefix(Self.foldedLines) + [Line([.init("  … \(rest); Enter shows all", .dimmed)])]
    }

    private func body(of entry: Entry) -> [Line] {
        let problems = entry.problems.flatMap { sentence("✖ \($0)", .error) }
        if let conflict = entry.conflict { return conflictLines(conflict) + problems }
        return PageText(columns: columns, state).change(of: entry.change).map { Line(of: $0) } + problems
    }

    /// The value at the start, the current one and the new one: side by side, or below each other.
    private func conflictLines(_ conflict: EntryConflict) -> [Line] {
        let change = conflict.change
        let parts = [("base", change.old), ("theirs", conflict.theirs), ("mine", change.new)]
        let isWide = columns >= Self.columnsForThree
        return recordLines(conflict) + (isWide ? columnLines(parts) : parts.flatMap { valueLines($0, $1) })
    }

    private func recordLines(_ conflict: EntryConflict) -> [Line] {
        guard let record = conflict.record else { return [] }
        let by = record.author.map { " by \($0)" } ?? ""
        let time = state.look.clock.dateAndClock(record.updatedAt)
        let words = record.message.map { ": \($0)" } ?? ""
        return sentence("revision \(record.revision)\(by), \(time)\(words)", .dimmed)
    }

    private func columnLines(_ parts: [(String, EntryValue?)]) -> [Line] {
        let width = (columns - 2 * Self.gap) / 3
        let cells = parts.map { term, value in [[Line.Span(term, .dimmed)]] + rows(value, columns: width) }
        return (0..<(cells.map(\.count).max() ?? 0)).map { row in
            let spans = cells.map { cell in (row < cell.count ? cell[row] : []).fitted(columns: width) }
            return Line(Array(spans.joined(separator: [Line.Span(String(repeating: " ", count: Self.gap))])))
        }
    }

    private func valueLines(_ term: String, _ value: EntryValue?) -> [Line] {
        let indent = Self.termColumns + 2
        return rows(value, columns: columns - indent).enumerated().map { index, spans in
            let head = (index == 0 ? "  " + term : "").padded(toColumns: indent)
            return Line([.init(head, .dimmed)] + spans)
        }
    }

    /// A value as rows of JSON.
    private func rows(_ value: EntryValue?, columns: Int) -> [[Line.Span]] {
        guard let value else { return [[.init("none", .dimmed)]] }
        return PageText(columns: columns, state).json(value).map { Line(of: $0).spans }
    }
}

extension ViolationMessage {
    /// The key by which the entry with the error is held.
    fileprivate var heldKey: String {
        key ?? rule.map { EntryKind.rule.key(of: $0) } ?? EntryKind.schema.key(of: schema ?? "")
    }
}
