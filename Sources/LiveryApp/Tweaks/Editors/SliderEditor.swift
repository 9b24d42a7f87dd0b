import ConfigDefinitions
import TerminalUI

/// A slider for a number within a range.
struct SliderEditor: ValueEditing {
    private var number: JSONValue
    private let range: ClosedRange<Double>
    private let form: ValueForm

    init(_ value: JSONValue, range: ClosedRange<Double>, form: ValueForm) {
        number = value
        self.range = range
        self.form = form
    }

    var value: JSONValue? { number }

    mutating func handle(_ input: EditorInput) -> Bool {
        switch input {
        case .click(let part, let offset):
            set(SliderTrack.value(at: offset, of: part.last ?? 0, in: range))
            return true
        case .key(let key): return handle(key)
        case .paste: return false
        }
    }

    private mutating func handle(_ key: Key) -> Bool {
        let size = key.modifiers.isEmpty ? 1 : 10
        switch key.code {
        case .left, .down, .character("h"), .character("j"), .character("-"): step(by: -size)
        case .right, .up, .character("l"), .character("k"), .character("+"): step(by: size)
        case .character("H"): step(by: -10)
        case .character("L"): step(by: 10)
        case .home: set(range.lowerBound)
        case .end: set(range.upperBound)
        default: return false
        }
        return true
    }

    private mutating func step(by steps: Int) {
        number = TweakEditor.slider(range: range).stepped(number, by: steps).flatMap(form.normalized) ?? number
    }

    private mutating func set(_ value: Double) {
        // A type of whole numbers takes the nearest one.
        number = form.normalized(.double(value.tidied)) ?? form.normalized(.double(value.rounded())) ?? number
    }

    func lines(columns: Int, hasFocus: Bool) -> [EditorLine] {
        let text = form.preview(of: number)
        let room = max(min(columns - 12, 40), 3)
        let track = SliderTrack(number.number ?? range.lowerBound, in: range, columns: room)
        let slider = EditorLine.Span(track.text, hasFocus ? .selected : .plain, target: [0, room])
        return [EditorLine([slider, .init(" " + text)], isFocused: hasFocus)]
    }
}

extension JSONValue {
    /// The number, if it is one.
    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }
}

extension Double {
    /// The number with four digits after the point, which is more than a column of a slider resolves.
    fileprivate var tidied: Double { (self * 10_000).rounded() / 10_000 }
}
