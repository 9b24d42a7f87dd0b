import ConfigDefinitions
import TerminalUI

/// A switch between nil and a value, and the value's editor beneath.
struct OptionalEditor: ValueEditing {
    private var isOn: Bool
    private var isOnSwitch: Bool
    private var wrapped: any ValueEditing

    init(_ value: JSONValue, editor: TweakEditor, form: ValueForm, initial: JSONValue) {
        isOn = value != .null
        isOnSwitch = value == .null
        // Switched on, it starts with the value without the override, if there is one.
        let content = [value, initial].first { $0 != .null } ?? editor.firstValue(form: form)
        wrapped = editor.editing(content, form: form, initial: initial)
    }

    var value: JSONValue? { isOn ? wrapped.value : .null }
    var problem: String? { isOn ? wrapped.problem : nil }
    var takesText: Bool { isOn && !isOnSwitch && wrapped.takesText }

    mutating func handle(_ input: EditorInput) -> Bool {
        switch input {
        case .click(let part, _) where part == [0]: toggle()
        case .click(let part, let offset):
            isOnSwitch = false
            return wrapped.handle(.click(Array(part.dropFirst()), offset: offset))
        case .paste: return isOn && !isOnSwitch && wrapped.handle(input)
        case .key(let key):
            if isOnSwitch { return handleOnSwitch(key) }
            if wrapped.handle(input) { return true }
            guard key.code == .up || key == Key(.tab, .shift) else { return false }
            isOnSwitch = true
        }
        return true
    }

    private mutating func handleOnSwitch(_ key: Key) -> Bool {
        switch key.code {
        case .character(" "), .enter: toggle()
        case .down, .tab, .character("j"):
            guard isOn else { return false }
            isOnSwitch = false
        default: return false
        }
        return true
    }

    private mutating func toggle() {
        isOn.toggle()
        isOnSwitch = true
    }

    func lines(columns: Int, hasFocus: Bool) -> [EditorLine] {
        let isHere = hasFocus && isOnSwitch
        let text = isOn ? "[x] has a value" : "[ ] none"
        let line = EditorLine([.init(text, isHere ? .selected : .plain, target: [0])], isFocused: isHere)
        guard isOn else { return [line] }
        return [line]
            + wrapped.lines(columns: columns - 4, hasFocus: hasFocus && !isOnSwitch)
            .map { $0.inside(1, indentedBy: "    ") }
    }
}
