import ConfigDefinitions
import ConfigModel
import TerminalUI

/// A colour picker: a field for the digits, a grid of colours, and sliders for red, green, blue, hue, saturation, lightness.
struct ColorEditor: ValueEditing {
    private var color: RGBColor
    // Kept beside the colour: grey has no hue, and yet the slider must not jump.
    private var hsl: HSLColor
    private var field: TextField
    private let initial: RGBColor?
    private var focus = 0
    private var cell = 0

    private static let palette = ColorGrid.colors
    private static let sliders = ["Red", "Green", "Blue", "Hue", "Satur.", "Light."]

    init(_ value: JSONValue, initial: JSONValue) {
        color = Self.color(in: value) ?? RGBColor(rgb24: 0)
        self.initial = Self.color(in: initial)
        hsl = HSLColor(color)
        field = TextField(color.description)
    }

    private static func color(in value: JSONValue) -> RGBColor? {
        if case .string(let text) = value { return RGBColor(text) }
        return nil
    }

    private var typed: RGBColor? { RGBColor(field.text) }
    var value: JSONValue? { typed == nil ? nil : .string(color.description) }
    var problem: String? { typed == nil ? "expected a colour such as #FFB6C1" : nil }
    var takesText: Bool { focus == 0 }

    mutating func load(_ value: JSONValue) { show(Self.color(in: value) ?? RGBColor(rgb24: 0)) }

    mutating func handle(_ input: EditorInput) -> Bool {
        switch input {
        case .click(let part, let offset): click(part, offset)
        case .wheel(let part, let steps):
            guard let slider = part.first, slider > 1 else { return false }
            focus = slider
            slide(to: levels[slider - 2] - Double(steps))
        case .paste(let text):
            if !takesText { return false }
            field.insert(text)
            apply(typed)
        case .key(let key):
            switch key.code {
            case .tab where key.modifiers.isEmpty: focus = (focus + 1) % (Self.sliders.count + 2)
            case .tab: focus = (focus + Self.sliders.count + 1) % (Self.sliders.count + 2)
            case _ where focus == 0: return handleInField(key)
            case _ where focus == 1: return handleInGrid(key)
            default: return handleOnSlider(key)
            }
        }
        return true
    }

    private mutating func handleInField(_ key: Key) -> Bool {
        if key.code == .down {
            focus = 1
        } else {
            guard field.handle(key) else { return false }
            apply(typed)
        }
        return true
    }

    private mutating func handleInGrid(_ key: Key) -> Bool {
        let width = ColorGrid.columns
        switch key.code {
        case .left, .character("h"): cell = max(cell - 1, 0)
        case .right, .character("l"): cell = min(cell + 1, Self.palette.count - 1)
        case .up where cell < width, .character("k") where cell < width: focus = 0
        case .up, .character("k"): cell -= width
        case .down where cell + width >= Self.palette.count, .character("j") where cell + width >= Self.palette.count:
            focus = 2
        case .down, .character("j"): cell += width
        case .enter, .character(" "): show(Self.palette[cell])
        default: return false
        }
        return true
    }

    private mutating func handleOnSlider(_ key: Key) -> Bool {
        switch key.code {
        case .up, .character("k"): focus -= 1
        case .down, .character("j"): focus = min(focus + 1, Self.sliders.count + 1)
        case .home: slide(to: 0)
        case .end: slide(to: Self.range(focus - 2).upperBound)
        default:
            guard let steps = key.steps else { return false }
            slide(to: levels[focus - 2] + Double(steps))
        }
        return true
    }

    private mutating func click(_ part: [Int], _ offset: Int) {
        focus = part.first ?? 0
        switch focus {
        case 0: field.click(column: offset, columns: part.last ?? 0)
        case 1:
            cell = min(part.last ?? 0, Self.palette.count - 1)
            show(Self.palette[cell])
        default: slide(to: SliderTrack.value(at: offset, of: part.last ?? 0, in: Self.range(focus - 2)))
        }
    }
}

extension ColorEditor {
    private static func range(_ slider: Int) -> ClosedRange<Double> {
        slider < 3 ? 0...255 : slider == 3 ? 0...360 : 0...100
    }

    private var levels: [Double] {
        [color.red, color.green, color.blue].map(Double.init) + [hsl.hue, hsl.saturation * 100, hsl.lightness * 100]
    }

    private mutating func slide(to wanted: Double) {
        let (slider, range) = (focus - 2, Self.range(focus - 2))
        var levels = levels
        levels[slider] = min(max(wanted.rounded(), range.lowerBound), range.upperBound)
        if slider < 3 {
            show(RGBColor(red: UInt8(levels[0]), green: UInt8(levels[1]), blue: UInt8(levels[2])))
        } else {
            hsl = HSLColor(hue: levels[3], saturation: levels[4] / 100, lightness: levels[5] / 100)
            color = hsl.rgb
            field = TextField(color.description)
        }
    }

    private mutating func show(_ color: RGBColor) {
        apply(color)
        field = TextField(color.description)
    }

    /// Makes a colour the present one, if there is one, and leaves the field as it was typed.
    private mutating func apply(_ next: RGBColor?) {
        guard let next else { return }
        color = next
        let parts = HSLColor(next)
        let hue = parts.saturation == 0 ? hsl.hue : parts.hue
        hsl = HSLColor(hue: hue, saturation: parts.saturation, lightness: parts.lightness)
    }
}

extension ColorEditor {
    func lines(columns: Int, hasFocus: Bool) -> [EditorLine] {
        let swatch: [EditorLine.Span] = [
            .init("   "), .init("      ", .swatch(color)), .init(" "), .init(differenceText),
        ]
        let hex = field.spans(columns: 8, hasFocus: hasFocus && focus == 0, target: [0, 8])
        return [EditorLine([.init("Hex    ")] + hex + swatch, isFocused: hasFocus && focus == 0), contrastLine]
            + gridLines(hasFocus: hasFocus && focus == 1)
            + Self.sliders.indices.map { sliderLine($0, columns: columns, hasFocus: hasFocus && focus == $0 + 2) }
    }

    /// How far the colour is from the initial one, by CIEDE2000.
    private var differenceText: String {
        guard let initial else { return "" }
        return "ΔE " + color.difference(to: initial).oneDecimal
    }

    /// How well black and white can be read on the colour, by WCAG 2.2.
    private var contrastLine: EditorLine {
        let black = color.contrast(with: RGBColor(rgb24: 0x000000)).oneDecimal
        let white = color.contrast(with: RGBColor(rgb24: 0xFFFFFF)).oneDecimal
        return EditorLine([.init("Contrast \(black):1 to black, \(white):1 to white", .dimmed)])
    }

    private func gridLines(hasFocus: Bool) -> [EditorLine] {
        stride(from: 0, to: Self.palette.count, by: ColorGrid.columns).map { start in
            let cells = start..<min(start + ColorGrid.columns, Self.palette.count)
            let spans = cells.map { index in
                let mark = hasFocus && index == cell ? "[]" : "  "
                return EditorLine.Span(mark, .swatch(Self.palette[index]), target: [1, index])
            }
            return EditorLine(spans, isFocused: hasFocus && cells.contains(cell))
        }
    }

    private func sliderLine(_ slider: Int, columns: Int, hasFocus: Bool) -> EditorLine {
        let (level, room) = (levels[slider], max(min(columns - 12, 36), 3))
        let track = SliderTrack(level, in: Self.range(slider), columns: room)
        let spans: [EditorLine.Span] = [
            .init(Self.sliders[slider].padded(toColumns: 7)),
            .init(track.text, hasFocus ? .selected : .plain, target: [slider + 2, room]),
            .init(" \(Int(level.rounded()))"),
        ]
        return EditorLine(spans, isFocused: hasFocus)
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

extension Double {
    var oneDecimal: String {
        let tenths = Int((self * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

/// A colour of sRGB by hue, saturation and lightness, as CSS Color 4 defines them in section 7.
struct HSLColor {
    /// The hue in degrees, 0–360; 0 for greys.
    var hue: Double
    /// The saturation, 0–1.
    var saturation: Double
    /// The lightness, 0–1.
    var lightness: Double
}

extension HSLColor {
    init(_ color: RGBColor) {
        let channels = [color.red, color.green, color.blue].map { Double($0) / 255 }
        let (red, green, blue) = (channels[0], channels[1], channels[2])
        let (most, least) = (max(red, green, blue), min(red, green, blue))
        let spread = most - least
        lightness = (most + least) / 2
        saturation = spread == 0 ? 0 : spread / (1 - abs(2 * lightness - 1))
        if spread == 0 {
            hue = 0
        } else if most == red {
            hue = 60 * ((green - blue) / spread + (green < blue ? 6 : 0))
        } else if most == green {
            hue = 60 * ((blue - red) / spread + 2)
        } else {
            hue = 60 * ((red - green) / spread + 4)
        }
    }

    /// The colour, each channel rounded to the nearest of 0–255.
    var rgb: RGBColor {
        RGBColor(red: channel(0), green: channel(8), blue: channel(4))
    }

    private func channel(_ offset: Double) -> UInt8 {
        let position = (offset + hue / 30).truncatingRemainder(dividingBy: 12)
        let spread = saturation * min(lightness, 1 - lightness)
        let value = lightness - spread * max(-1, min(position - 3, 9 - position, 1))
        return UInt8((min(max(value, 0), 1) * 255).rounded())
    }
}
