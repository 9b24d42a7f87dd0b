import ConfigDefinitions
import TerminalUI

/// A rating by stars: an editor of the demo's own, which its definition asks for by name.
struct StarsEditor: ValueEditing {
    private var count: Int
    private let most: Int

    /// - Parameter settings: an object whose `most` says how many stars there are.
    init(_ value: JSONValue, settings: JSONValue) {
        count = Int(value.number ?? 0)
        var most = 5
        if case .object(let members) = settings, case .integer(let wanted) = members["most"] { most = wanted }
        self.most = max(min(most, 20), 1)
    }

    var value: JSONValue? { .integer(count) }

    mutating func handle(_ input: EditorInput) -> Bool {
        switch input {
        case .click(let part, _): count = (part.first ?? 0) + 1
        case .key(let key):
            switch key.code {
            case .left, .down, .character("h"), .character("j"), .character("-"): count -= 1
            case .right, .up, .character("l"), .character("k"), .character("+"): count += 1
            case .character(let digit):
                guard let number = digit.wholeNumberValue else { return false }
                count = number
            default: return false
            }
        case .paste: return false
        }
        count = max(min(count, most), 0)
        return true
    }

    func lines(columns: Int, hasFocus: Bool) -> [EditorLine] {
        let stars = (0..<most).map { index in
            EditorLine.Span(index < count ? "★" : "☆", hasFocus ? .selected : .plain, target: [index])
        }
        return [EditorLine(stars, isFocused: hasFocus)]
    }
}
