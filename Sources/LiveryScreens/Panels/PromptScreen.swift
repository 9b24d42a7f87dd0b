// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import Files
import RemoteConfig
import TerminalUI

/// A line of text to type before something is done, with choices that can be taken over.
struct PromptScreen: DemoPanel {
    enum Command: Hashable, Sendable {
        case accept, complete, next, previous, cancel, help
        case choice(Int)
        case field(columns: Int)
    }

    let prompt: Prompt
    private let form: PromptForm
    var size: Size
    var feedback = ""
    private var state: PanelState
    private var field: TextField
    /// The choices, or the paths with which the text can go on.
    private var offered: PathCompletion
    /// The choice that is in the field; `nil` while it has something else.
    private var chosen: Int?
    /// The request that the text has led to, while it runs.
    private var request: OperatorRequest?

    init(_ prompt: Prompt, _ state: PanelState, size: Size) {
        let form = prompt.form
        (self.prompt, self.form, self.state, self.size) = (prompt, form, state, size)
        (field, offered) = (form.field, PathCompletion(paths: form.choices))
    }

    var name: String { form.title }
    var kind: PanelKind { .prompt(prompt) }
    var isSidePanel: Bool { false }
    var takesText: Bool { request == nil }

    /// The request for the paths with which the text can go on; `nil` if it is not a path.
    private var completion: OperatorRequest? { prompt == .importFile ? .completion(of: field.text) : nil }

    /// An import is also opened from the main screen, before the inspector requests the rights.
    var openingIntents: [DemoIntent] { completion.map { [.request(.abilities), .request($0)] } ?? [] }

    mutating func update(_ state: PanelState) { self.state = state }
}

// The commands.
extension PromptScreen {
    var commands: [ScreenCommand<Command>] {
        let cancel = ScreenCommand(Command.cancel, [Key(.escape)], hint: "Cancel", help: "Cancel")
        guard takesText else { return [cancel] }
        let accept = ScreenCommand(Command.accept, [Key(.enter)], hint: form.verb, help: form.effect ?? form.verb)
        return [accept] + choosing + [state.look.keys.helpCommand(Command.help, isTyping: true), cancel]
    }

    private var choosing: [ScreenCommand<Command>] {
        if prompt == .importFile {
            return [
                ScreenCommand(.complete, [Key(.tab)], hint: "Complete", help: "Complete the path"),
                ScreenCommand(.next, [Key(.down)], help: "Select the next path"),
                ScreenCommand(.previous, [Key(.up)], help: "Select the previous path"),
            ]
        }
        if offered.count == 0 { return [] }
        return [
            ScreenCommand(.next, [Key(.down), Key(.tab)], hint: "Choose", help: "Select the next suggestion"),
            ScreenCommand(.previous, [Key(.up), Key(.tab, .shift)], help: "Select the previous suggestion"),
        ]
    }

    mutating func perform(_ command: Command) -> ScreenResponse<DemoIntent> {
        switch command {
        case .accept: return .done(accept())
        case .complete: return .done(completion.map { [.request($0)] } ?? [])
        case .next: choose(chosen.map { $0 + 1 } ?? 0)
        case .previous: choose(chosen.map { $0 - 1 } ?? -1)
        case .choice(let index): choose(index)
        case .field: break
        case .help: return .done([.toggle(.help)])
        case .cancel: return .done([completion, request].compactMap(\.self).map(DemoIntent.cancel) + [.toggle(kind)])
        }
        return .handled
    }

    private mutating func choose(_ index: Int) {
        let count = offered.names.count
        guard takesText, count > 0 else { return }
        let index = (index + count) % count
        (chosen, field) = (index, TextField(offered.folder + offered.names[index]))
    }

    private mutating func accept() -> [DemoIntent] {
        if let problem { return [.explain(problem)] }
        switch prompt {
        case .save(let saved): return [.toggle(kind), .save(SaveRequest(path: field.text, text: saved.text))]
        // Closes the prompt if the text is accepted.
        case .context, .variant, .attribute: return [.answer(prompt, field.text)]
        case .name(.add, _): return [.toggle(kind), .toggle(.edit(EditStart(key: field.text)))]
        case .name(.rename, let key), .name(.copy, let key): request = .details(key: key)
        case .importFile: request = .importing(path: field.text)
        case .draft(let step):
            let change = DemoIntent.request(.changeDraft(step.change(field.text)))
            return [.toggle(kind), .ask(step.question(field.text), then: change)]
        }
        return request.map { [.request($0)] } ?? []
    }

    /// The error in the text, as far as it can be known here.
    private var problem: String? {
        let text = field.text
        if text.contains(where: \.isNewline) { return "expected one line; remove each ↵" }
        switch prompt {
        case .save: return text.isEmpty ? "expected the path of a file" : nil
        case .importFile: return text.isEmpty ? "type the path of a document" : nil
        case .name:
            if let problem = KeyRule.problem(in: text) { return "the key \(problem)" }
            if state.snapshot.entries[text] == nil { return nil }
            return "the key exists; choose another name, or edit it with e"
        case .context, .variant, .attribute, .draft: return nil
        }
    }
}

// The answers.
extension PromptScreen {
    mutating func receive(_ answer: OperatorAnswer) -> [DemoIntent] {
        if prompt == .importFile, case .success(.abilities(let abilities)) = answer.result,
            let reason = abilities.reason(against: .edit)
        {
            return [.toggle(kind), .explain(reason)]
        }
        guard answer.request == request || answer.request == completion else { return [] }
        if answer.request == request { request = nil }
        switch answer.result {
        case .success(.completed(let found)) where takesText:
            (offered, chosen) = (found, nil)
            if found.count == 0, !field.text.isEmpty { feedback = "no file begins with this path" }
            field = TextField(found.path)
        case .success(.details(let details)): return [.toggle(kind), .toggle(.review(proposal(details)))]
        case .success(.imported(let document)): return review(document)
        case .success: break
        case .failure(let error): feedback = error.description
        }
        return []
    }

    /// The new key with the value and the rule of the other one, which a rename removes.
    private func proposal(_ details: KeyDetails) -> Proposal {
        let entries: [(EntryKind, EntryValue?)] = [(.value, details.value), (.rule, details.rule)]
        var changes = entries.map { KeyChange(key: field.text, kind: $0, old: nil, new: $1) }
        var action = Proposal.Action.duplicate(details.key)
        if case .name(.rename, let key) = prompt {
            changes += entries.map { KeyChange(key: key, kind: $0, old: $1, new: nil) }
            action = .rename(key)
        }
        return Proposal(title: name, changes: ConfigDiff(changes), action: action)
    }

    private mutating func review(_ document: DocumentImport) -> [DemoIntent] {
        let (changes, notes) = (document.changes, document.summary)
        guard !changes.isEmpty else {
            feedback = "No changes: " + notes.joined(separator: "; ")
            return []
        }
        let title = "Import \(field.text.fileNameOfPath)"
        var proposal = Proposal(title: title, changes: changes, message: title, action: .importFile)
        proposal.notes = notes + changes.typeChanges
        return [.toggle(.review(proposal))]
    }
}

// The input.
extension PromptScreen {
    mutating func handle(_ key: Key) -> ScreenResponse<DemoIntent> {
        let former = field.text
        // Nothing else is possible before the answer, but for what keys with Ctrl do everywhere.
        guard takesText, field.handle(key) else { return key.isChord ? .ignored : .handled }
        return field.text == former ? .handled : textChanged()
    }

    mutating func handle(pasted text: String) -> ScreenResponse<DemoIntent> {
        guard takesText else { return .handled }
        var text = text.withoutLineBreakAtEnd
        // Keys contain no white space, and a selection with the mouse often ends with some.
        if case .name = prompt { text.removeAll { $0.isWhitespace && !$0.isNewline } }
        field.insert(text)
        return textChanged()
    }

    /// Drops the paths that were offered for another text.
    private mutating func textChanged() -> ScreenResponse<DemoIntent> {
        chosen = nil
        guard let completion else { return .handled }
        offered = PathCompletion(paths: [])
        return field.text.isEmpty ? .done([.request(completion)]) : .handled
    }

    mutating func handle(_ mouse: MouseEvent) -> ScreenResponse<DemoIntent> {
        guard mouse.action == .press(button: 0), case .target(let target, let offset) = panel.part(at: mouse.point)
        else { return .handled }
        feedback = ""
        if case .field(let columns) = target { field.click(column: offset, columns: columns) }
        return perform(target)
    }
}

// The view.
extension PromptScreen {
    var panel: Panel<Command> {
        let room = PanelPlace.maximumColumns(in: size)
        let (text, tone) = feedback.isEmpty ? (form.help, Tone.dimmed) : (feedback, .error)
        let note = takesText ? Line.Span(text, tone) : Line.Span("Reading…", .accent)
        let notes = note.text.wrapped(toColumns: room, maximumLines: 3).map { Line([.init($0, note.tone)]) }
        let names = offered.names.enumerated().map { index, name in
            Line([.init(name, index == chosen ? .selected : .plain)], target: .choice(index))
        }
        let rest = offered.count - offered.names.count
        let more = rest > 0 ? [Line([.init("… and \(rest.grouped) more", .dimmed)])] : []
        let others = notes + names + more
        let widest = max(others.map(\.columnWidth).max() ?? 0, field.text.columnWidth + 1, form.minimumColumns)
        let place = PanelPlace.centered(columns: min(widest, room), rows: max(1 + others.count, 2), in: size)
        let columns = max(place.content.size.columns, 1)
        let head = [Line(field.spans(columns: columns), isFocused: true, target: .field(columns: columns))]
        // The choice in the field is in sight.
        let top = (chosen.map { notes.count + $0 + 1 } ?? 0) - max(place.list.size.rows - head.count, 1)
        let title = [Line.Span(name, .title)]
        return Panel(place, title: title, hints: commands, head: head, count: others.count, top: top) { others[$0] }
    }
}
