// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigDefinitions
import ConfigModel
import RemoteConfig
import TerminalUI

/// The editor of a key of the source. Nothing is written here: Enter leads to the review of the change.
struct EditScreen: EditorPanel {
    enum Command: Hashable, Sendable {
        case review, stage, external, nextType, discard, back, leave, help
        /// Scrolls by so many pages.
        case scroll(pages: Int)
        /// A part of the editor.
        case part([Int])
    }

    let name = "Edit"
    private(set) var start: EditStart
    var size: Size
    var feedback = ""
    private var state: PanelState
    /// `nil` until the facts on the key are known.
    private(set) var edit: KeyEditing?
    /// The value that the change starts from: that of the source when the edit or the staged change began, or the one that a
    /// conflict has shown since.
    private var base: EntryValue?
    /// Whether the facts are still read.
    private var isReading = true
    /// The text from the user's editor, while it is not a value.
    private var externalText: String?
    var pane = EditorPane()

    init(_ start: EditStart, _ state: PanelState, size: Size) {
        (self.start, self.state, self.size) = (start, state, size)
    }

    var kind: PanelKind { .edit(start) }
    private var key: String { start.key }
    private var request: OperatorRequest { .details(key: key) }

    var openingIntents: [DemoIntent] {
        edit == nil ? [.request(request)] : start.isExternal ? externalIntents : []
    }

    mutating func update(_ state: PanelState) { self.state = state }

    mutating func resume(as kind: PanelKind, _ state: PanelState) {
        if case .edit(let start) = kind { self.start = start }
        self.state = state
        edit?.selectText()
    }

    /// Below 100 columns it takes the whole width, unless the main screen previews the value.
    var place: PanelPlace { key == DemoValues.keys[0] ? .side(in: size) : .list(in: size) }

    mutating func rebase(on change: KeyChange) { if change.heldKey == key { base = change.old } }

    var unsaved: String? { externalText != nil || edit?.isChanged == true ? key : nil }

    /// The value of the background's key while it is edited.
    var previewedBackground: RGBColor? {
        guard key == DemoValues.keys[0], let edit, edit.value != edit.details.value else { return nil }
        return edit.value.flatMap { String(configValue: $0) }.flatMap { RGBColor($0) }
    }
}

// The answers.
extension EditScreen {
    mutating func receive(_ answer: OperatorAnswer) -> [DemoIntent] {
        guard answer.request == request, edit == nil else { return [] }
        isReading = false
        var details = KeyDetails(key: key)
        switch answer.result {
        case .success(.details(let found)): details = found
        case .success: return []
        case .failure(let error) where error.code == .unreachable || error.code == .unavailable:
            // The values on the screen can be edited, and the change staged.
            details.value = state.configuration.defaultValue(forKey: key)
            feedback = "Offline, without the schema: \(error.message)"
        case .failure(let error):
            feedback = "Cannot read the key: \(error.description)"
            return []
        }
        let staged = state.desk.staged[key]
        base = staged.map(\.old) ?? details.value
        edit = KeyEditing(details, from: staged?.new)
        return start.isExternal ? externalIntents : []
    }

    /// Whether an input belongs to the editor, and the facts for it are still read.
    func holds(_ event: InputEvent) -> Bool {
        guard isReading else { return false }
        switch event {
        case .key(let key):
            var field = TextField()
            return !key.isChord || field.handle(key)
        case .paste: return true
        case .mouse, .focus, .reply: return false
        }
    }

    mutating func receive(_ outcome: ExternalEdit.Outcome) -> [DemoIntent] {
        guard outcome.key == key, let external = edit?.external else { return [] }
        do throws(ConfigError) {
            let text = try outcome.result.get()
            externalText = text
            let value = try external.value(of: text)
            externalText = nil
            edit?.load(value)
        } catch {
            feedback = "Not applied: \(error.description); press Alt-e to edit again"
            return []
        }
        return review()
    }

    private var externalIntents: [DemoIntent] {
        guard var external = edit?.external else { return [] }
        if let externalText { external.text = externalText }
        return [.edit(external)]
    }

    /// Requests the review of the change, if there is one that can be written.
    private mutating func review() -> [DemoIntent] {
        edit?.finish()
        guard let edit, let value = edit.value, edit.problems.isEmpty else {
            return [.explain("Cannot review: the value is invalid")]
        }
        let changes = ConfigDiff([KeyChange(key: key, old: base, new: value)])
        guard !changes.isEmpty else { return [.explain("The value is unchanged")] }
        return [.toggle(.review(Proposal(title: "Publish", changes: changes, notes: changes.typeChanges)))]
    }
}

// The input.
extension EditScreen {
    var editor: (any ValueEditing)? { edit?.editor }

    var commands: [ScreenCommand<Command>] {
        let (backHint, backHelp) = (edit == nil ? "Cancel" : "Back", "Go back; a changed value is kept as a draft")
        let back = ScreenCommand(Command.back, [Key(.escape)], hint: backHint, help: backHelp)
        guard let edit else { return [back] }
        let keys = (edit.editor.usesEnter ? [] : [Key(.enter)]) + [Key(.character("d"), .control)]
        let review = "Review the change before it is published"
        var edits = [ScreenCommand(Command.review, keys, hint: "Review", help: review)]
        if edit.isOpen {
            edits.append(ScreenCommand(.nextType, [.nextType], hint: "Type", help: "Change the type of the value"))
        }
        let (stage, external) = ("Stage the change, to publish it with others", [Key(.character("e"), .alt)])
        edits += [
            ScreenCommand(.stage, [UserKeys.stage], hint: "Stage", help: stage),
            ScreenCommand(.external, external, hint: "$EDITOR", help: "Edit the value in $VISUAL, $EDITOR or vi"),
            ScreenCommand(.discard, [UserKeys.discard], help: "Discard the edit"),
        ]
        return edits + Self.scrolling(Command.scroll) + [
            state.look.keys.helpCommand(Command.help, isTyping: takesText), back,
            ScreenCommand(.leave, state.look.keys.leave, help: takesText ? "" : "Return to the list"),
        ]
    }

    mutating func perform(_ command: Command) -> ScreenResponse<DemoIntent> {
        switch command {
        case .back: return edit == nil ? .done([.cancel(request), .toggle(kind)]) : .close
        case .leave: return .close
        case .help: return .done([.toggle(.help)])
        case .review: return .done(review())
        case .stage: return .done(review().map(\.staging))
        case .external: return .done(externalIntents)
        case .discard: return discard()
        case .nextType: _ = handle(EditorInput.key(.nextType))
        case .scroll(let pages): scroll(pages: pages, of: lines)
        case .part(let part): _ = handle(.click(part, offset: 0))
        }
        return .handled
    }

    static func part(of command: Command) -> [Int]? { if case .part(let part) = command { part } else { nil } }

    mutating func pass(_ input: EditorInput) -> ScreenResponse<DemoIntent>? {
        edit?.handle(input) == true ? .handled : nil
    }

    mutating func press(_ key: Key) -> ScreenResponse<DemoIntent> {
        guard let editor else {
            let response = perform(key)
            return response == .ignored && !key.isChord ? .handled : response
        }
        feedback = ""
        return pass(key, prefersCommand: key == Key(.enter) && !editor.usesEnter)
    }
}

// The view.
extension EditScreen {
    var panel: Panel<Command> { panel(titled: "\(name) \(key)", or: key, lines) }

    private var lines: [Line] {
        let columns = place.content.size.columns
        guard let edit else {
            return feedback.isEmpty ? [Line([.init("Reading \(key)…", .dimmed)])] : []
        }
        var lines = edit.editor.lines(columns: columns, hasFocus: true).map { $0.map(Command.part) }
        lines += edit.editor.hint.wrapped(toColumns: columns, maximumLines: 2).map { Line([.init($0, .dimmed)]) }
        let problems = edit.problems.flatMap { $0.sanitized().wrapped(toColumns: columns, maximumLines: 4) }
        lines += (problems.isEmpty ? [""] : problems).map { Line([.init($0, .error)]) }
        let now = state.configuration.defaultValue(forKey: key)
        lines.append(valueLine("Now", now, columns: columns))
        if now != base { lines.append(valueLine("Before", base, columns: columns)) }
        for (name, text) in facts(of: edit.details, now: now) {
            lines += Line.hanging(.init(name, .dimmed), indent: 9, .init(text), columns: columns)
        }
        return lines
    }

    private func valueLine(_ term: String, _ value: EntryValue?, columns: Int) -> Line {
        let spans = value.map { state.preview.spans(of: $0, columns: columns - 9) as [Line.Span] }
        return Line([.init(term.padded(toColumns: 9), .dimmed)] + (spans ?? [.init("no value", .dimmed)]))
    }

    private func facts(of details: KeyDetails, now: EntryValue?) -> [(String, String)] {
        var facts: [(String, String)] = []
        // A value that was written since the details were read has another revision and author.
        if now == details.value {
            if let revision = details.revision { facts.append(("Revision", String(revision))) }
            if let author = details.record?.author { facts.append(("Author", author)) }
        }
        if let schema = details.schemaName {
            let members = details.schema?.members
            let words = ["title", "description"].lazy.compactMap { String(configValue: members?[$0] ?? .null) }.first
            facts.append(("Schema", words.map { "\(schema): \($0)" } ?? schema))
        }
        if details.rule != nil { facts.append(("Rule", "users that it selects get its variants, not this value")) }
        return facts
    }
}
