// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import RemoteConfig
import TerminalUI

/// A field for the name of a key that is added, renamed or copied.
struct NameScreen: DemoPanel {
    enum Command: Hashable, Sendable {
        case accept, back
        case field(columns: Int)
    }

    let name: String
    let purpose: NamePurpose
    var size: Size
    var feedback = ""
    private var state: PanelState
    private var field: TextField
    /// The request for the entries of the key that is renamed or copied.
    private var request: OperatorRequest?

    init(_ purpose: NamePurpose, _ state: PanelState, size: Size) {
        (self.purpose, self.state, self.size) = (purpose, state, size)
        switch purpose {
        case .add(let prefix): (name, field) = ("New key", TextField(prefix))
        case .rename(let key): (name, field) = ("Rename key", TextField(key))
        case .copy(let key): (name, field) = ("Duplicate key", TextField(key))
        }
    }

    var kind: PanelKind { .name(purpose) }
    var isSidePanel: Bool { false }
    var takesText: Bool { request == nil }

    mutating func update(_ state: PanelState) { self.state = state }

    /// The error in the name; `nil` if it is valid.
    private var problem: String? {
        let text = field.text
        if text.contains(where: \.isNewline) { return Prompt.problemOfLines }
        if let problem = KeyRule.problem(in: text) { return "the key \(problem)" }
        if state.snapshot.entries[text] != nil { return "the key exists; choose another name, or edit it with e" }
        return nil
    }

    var commands: [ScreenCommand<Command>] {
        [
            ScreenCommand(.accept, request == nil ? [Key(.enter)] : [], hint: "OK", help: "Continue with this name"),
            ScreenCommand(.back, [Key(.escape)], hint: "Cancel", help: "Cancel"),
        ]
    }

    mutating func perform(_ command: Command) -> ScreenResponse<DemoIntent> {
        switch command {
        case .accept:
            if let problem {
                feedback = problem
                return .handled
            }
            let request: OperatorRequest
            switch purpose {
            case .add: return .done([.toggle(kind), .toggle(.edit(EditStart(key: field.text)))])
            case .rename(let key), .copy(let key): request = .details(key: key)
            }
            self.request = request
            return .done([.request(request)])
        case .back:
            return .done((request.map { [.cancel($0)] } ?? []) + [.toggle(kind)])
        case .field: return .handled
        }
    }

    mutating func receive(_ answer: OperatorAnswer) -> [DemoIntent] {
        guard answer.request == request else { return [] }
        request = nil
        switch answer.result {
        case .success(.details(let details)):
            return [.toggle(kind), .toggle(.review(proposal(details)))]
        case .success: return []
        case .failure(let error):
            feedback = error.description
            return []
        }
    }

    /// The new key with the value and the rule of the other one, which a rename removes.
    private func proposal(_ details: KeyDetails) -> Proposal {
        let entries: [(EntryKind, EntryValue?)] = [(.value, details.value), (.rule, details.rule)]
        var changes = entries.map { KeyChange(key: field.text, kind: $0, old: nil, new: $1) }
        var action = Proposal.Action.duplicate(details.key)
        if case .rename(let key) = purpose {
            changes += entries.map { KeyChange(key: key, kind: $0, old: $1, new: nil) }
            action = .rename(key)
        }
        return Proposal(title: name, changes: ConfigDiff(changes), action: action)
    }

    mutating func handle(_ key: Key) -> ScreenResponse<DemoIntent> {
        if takesText, field.handle(key) { return .handled }
        return key.isChord ? .ignored : .handled
    }

    mutating func handle(_ mouse: MouseEvent) -> ScreenResponse<DemoIntent> {
        guard mouse.action == .press(button: 0) else { return .handled }
        guard case .target(let target, let offset) = panel.part(at: mouse.point) else { return .handled }
        if case .field(let columns) = target { field.click(column: offset, columns: columns) }
        return perform(target)
    }

    mutating func handle(pasted text: String) -> ScreenResponse<DemoIntent> {
        // Keys contain no white space, and a selection with the mouse often ends with some.
        if takesText { field.insert(text.withoutLineBreakAtEnd.filter { !$0.isWhitespace || $0.isNewline }) }
        return .handled
    }

    private static let minimumColumns = 60

    var panel: Panel<Command> {
        let wanted = max(field.text.columnWidth + 1, Self.minimumColumns)
        let columns = min(PanelPlace.maximumColumns(in: size), wanted)
        let spans = field.spans(columns: columns, hasFocus: true, target: Command.field(columns: columns))
        let note = request != nil ? "Reading…" : feedback
        let notes = note.sanitized().wrapped(toColumns: columns, maximumLines: 3)
        let lines = [Line(spans, isFocused: true)] + notes.map { Line([.init($0, .accent)]) }
        let place = PanelPlace.centered(columns: columns, rows: max(lines.count, 2), in: size)
        return Panel(place, title: [.init(name, .title)], hints: commands, count: lines.count, top: 0) { lines[$0] }
    }
}
