// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigDefinitions
import ConfigModel
import TerminalUI

/// A text field for any typed value, with buttons to raise and lower a number.
struct FieldEditor: ValueEditing {
    var field: TextField
    let editor: TweakEditor
    let form: ValueForm
    /// The type of the text, which is shown after the field; `nil` if the form decides.
    var type: TextType?

    private var isStepper: Bool { if case .stepper = editor { true } else { false } }

    private var result: Result<EntryValue, ConfigError> {
        Result { () throws(ConfigError) in
            let value =
                if let type { try type.value(of: field.text) } else { try form.json(ofText: field.text) }
            if let problem = editor.problem(with: value) { throw ConfigError(.typeMismatch, problem) }
            return value
        }
    }

    /// The value; `nil` while the text is not a value; ``result`` has the reason.
    var value: EntryValue? { try? result.get() }
    var takesText: Bool { true }

    var problem: String? {
        guard case .failure(let error) = result else { return nil }
        guard let type, type.kind == nil else { return error.message }
        return "\(error.message); for a string, press \(Key.nextType)"
    }

    var typed: (text: String, type: TextType)? { type.map { (text: field.text, type: $0) } }
    var retyped: FieldEditor? {
        type.map { FieldEditor(field: field, editor: .automatic, form: .json(editedBy: .automatic), type: $0.next) }
    }

    mutating func selectText() { field.select() }

    mutating func load(_ value: EntryValue) { field = TextField(selecting: form.text(of: value)) }

    mutating func handle(_ input: EditorInput) -> Bool {
        switch input {
        case .paste(let text): field.insert(text)
        case .click([0], _): step(by: -1)
        case .click([2], _): step(by: 1)
        // A field of any width shows the same from its start, which click positions are relative to.
        case .click(let part, let offset): field.click(column: offset, columns: part.last ?? 0)
        case .wheel(_, let steps):
            guard isStepper else { return false }
            step(by: -steps)
        case .key(let key) where isStepper && key.code == .up: step(by: 1)
        case .key(let key) where isStepper && key.code == .down: step(by: -1)
        case .key(let key): return field.handle(key)
        }
        return true
    }

    func part(draggedFrom start: [Int], over here: [Int]?) -> [Int]? { start.first == 1 ? start : nil }

    private mutating func step(by steps: Int) {
        guard let value, let next = editor.stepped(value, by: steps) else { return }
        let text = form.text(of: form.normalized(next) ?? next)
        field = field.isSelected ? TextField(selecting: text) : TextField(text)
    }

    func lines(columns: Int, hasFocus: Bool) -> [EditorLine] {
        let typeNote = type.map { " → \($0.note(on: field.text))" }
        let note = (isStepper ? nil : typeNote)?.truncated(toColumns: max(columns / 2, 1)) ?? ""
        let room =
            isStepper ? min(columns - 8, max(field.text.columnWidth + 1, 16)) : columns - note.columnWidth
        var spans = field.spans(columns: room, hasFocus: hasFocus, target: [1, max(room, 1)])
        if isStepper {
            spans.insert(contentsOf: [.init("[-]", target: [0]), .init(" ")], at: 0)
            spans += [.init(" "), .init("[+]", target: [2])]
        }
        if !note.isEmpty { spans.append(.init(note, .dimmed)) }
        return [EditorLine(spans, isFocused: hasFocus)]
    }
}

extension FieldEditor {
    /// A field for a value of a form; if the form is open, the text has the type of the value.
    init(_ value: EntryValue, editor: TweakEditor, form: ValueForm) {
        let type = form.isOpen ? TextType(ValueKind(of: value)) : nil
        self.init(field: TextField(selecting: form.text(of: value)), editor: editor, form: form, type: type)
    }

    /// A field for a value as text: a string as it is, anything else as JSON.
    init(_ value: EntryValue, _ type: TextType) {
        let field = TextField(selecting: value.plainText)
        self.init(field: field, editor: .automatic, form: .json(editedBy: .automatic), type: type)
    }
}
