// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TerminalUI

/// A text field for any typed value, with buttons to raise and lower a number.
struct FieldEditor: ValueEditing {
    var field: TextField
    let editor: TweakEditor
    let form: ValueForm

    private var isStepper: Bool {
        if case .stepper = editor { return true }
        return false
    }

    private var result: Result<EntryValue, ConfigError> {
        Result { () throws(ConfigError) in
            let value = try form.json(ofText: field.text)
            if let problem = editor.problem(with: value) { throw ConfigError(.typeMismatch, problem) }
            return value
        }
    }

    /// The value; `nil` while the text is none, which ``result`` explains.
    var value: EntryValue? { try? result.get() }
    var takesText: Bool { true }

    var problem: String? {
        if case .failure(let error) = result { return error.message }
        return nil
    }

    mutating func load(_ value: EntryValue) { field = TextField(form.text(of: value)) }

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
        field = TextField(form.text(of: form.normalized(next) ?? next))
    }

    func lines(columns: Int, hasFocus: Bool) -> [EditorLine] {
        let room = isStepper ? min(columns - 8, 16) : columns
        var spans = field.spans(columns: room, hasFocus: hasFocus, target: [1, max(room, 1)])
        if isStepper {
            spans.insert(contentsOf: [.init("[-]", target: [0]), .init(" ")], at: 0)
            spans += [.init(" "), .init("[+]", target: [2])]
        }
        return [EditorLine(spans, isFocused: hasFocus)]
    }
}

extension TextField {
    /// The field as parts of a line of the given width, with the cursor at its position.
    func spans(columns: Int, hasFocus: Bool, target: [Int]) -> [EditorLine.Span] {
        let columns = max(columns, 1)
        let window = window(columns: columns)
        let room = columns - window.before.columnWidth - window.under.columnWidth
        let parts = [
            (window.before, Tone.field), (window.under, hasFocus ? .caret : .field),
            (window.after.padded(toColumns: room), .field),
        ]
        var used = 0
        return parts.map { text, tone in
            defer { used += text.columnWidth }
            return EditorLine.Span(text, tone, target: target, offset: used)
        }
    }
}
