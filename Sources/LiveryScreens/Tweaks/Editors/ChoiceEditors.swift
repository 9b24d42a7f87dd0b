// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TerminalUI

/// A list of values to choose from, which may end in a field for any other.
struct OptionsEditor: ValueEditing {
    private var chosen: EntryValue
    private let options: [TweakEditor.Option]
    private var custom: (any ValueEditing)?
    private var cursor = ListCursor()

    init(_ value: EntryValue, options: [TweakEditor.Option], custom: (any ValueEditing)?) {
        (chosen, self.options, self.custom) = (value, options, custom)
        cursor.index = options.firstIndex { $0.value == value } ?? (custom == nil ? 0 : options.count)
    }

    private var isOnCustom: Bool { custom != nil && cursor.index == options.count }
    private var hasCustomValue: Bool { !options.contains { $0.value == chosen } }
    var value: EntryValue? { isOnCustom && hasCustomValue ? custom?.value : chosen }
    var inner: (any ValueEditing)? { isOnCustom ? custom : nil }

    mutating func finish() { if isOnCustom { custom?.finish() } else { choose() } }

    private mutating func choose() {
        if options.indices.contains(cursor.index) { chosen = options[cursor.index].value }
    }

    mutating func load(_ value: EntryValue) {
        chosen = value
        custom?.load(value)
    }

    mutating func handle(_ input: EditorInput) -> Bool {
        switch input {
        case .click(let part, _):
            cursor.index = part.first ?? 0
            if isOnCustom, part.count > 1 { return handleCustom(input.inside(1)) }
        case .wheel(let part, _):
            // The part of the line that leads to the field has one number.
            return isOnCustom && part.first == options.count && part.count > 1 && handleCustom(input.inside(1))
        case .key(let key):
            if isOnCustom, key.code != .up, key.code != .down, handleCustom(input) { return true }
            if cursor.handle(key, count: options.count + (custom == nil ? 0 : 1), page: options.count) { return true }
            guard !isOnCustom, key.code == .enter || key.code == .character(" ") else { return false }
        case .paste:
            return isOnCustom && handleCustom(input)
        }
        choose()
        return true
    }

    func part(draggedFrom start: [Int], over here: [Int]?) -> [Int]? {
        inner?.part(draggedFrom: start, over: here, inside: [options.count])
    }

    private mutating func handleCustom(_ input: EditorInput) -> Bool {
        guard custom?.handle(input) == true else { return false }
        if let value = custom?.value { chosen = value }
        return true
    }

    func lines(columns: Int, hasFocus: Bool) -> [EditorLine] {
        let lines = options.enumerated().map { index, option in
            let text = (option.value == chosen ? "(•) " : "( ) ") + option.name
            return EditorLine.part(text, at: [index], isFocused: hasFocus && index == cursor.index)
        }
        guard let custom else { return lines }
        let title = hasCustomValue ? "(•) Other" : "( ) Other"
        let other = EditorLine.part(title, at: [options.count], isFocused: false)
        return lines + [other]
            + custom.lines(columns: columns, hasFocus: hasFocus && isOnCustom, inside: [options.count])
    }
}

/// A switch between nil and a value, with the value's editor below.
struct OptionalEditor: ValueEditing {
    private var isOn: Bool
    private var isOnSwitch: Bool
    private var wrapped: any ValueEditing

    init(_ value: EntryValue, editor: TweakEditor, form: ValueForm, initial: EntryValue) {
        isOn = value != .null
        isOnSwitch = value == .null
        // Switched on, it starts with the value without the override, if there is one.
        let content = [value, initial].first { $0 != .null } ?? editor.firstValue(form: form)
        wrapped = editor.editing(content, form: form, initial: initial)
    }

    var value: EntryValue? { isOn ? wrapped.value : .null }
    var inner: (any ValueEditing)? { isOn && !isOnSwitch ? wrapped : nil }
    var problem: String? { isOn ? wrapped.problem : nil }

    mutating func finish() { if isOn, !isOnSwitch { wrapped.finish() } }

    mutating func load(_ value: EntryValue) {
        isOn = value != .null
        if isOn { wrapped.load(value) } else { isOnSwitch = true }
    }

    mutating func handle(_ input: EditorInput) -> Bool {
        switch input {
        case .click([0], _): toggle()
        case .click(let part, _):
            guard isOn, part.first == 1 else { return false }
            isOnSwitch = false
            return wrapped.handle(input.inside(1))
        case .wheel(let part, _): return isOn && part.first == 1 && wrapped.handle(input.inside(1))
        case .paste: return isOn && !isOnSwitch && wrapped.handle(input)
        case .key(let key):
            if isOnSwitch { return handleOnSwitch(key) }
            if wrapped.handle(input) { return true }
            guard key.code == .up || key == Key(.tab, .shift) else { return false }
            isOnSwitch = true
        }
        return true
    }

    func part(draggedFrom start: [Int], over here: [Int]?) -> [Int]? {
        isOn ? wrapped.part(draggedFrom: start, over: here, inside: [1]) : nil
    }

    private mutating func handleOnSwitch(_ key: Key) -> Bool {
        switch key.code {
        case .character(" "), .enter: toggle()
        case .down where isOn, .tab where isOn, .character("j") where isOn: isOnSwitch = false
        default: return false
        }
        return true
    }

    private mutating func toggle() {
        isOn.toggle()
        isOnSwitch = true
    }

    func lines(columns: Int, hasFocus: Bool) -> [EditorLine] {
        let line = EditorLine.part(isOn ? "[x] set" : "[ ] not set", at: [0], isFocused: hasFocus && isOnSwitch)
        guard isOn else { return [line] }
        return [line] + wrapped.lines(columns: columns, hasFocus: hasFocus && !isOnSwitch, inside: [1])
    }
}
