// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TerminalUI

/// A list of fields to edit; optional ones can be added and removed.
struct ObjectEditor: NestingEditor {
    private var members: EntryObject
    private let fields: [TweakEditor.Field]
    private let form: ValueForm
    private let initial: EntryObject
    private var cursor = ListCursor()
    var inner: (any ValueEditing)?

    /// The parts of a line, by their numbers in its path.
    private enum Part: Int {
        case field = 1
        /// The button that adds or removes the field.
        case presence
    }

    /// - Parameter initial: the object without an override.
    init(_ value: EntryValue, fields: [TweakEditor.Field], form: ValueForm, initial: EntryValue) {
        members = value.members ?? EntryObject()
        self.fields = fields
        self.form = form
        self.initial = initial.members ?? EntryObject()
    }

    var value: EntryValue? { inner?.problem == nil ? .object(members) : nil }
    var line: Int { cursor.index }

    private var field: TweakEditor.Field? { fields.indices.contains(cursor.index) ? fields[cursor.index] : nil }

    mutating func load(_ value: EntryValue) {
        members = value.members ?? EntryObject()
        if let value = field.flatMap({ members[$0.name] }) { inner?.load(value) } else { inner = nil }
    }

    mutating func keep(_ value: EntryValue) {
        if let field { members.setMember(field.name, to: value) }
    }

    mutating func handleInList(_ key: Key) -> Bool {
        switch key.code {
        case .character("a"), .character("+"), .insert: add()
        case .character("d"), .character("x"), .delete: remove()
        case .enter, .character(" "), .right: open()
        default: return cursor.handle(key, count: fields.count, page: 10)
        }
        return true
    }

    mutating func click(line: Int, part: Int) -> Bool {
        guard let part = Part(rawValue: part), fields.indices.contains(line) else { return false }
        cursor.index = line
        switch part {
        case .field: open()
        case .presence: if members[fields[line].name] == nil { add() } else { remove() }
        }
        return true
    }

    /// Opens the field's editor; a field that is missing is added first.
    private mutating func open() {
        guard let field else { return }
        guard let value = members[field.name] else { return add() }
        inner = field.editor.editing(value, form: form(of: field), initial: initial[field.name] ?? value)
    }

    private mutating func add() {
        guard let field, members[field.name] == nil else { return }
        let form = form(of: field)
        let first = initial[field.name] ?? field.editor.firstValue(form: form)
        members.setMember(field.name, to: form.normalized(first) ?? first)
        open()
    }

    private mutating func remove() {
        guard let field, field.isOptional else { return }
        members.setMember(field.name, to: nil)
    }

    private func form(of field: TweakEditor.Field) -> ValueForm {
        form.member(field.name, of: members, editedBy: field.editor)
    }

    func lines(columns: Int, hasFocus: Bool) -> [EditorLine] {
        if fields.isEmpty { return [EditorLine([.init("no fields", .dimmed)], isFocused: hasFocus)] }
        let names = fields.lazy.map { $0.name.sanitized().columnWidth }.max() ?? 0
        let name = min(names, max(columns / 3, 1))
        let lines = fields.enumerated().map { index, field in
            let isSelected = hasFocus && inner == nil && index == cursor.index
            return line(of: field, index, columns: columns, name: name, isSelected: isSelected)
        }
        return self.lines(lines, columns: columns, hasFocus: hasFocus)
    }

    /// - Parameter name: how many columns the names have.
    private func line(
        of field: TweakEditor.Field,
        _ index: Int,
        columns: Int,
        name: Int,
        isSelected: Bool
    ) -> EditorLine {
        func part(_ text: String, _ part: Part, _ tone: Tone = .plain) -> EditorLine.Span {
            EditorLine.Span(text, tone, target: [index, part.rawValue])
        }
        func column(_ text: String, _ columns: Int) -> String {
            text.sanitized().truncated(toColumns: columns).padded(toColumns: columns)
        }
        let value = members[field.name]
        var swatch: [EditorLine.Span] = []
        if field.editor == .color, case .string(let text) = value, let color = RGBColor(text) {
            swatch = [part("  ", .field, .swatch(color)), part(" ", .field)]
        }
        let button = value == nil ? "[+]" : "[x]"
        let taken = name + 1 + (swatch.isEmpty ? 0 : 3) + (field.isOptional || value == nil ? 4 : 0)
        let preview = value.map { field.editor.preview(of: $0, form: form(of: field)) } ?? "none"
        let tone: Tone = isSelected ? .selected : value == nil ? .dimmed : .plain
        var spans = [part(column(field.name, name), .field, isSelected ? .selected : .dimmed), part(" ", .field)]
        spans += swatch + [part(column(preview, max(columns - taken, 1)), .field, tone)]
        if field.isOptional || value == nil { spans += [.init(" "), part(button, .presence)] }
        return EditorLine(spans, isFocused: isSelected)
    }
}
