// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TerminalUI

/// A list of fields to edit; optional ones can be added and removed, and members of other names if the object allows them.
struct ObjectEditor: NestingEditor {
    private var members: EntryObject
    private var fields: [TweakEditor.Field]
    /// The editor of members that are not among the fields; `nil` if there must be none.
    private let others: TweakEditor?
    let form: ValueForm
    private let initial: EntryObject
    var cursor = ListCursor()
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
        self.fields = fields.filter { !$0.isForOthers }
        others = fields.others
        self.form = form
        self.initial = initial.members ?? EntryObject()
        listOthers()
    }

    /// Adds a field for each other member.
    private mutating func listOthers() {
        guard let others else { return }
        let names = Set(fields.map { ExactString($0.name) })
        for (name, value) in members where !names.contains(ExactString(name)) {
            let form = form.member(name, of: members, editedBy: others)
            let editor = (others.accepts(value) ? others : .automatic).fitting([value], form: form)
            fields.append(TweakEditor.Field(name, editor, isOptional: true))
        }
    }

    var value: EntryValue? { inner?.problem == nil ? .object(members) : nil }
    var count: Int { fields.count + (others == nil ? 0 : 1) }
    var hint: String { partsHint("member", canAdd: others != nil) }

    private var field: TweakEditor.Field? { fields.indices.contains(cursor.index) ? fields[cursor.index] : nil }

    mutating func load(_ value: EntryValue) {
        members = value.members ?? EntryObject()
        listOthers()
        if let value = field.flatMap({ members[$0.name] }) { inner?.load(value) } else { inner = nil }
    }

    mutating func keep(_ value: EntryValue) {
        if let field { members.setMember(field.name, to: value) }
    }

    mutating func click(line: Int, part: Int) -> Bool {
        guard let part = Part(rawValue: part), (0..<count).contains(line) else { return false }
        cursor.index = line
        switch part {
        case .presence where field.flatMap({ members[$0.name] }) != nil: remove()
        case .field, .presence: open()
        }
        return true
    }

    /// Opens the field's editor; a field that is missing is added first.
    mutating func open() {
        guard let field, let value = members[field.name] else { return add() }
        inner = field.editor.editing(value, form: form(of: field), initial: initial[field.name] ?? value)
    }

    /// Adds the selected field if it is missing, or asks for the name of another member.
    mutating func add() {
        if let field, members[field.name] == nil {
            let form = form(of: field)
            let first = initial[field.name] ?? field.editor.firstValue(form: form)
            let value = form.normalized(first) ?? first
            members.setMember(field.name, to: value)
            if initial[field.name] == nil { inner = field.editor.editingNew(value, form: form) } else { open() }
        } else if others != nil {
            cursor.index = fields.count
            inner = FieldEditor(field: TextField(), editor: .text, form: .json(editedBy: .text))
        }
    }

    /// Adds the member whose name was typed.
    mutating func accept(_ value: EntryValue) {
        guard field == nil, let others, case .string(let name) = value, !name.isEmpty else { return }
        let known = fields.firstIndex { $0.name.hasSameScalars(as: name) }
        if known == nil { fields.append(TweakEditor.Field(name, others, isOptional: true)) }
        cursor.index = known ?? fields.count - 1
        open()
    }

    mutating func remove() {
        guard let field, field.isOptional else { return }
        members.setMember(field.name, to: nil)
    }

    private func form(of field: TweakEditor.Field) -> ValueForm {
        form.member(field.name, of: members, editedBy: field.editor)
    }

    func lines(columns: Int, hasFocus: Bool) -> [EditorLine] {
        if count == 0 { return [EditorLine([.init("no fields", .dimmed)], isFocused: hasFocus)] }
        let names = fields.lazy.map { $0.name.sanitized().columnWidth }.max() ?? 0
        let name = min(names, max(columns / 3, 1))
        let selected = hasFocus && inner == nil ? cursor.index : nil
        var lines = fields.enumerated().map { index, field in
            line(of: field, index, columns: columns, name: name, isSelected: index == selected)
        }
        if others != nil {
            let isSelected = selected == fields.count
            let text = inner != nil && field == nil ? "Name of the new member" : "[+ Add]"
            let target = [fields.count, Part.field.rawValue]
            let add = EditorLine.Span(text, isSelected ? .selected : .plain, target: target)
            lines.append(EditorLine([add], isFocused: isSelected))
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
