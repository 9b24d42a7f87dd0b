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
    var opened: EntryValue?

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
    var selectedValue: EntryValue? { field.flatMap { members[$0.name] } }

    mutating func load(_ value: EntryValue) {
        members = value.members ?? EntryObject()
        listOthers()
        opened = selectedValue
        if let opened { inner?.load(opened) } else { inner = nil }
    }

    mutating func keep(_ value: EntryValue) {
        if let field { members.setMember(field.name, to: value) }
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
        return lines(columns: columns, hasFocus: hasFocus) { index, isSelected in
            if index < fields.count { return line(index, columns: columns, name: name, isSelected: isSelected) }
            return addLine(inner != nil && field == nil ? "Name of the new member" : "[+ Add]", isSelected: isSelected)
        }
    }

    /// - Parameter name: how many columns the names have.
    private func line(_ index: Int, columns: Int, name: Int, isSelected: Bool) -> EditorLine {
        let field = fields[index]
        let value = members[field.name]
        let title = field.name.sanitized().fitted(toColumns: name)
        var spans = [span(title, at: index, isSelected ? .selected : .dimmed), span(" ", at: index)]
        if field.editor == .color, case .string(let text) = value, let color = RGBColor(text) {
            spans += [span("  ", at: index, .swatch(color)), span(" ", at: index)]
        }
        let button = value == nil ? span("[+]", at: index) : span("[x]", .remove, at: index)
        let end: [EditorLine.Span] = field.isOptional || value == nil ? [.init(" "), button] : []
        let preview = value.map { field.editor.preview(of: $0, form: form(of: field)) } ?? "none"
        let tone: Tone = isSelected ? .selected : value == nil ? .dimmed : .plain
        let room = max(columns - spans.columnWidth() - end.columnWidth(), 1)
        let shown = span(preview.sanitized().fitted(toColumns: room), at: index, tone)
        return EditorLine(spans + [shown] + end, isFocused: isSelected)
    }
}
