// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigDefinitions
import ConfigModel
import TerminalUI

/// An input of the user in an editor.
enum EditorInput: Hashable {
    case key(Key)
    case paste(String)
    /// A click on a part, at a column offset; a drag is more of these on the part where it began.
    case click([Int], offset: Int)
    /// The wheel was turned over a part; positive is down.
    case wheel([Int], Int)
}

extension EditorInput {
    /// Inputs that make one edit together, which one undo takes back: a word that is typed, a key that is held down, a drag.
    enum Gesture: Hashable {
        case typing
        case key(Key)
        /// From the press of the button to its release, over any parts.
        case drag
        case wheel([Int])
    }

    /// The gesture that an input belongs to; `nil` if it is a separate edit.
    ///
    /// - Parameter isText: whether letters are typed into a field.
    func gesture(isText: Bool) -> Gesture? {
        switch self {
        case .key(Key(.character(" "))), .paste: nil
        case .key(let key) where isText && key.isTyping: .typing
        case .key(let key): key.steps == nil ? nil : .key(key)
        case .click: .drag
        case .wheel(let part, _): .wheel(part)
        }
    }

    /// The same input for an editor inside this one, without the first numbers of its path.
    func inside(_ count: Int) -> EditorInput {
        switch self {
        case .key, .paste: self
        case .click(let part, let offset): .click(Array(part.dropFirst(count)), offset: offset)
        case .wheel(let part, let steps): .wheel(Array(part.dropFirst(count)), steps)
        }
    }
}

extension Key {
    /// Whether a text field inserts or deletes a single character by it.
    fileprivate var isTyping: Bool {
        isTyped || [.backspace, .delete].contains(code) && modifiers.isSubset(of: .shift)
    }

    /// Changes the type of a value.
    static let nextType = Key(.character("t"), .control)

    /// Whether an editor keeps the key from what lies below, although it has no use for it.
    var staysInEditor: Bool {
        let moves: [Key.Code] = [.left, .right, .up, .down, .tab, .home, .end]
        // These mean the same on all screens.
        let isGlobal = [.character("q"), .character("r"), .character("?")].contains(code)
        return (isTyped || moves.contains(code)) && !modifiers.contains(.control) && !isGlobal
    }
}

/// A line of an editor. A part is named by a path: its number, after those of the editors it is inside.
typealias EditorLine = ActiveLine<[Int]>

extension EditorLine {
    /// A line of one part, which is selected while it has the keyboard.
    static func part(_ text: String, at path: [Int], isFocused: Bool) -> EditorLine {
        EditorLine([.init(text, isFocused ? .selected : .plain, target: path)], isFocused: isFocused)
    }
}

/// The editor of a value: its state, its input and its view.
protocol ValueEditing: Sendable {
    /// The value in the editor, or `nil` while the input is not a value, such as half a number.
    var value: EntryValue? { get }
    /// The editor of a part that has the keyboard. None, by default.
    var inner: (any ValueEditing)? { get }
    /// The error because of which ``value`` is `nil`. That of the part, by default.
    var problem: String? { get }
    /// Whether a text field has the focus. That of the part, by default.
    var takesText: Bool { get }
    /// Whether Enter opens or closes a part. As in the part, by default.
    var usesEnter: Bool { get }
    /// A sentence on the keys of the editor. Empty, by default.
    var hint: String { get }

    /// Selects the text of a field, which what is typed next replaces. Nothing, by default.
    mutating func selectText()
    /// A text field for the value, whose type is inferred; for such a field, one for a string. `nil` if the type is fixed.
    var retyped: FieldEditor? { get }
    /// The text in a field, and its type; `nil` if there is no field or the type is fixed.
    var typed: (text: String, type: TextType)? { get }

    /// Shows another value, which was stored elsewhere or by an undo. The keyboard stays where it is, if it can.
    mutating func load(_ value: EntryValue)

    /// - Returns: whether the editor handles the input.
    mutating func handle(_ input: EditorInput) -> Bool

    /// Takes what the cursor is on as the value, before the editor is left. Nothing, by default.
    mutating func finish()

    /// The target of a drag: the part where it began if that captures the pointer, as the track of a slider does; the one under
    /// the pointer if parts are selectable, as in a grid; `nil` if drags have no meaning, as on a button.
    ///
    /// - Parameters:
    ///   - start: the part on which the button went down.
    ///   - here: the part under the pointer, if there is one.
    func part(draggedFrom start: [Int], over here: [Int]?) -> [Int]?

    func lines(columns: Int, hasFocus: Bool) -> [EditorLine]
}

extension ValueEditing {
    var inner: (any ValueEditing)? { nil }
    var problem: String? { inner?.problem }
    var takesText: Bool { inner?.takesText ?? false }
    var usesEnter: Bool { inner?.usesEnter ?? false }
    var hint: String { "" }

    mutating func selectText() {}
    var typed: (text: String, type: TextType)? { nil }
    var retyped: FieldEditor? { value.map { FieldEditor($0, TextType()) } }

    mutating func finish() {}

    func part(draggedFrom start: [Int], over here: [Int]?) -> [Int]? { nil }

    /// The same for an editor inside this one, whose parts begin with a path.
    func part(draggedFrom start: [Int], over here: [Int]?, inside path: [Int]) -> [Int]? {
        guard start.starts(with: path) else { return nil }
        let inner = here.flatMap { $0.starts(with: path) ? Array($0.dropFirst(path.count)) : nil }
        return part(draggedFrom: Array(start.dropFirst(path.count)), over: inner).map { path + $0 }
    }

    /// The lines as parts of an outer editor, indented.
    func lines(columns: Int, hasFocus: Bool, inside path: [Int]) -> [EditorLine] {
        // Two columns, so that three nested lists fit into forty.
        lines(columns: columns - 2, hasFocus: hasFocus).map { line in
            var line = line.map { path + $0 }
            line.spans.insert(EditorLine.Span("  "), at: 0)
            return line
        }
    }
}

extension TweakEditor {
    func editing(_ value: EntryValue, form: ValueForm, initial: EntryValue) -> any ValueEditing {
        switch self {
        // The type of a part may have changed since its editor was chosen.
        case _ where form.isOpen && !accepts(value): Self.automatic.editing(value, form: form, initial: initial)
        case .toggle: SwitchEditor(isOn: value == .boolean(true), names: nil)
        case .segmented(let off, let on): SwitchEditor(isOn: value == .boolean(true), names: (off, on))
        case .slider(let range): SliderEditor(number: value, range: range, form: form)
        case .color: ColorEditor(value, initial: initial)
        case .picker(let options): OptionsEditor(value, options: options, custom: nil)
        case .pickerWithCustom(let options, let custom):
            OptionsEditor(value, options: options, custom: custom.editing(value, form: form, initial: initial))
        case .optional(let wrapped):
            OptionalEditor(value, editor: wrapped, form: form.content ?? form, initial: initial)
        case .array(let element):
            ArrayEditor(value, editor: element, form: form.element(editedBy: element))
        case .object(let fields): ObjectEditor(value, fields: fields, form: form, initial: initial)
        case .automatic: fitting([value], form: form).editingFitted(value, form: form, initial: initial)
        case .custom("stars", let settings): StarsEditor(value, settings: settings)
        // The value of an unknown editor can still be typed.
        case .stepper, .text, .custom: FieldEditor(value, editor: self, form: form)
        }
    }

    /// The editor of a value to start with. If it may be of any type, its type follows from what is typed.
    func editingNew(_ value: EntryValue, form: ValueForm, schema: EntryValue? = nil) -> any ValueEditing {
        if form.isOpen, self == .automatic { return FieldEditor("", TextType(schema: schema)) }
        return editing(value, form: form, initial: value)
    }

    private func editingFitted(_ value: EntryValue, form: ValueForm, initial: EntryValue) -> any ValueEditing {
        editing(value, form: form.edited(by: self), initial: initial)
    }
}
