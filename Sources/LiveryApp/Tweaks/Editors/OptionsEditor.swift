import ConfigDefinitions
import TerminalUI

/// A list of values to choose from, which may end in a field for any other.
struct OptionsEditor: ValueEditing {
    private var chosen: JSONValue
    private let options: [TweakEditor.Option]
    private var custom: (any ValueEditing)?
    private var cursor = ListCursor()

    init(_ value: JSONValue, options: [TweakEditor.Option], custom: (any ValueEditing)?) {
        chosen = value
        self.options = options
        self.custom = custom
        cursor.index = options.firstIndex { $0.value == value } ?? (custom == nil ? 0 : options.count)
    }

    private var isOnCustom: Bool { custom != nil && cursor.index == options.count }
    private var hasCustomValue: Bool { !options.contains { $0.value == chosen } }
    var value: JSONValue? { isOnCustom && hasCustomValue ? custom?.value : chosen }
    var problem: String? { isOnCustom ? custom?.problem : nil }
    var takesText: Bool { isOnCustom && custom?.takesText == true }

    mutating func handle(_ input: EditorInput) -> Bool {
        switch input {
        case .click(let part, let offset):
            cursor.index = part.first ?? 0
            if isOnCustom, part.count > 1 {
                return handleCustom(.click(Array(part.dropFirst()), offset: offset))
            }
            choose()
            return true
        case .key(let key):
            let moves: Set<Key.Code> = [.up, .down]
            if isOnCustom, !moves.contains(key.code), handleCustom(input) { return true }
            if cursor.handle(key, count: options.count + (custom == nil ? 0 : 1), page: options.count) { return true }
            guard !isOnCustom, key.code == .enter || key.code == .character(" ") else { return false }
            choose()
            return true
        case .paste:
            return isOnCustom && handleCustom(input)
        }
    }

    private mutating func handleCustom(_ input: EditorInput) -> Bool {
        guard custom?.handle(input) == true else { return false }
        if let value = custom?.value { chosen = value }
        return true
    }

    private mutating func choose() {
        if options.indices.contains(cursor.index) { chosen = options[cursor.index].value }
    }

    func lines(columns: Int, hasFocus: Bool) -> [EditorLine] {
        var lines = options.enumerated().map { index, option in
            let isHere = hasFocus && index == cursor.index
            let mark = option.value == chosen ? "(•) " : "( ) "
            return EditorLine(
                [.init(mark + option.name, isHere ? .selected : .plain, target: [index])],
                isFocused: isHere
            )
        }
        guard let custom else { return lines }
        let mark = hasCustomValue ? "(•) Other" : "( ) Other"
        lines.append(EditorLine([.init(mark, target: [options.count])]))
        lines += custom.lines(columns: columns - 4, hasFocus: hasFocus && isOnCustom)
            .map { $0.inside(options.count, indentedBy: "    ") }
        return lines
    }
}
