import ConfigDefinitions
import TerminalUI

/// A switch, or two buttons with names, for a Boolean.
struct SwitchEditor: ValueEditing {
    var isOn: Bool
    let names: (off: String, on: String)?

    init(_ value: JSONValue, names: (off: String, on: String)?) {
        isOn = value == .boolean(true)
        self.names = names
    }

    var value: JSONValue? { .boolean(isOn) }

    mutating func handle(_ input: EditorInput) -> Bool {
        switch input {
        case .click(let part, _): isOn = names == nil ? !isOn : part == [1]
        case .key(let key):
            switch key.code {
            case .character(" "), .enter: isOn.toggle()
            case .left, .character("h"): isOn = false
            case .right, .character("l"): isOn = true
            default: return false
            }
        case .paste: return false
        }
        return true
    }

    func lines(columns: Int, hasFocus: Bool) -> [EditorLine] {
        let on: Tone = hasFocus ? .selected : .title
        guard let names else {
            let box = EditorLine.Span(isOn ? "[x] on" : "[ ] off", hasFocus ? .selected : .plain, target: [0])
            return [EditorLine([box], isFocused: hasFocus)]
        }
        let spans: [EditorLine.Span] = [
            .init("[ \(names.off) ]", isOn ? .plain : on, target: [0]), .init(" "),
            .init("[ \(names.on) ]", isOn ? on : .plain, target: [1]),
        ]
        return [EditorLine(spans, isFocused: hasFocus)]
    }
}
