// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TerminalUI

/// A switch, or two buttons with names, for a Boolean.
struct SwitchEditor: ValueEditing {
    var isOn: Bool
    let names: (off: String, on: String)?

    var value: EntryValue? { .boolean(isOn) }
    var hint: String { "Space switches" }

    mutating func load(_ value: EntryValue) { isOn = value == .boolean(true) }

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
        case .paste, .wheel: return false
        }
        return true
    }

    func lines(columns: Int, hasFocus: Bool) -> [EditorLine] {
        let on: Tone = hasFocus ? .selected : .title
        guard let names else { return [.part(isOn ? "[x] on" : "[ ] off", at: [0], isFocused: hasFocus)] }
        let spans: [EditorLine.Span] = [
            .init("[ \(names.off) ]", isOn ? .plain : on, target: [0]), .init(" "),
            .init("[ \(names.on) ]", isOn ? on : .plain, target: [1]),
        ]
        return [EditorLine(spans, isFocused: hasFocus)]
    }
}

/// A rating by stars: a custom editor of the demo, which its definition selects by name.
struct StarsEditor: ValueEditing {
    private var count = 0
    private let most: Int

    /// - Parameter settings: an object whose `most` is the number of stars.
    init(_ value: EntryValue, settings: EntryValue) {
        let wanted = settings.members?["most"].flatMap { Int(configValue: $0) }
        most = max(min(wanted ?? 5, 20), 1)
        load(value)
    }

    var value: EntryValue? { .integer(count) }

    mutating func load(_ value: EntryValue) {
        // A file may contain any number, including one that is not a number of stars.
        if case .integer(let number) = value { count = max(min(number, most), 0) } else { count = 0 }
    }

    mutating func handle(_ input: EditorInput) -> Bool {
        switch input {
        case .click(let part, _): count = (part.first ?? 0) + 1
        case .key(let key):
            if let steps = key.steps {
                count += steps.signum()
            } else if case .character(let digit) = key.code, let number = digit.wholeNumberValue {
                count = number
            } else {
                return false
            }
        case .wheel(_, let steps): count -= steps
        case .paste: return false
        }
        count = max(min(count, most), 0)
        return true
    }

    func part(draggedFrom start: [Int], over here: [Int]?) -> [Int]? { here }

    func lines(columns: Int, hasFocus: Bool) -> [EditorLine] {
        let stars = (0..<most).map { index in
            EditorLine.Span(index < count ? "★" : "☆", hasFocus ? .selected : .plain, target: [index])
        }
        return [EditorLine(stars, isFocused: hasFocus)]
    }
}

/// A slider for a number within a range.
struct SliderEditor: ValueEditing {
    var number: EntryValue
    let range: ClosedRange<Double>
    let form: ValueForm

    var value: EntryValue? { number }

    mutating func load(_ value: EntryValue) { number = value }

    mutating func handle(_ input: EditorInput) -> Bool {
        switch input {
        case .click(let part, let offset): set(SliderTrack.value(at: offset, of: part.last ?? 0, in: range))
        case .key(let key) where key.code == .home: set(range.lowerBound)
        case .key(let key) where key.code == .end: set(range.upperBound)
        case .key(let key):
            guard let steps = key.steps else { return false }
            step(by: steps)
        case .wheel(_, let steps): step(by: -steps)
        case .paste: return false
        }
        return true
    }

    func part(draggedFrom start: [Int], over here: [Int]?) -> [Int]? { start }

    private mutating func step(by steps: Int) {
        number = TweakEditor.slider(range: range).stepped(number, by: steps).flatMap(form.normalized) ?? number
    }

    private mutating func set(_ value: Double) {
        // Four digits are more than a column resolves; a type of whole numbers takes the nearest one.
        let tidied = (value * 10_000).rounded() / 10_000
        number = form.normalized(.double(tidied)) ?? form.normalized(.double(value.rounded())) ?? number
    }

    func lines(columns: Int, hasFocus: Bool) -> [EditorLine] {
        let position = Double(configValue: number)
        let track = SliderTrack(position ?? range.lowerBound, in: range, columns: max(min(columns - 12, 40), 3))
        let slider = EditorLine.Span(track.text, hasFocus ? .selected : .plain, target: [0, track.columns])
        return [EditorLine([slider, .init(" " + form.preview(of: number))], isFocused: hasFocus)]
    }
}

/// A track with a knob, for a number within a range.
struct SliderTrack {
    /// The position of the knob, from 0 (left) to 1 (right).
    private let share: Double
    let columns: Int

    /// - Parameter value: shown at an end where it is outside the range.
    init(_ value: Double, in range: ClosedRange<Double>, columns: Int) {
        let extent = range.upperBound - range.lowerBound
        let share = extent > 0 ? (value - range.lowerBound) / extent : 0
        self.share = share > 0 ? min(share, 1) : 0
        self.columns = max(columns, 1)
    }

    /// The column of the knob.
    var knob: Int { Int((share * Double(columns - 1)).rounded()) }

    var text: String {
        String(repeating: "━", count: knob) + "●" + String(repeating: "─", count: columns - 1 - knob)
    }

    static func value(at column: Int, of columns: Int, in range: ClosedRange<Double>) -> Double {
        let share = columns > 1 ? Double(min(max(column, 0), columns - 1)) / Double(columns - 1) : 0
        return range.lowerBound + share * (range.upperBound - range.lowerBound)
    }
}

extension Key {
    /// The number of steps that the key moves along a scale, by arrows or as in vi.
    var steps: Int? {
        let size = modifiers.isEmpty ? 1 : 10
        switch code {
        case .left, .down, .character("h"), .character("j"), .character("-"): return -size
        case .right, .up, .character("l"), .character("k"), .character("+"): return size
        case .character("H"): return -10
        case .character("L"): return 10
        default: return nil
        }
    }
}
