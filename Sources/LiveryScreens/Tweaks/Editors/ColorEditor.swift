// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TerminalUI

/// A colour picker: a field for the digits, a grid of colours, and sliders for red, green, blue, hue, saturation, lightness.
struct ColorEditor: ValueEditing {
    private(set) var color: RGBColor
    // Stored in addition to the colour: grey has no hue, and yet the slider must not jump.
    private var hsl: HSLColor
    private(set) var field: TextField
    /// The colour without an override.
    let initial: RGBColor?
    private(set) var focus = 0
    private(set) var cell = 0

    static let sliders = ["Red", "Green", "Blue", "Hue", "Satur.", "Light."]
    /// The field, the grid, and the sliders.
    private static let parts = 0..<sliders.count + 2

    init(_ value: EntryValue, initial: EntryValue) {
        color = RGBColor(configValue: value) ?? RGBColor(0)
        self.initial = RGBColor(configValue: initial)
        hsl = HSLColor(color)
        field = TextField(selecting: color.description)
    }

    /// The colour in the field; `nil` while the text is not a colour.
    var parsed: RGBColor? { RGBColor(field.text) }
    var value: EntryValue? { parsed == nil ? nil : .string(color.description) }
    var problem: String? { parsed == nil ? "expected a colour such as #FFB6C1, found \"\(field.text)\"" : nil }
    var takesText: Bool { focus == 0 }

    mutating func finish() { if focus == 1 { show(ColorGrid.colors[cell]) } }

    mutating func selectText() { field.select() }

    mutating func load(_ value: EntryValue) { show(RGBColor(configValue: value) ?? RGBColor(0)) }

    mutating func handle(_ input: EditorInput) -> Bool {
        switch input {
        case .click(let part, let offset): return click(part, offset)
        case .wheel(let part, let steps):
            guard let slider = part.first, slider > 1, Self.parts.contains(slider) else { return false }
            focus = slider
            slide(to: levels[slider - 2] - Double(steps))
        case .paste(let text):
            if !takesText { return false }
            // Colours contain no white space, and a selection with the mouse often ends with some.
            field.insert(text.filter { !$0.isWhitespace })
            apply(parsed)
        case .key(let key):
            switch key.code {
            case .tab:
                let steps = key.modifiers.isEmpty ? 1 : Self.parts.count - 1
                focus = (focus + steps) % Self.parts.count
            case .down where focus == 0: focus = 1
            case _ where focus == 0:
                guard field.handle(key) else { return false }
                apply(parsed)
            case _ where focus == 1: return handleInGrid(key)
            default: return handleOnSlider(key)
            }
        }
        return true
    }

    private mutating func handleInGrid(_ key: Key) -> Bool {
        let (width, last) = (ColorGrid.columns, ColorGrid.colors.count - 1)
        switch key.code {
        case .left, .character("h"): cell = max(cell - 1, 0)
        case .right, .character("l"): cell = min(cell + 1, last)
        case .up, .character("k"): if cell < width { focus = 0 } else { cell -= width }
        case .down, .character("j"): if cell + width > last { focus = 2 } else { cell += width }
        case .enter, .character(" "): show(ColorGrid.colors[cell])
        default: return false
        }
        return true
    }

    private mutating func handleOnSlider(_ key: Key) -> Bool {
        switch key.code {
        case .up, .character("k"): focus -= 1
        case .down, .character("j"): focus = min(focus + 1, Self.parts.count - 1)
        case .home: slide(to: 0)
        case .end: slide(to: Self.range(focus - 2).upperBound)
        default:
            guard let steps = key.steps else { return false }
            slide(to: levels[focus - 2] + Double(steps))
        }
        return true
    }

    func part(draggedFrom start: [Int], over here: [Int]?) -> [Int]? {
        // In the grid the colour under the pointer is selected; fields and tracks capture the pointer.
        start.first == 1 ? here.flatMap { $0.first == 1 ? $0 : nil } : start
    }

    private mutating func click(_ part: [Int], _ offset: Int) -> Bool {
        guard let first = part.first, Self.parts.contains(first) else { return false }
        focus = first
        switch focus {
        case 0: field.click(column: offset, columns: part.last ?? 0)
        case 1:
            cell = min(part.last ?? 0, ColorGrid.colors.count - 1)
            show(ColorGrid.colors[cell])
        default: slide(to: SliderTrack.value(at: offset, of: part.last ?? 0, in: Self.range(focus - 2)))
        }
        return true
    }
}

extension ColorEditor {
    static func range(_ slider: Int) -> ClosedRange<Double> {
        slider < 3 ? 0...255 : slider == 3 ? 0...360 : 0...100
    }

    /// The values of the sliders.
    var levels: [Double] {
        [color.red, color.green, color.blue].map(Double.init) + [hsl.hue, hsl.saturation * 100, hsl.lightness * 100]
    }

    /// The colour after a slider was moved; with its parts, if the slider is one of them.
    func moved(_ slider: Int, to wanted: Double) -> (color: RGBColor, hsl: HSLColor?) {
        let range = Self.range(slider)
        var levels = levels
        levels[slider] = min(max(wanted.rounded(), range.lowerBound), range.upperBound)
        if slider < 3 {
            return (RGBColor(red: UInt8(levels[0]), green: UInt8(levels[1]), blue: UInt8(levels[2])), nil)
        }
        let hsl = HSLColor(hue: levels[3], saturation: levels[4] / 100, lightness: levels[5] / 100)
        return (hsl.rgb, hsl)
    }

    private mutating func slide(to wanted: Double) {
        let next = moved(focus - 2, to: wanted)
        show(next.color)
        // The parts of the colour as it was rounded would move the other sliders.
        if let parts = next.hsl { hsl = parts }
    }

    private mutating func show(_ color: RGBColor) {
        apply(color)
        field = TextField(selecting: color.description)
    }

    /// Selects a colour, if there is one, and leaves the text field unchanged.
    private mutating func apply(_ next: RGBColor?) {
        guard let next else { return }
        color = next
        let parts = HSLColor(next)
        let hue = parts.saturation == 0 ? hsl.hue : parts.hue
        hsl = HSLColor(hue: hue, saturation: parts.saturation, lightness: parts.lightness)
    }
}

/// The colours of the picker's grid: greys, and twelve hues in three lightnesses.
enum ColorGrid {
    static let columns = 12
    static let colors: [RGBColor] =
        (0..<columns).map { HSLColor(hue: 0, saturation: 0, lightness: Double($0) / 11).rgb }
        + [0.3, 0.5, 0.8].flatMap { lightness in
            (0..<columns).map { HSLColor(hue: Double($0) * 30, saturation: 1, lightness: lightness).rgb }
        }
}
