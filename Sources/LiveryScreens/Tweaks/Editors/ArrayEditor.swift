// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TerminalUI

/// A list of elements to add, edit, remove and reorder.
struct ArrayEditor: NestingEditor {
    private var elements: [EntryValue]
    private let editor: TweakEditor
    let form: ValueForm
    var cursor = ListCursor()
    var inner: (any ValueEditing)?
    var opened: EntryValue?

    /// - Parameter form: that of the elements.
    init(_ value: EntryValue, editor: TweakEditor, form: ValueForm) {
        if case .array(let elements) = value { self.elements = elements } else { elements = [] }
        (self.editor, self.form) = (editor, form)
    }

    var value: EntryValue? { inner?.problem == nil ? .array(elements) : nil }
    var count: Int { elements.count + 1 }
    var selectedValue: EntryValue? { elements.indices.contains(cursor.index) ? elements[cursor.index] : nil }
    var hint: String { partsHint("element") }

    mutating func load(_ value: EntryValue) {
        let count = elements.count
        if case .array(let elements) = value { self.elements = elements } else { elements = [] }
        cursor.index = min(cursor.index, elements.count)
        // Of another number, the element that was edited may be any of them.
        if count != elements.count { inner = nil }
        opened = selectedValue
        if let opened { inner?.load(opened) } else { inner = nil }
    }

    mutating func keep(_ value: EntryValue) { elements[cursor.index] = value }

    mutating func open() {
        guard cursor.index < elements.count else { return add() }
        let value = elements[cursor.index]
        inner = editor.editing(value, form: form, initial: value)
    }

    mutating func add() {
        let place = cursor.index == elements.count ? elements.count : cursor.index + 1
        let first = editor.firstValue(form: form)
        // For a type without a known first value, such as an enum with a few strings, another element is a start.
        elements.insert(form.normalized(first) == nil ? elements.last ?? first : first, at: place)
        cursor.index = place
        inner = editor.editingNew(elements[place], form: form)
    }

    mutating func remove() {
        guard elements.indices.contains(cursor.index) else { return }
        elements.remove(at: cursor.index)
    }

    mutating func move(by steps: Int) {
        let place = cursor.index + steps
        guard elements.indices.contains(cursor.index), elements.indices.contains(place) else { return }
        elements.swapAt(cursor.index, place)
        cursor.index = place
    }

    func lines(columns: Int, hasFocus: Bool) -> [EditorLine] {
        lines(columns: columns, hasFocus: hasFocus) { index, isSelected in
            guard index < elements.count else { return addLine(isSelected: isSelected) }
            let room = max(columns - 10, 1)
            let text = "\(index + 1). \(editor.preview(of: elements[index], form: form))".sanitized()
            let element = text.fitted(toColumns: room)
            let spans: [EditorLine.Span] = [
                span(element, at: index, isSelected ? .selected : .plain), .init(" "),
                span("[^]", .up, at: index), span("[v]", .down, at: index), span("[x]", .remove, at: index),
            ]
            return EditorLine(spans, isFocused: isSelected)
        }
    }
}
