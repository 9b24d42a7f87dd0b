// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI

extension ColorEditor {
    func lines(columns: Int, hasFocus: Bool) -> [EditorLine] {
        [hexLine(hasFocus: hasFocus && focus == 0)]
            + gridLines(columns: columns, hasFocus: hasFocus && focus == 1)
            + Self.sliders.indices.map { sliderLine($0, columns: columns, hasFocus: hasFocus && focus == $0 + 2) }
    }

    /// The text field, and the colour next to the one without an override.
    private func hexLine(hasFocus: Bool) -> EditorLine {
        let hex = field.spans(columns: Self.fieldColumns, hasFocus: hasFocus, target: [0, Self.fieldColumns])
        var spans = [EditorLine.Span("Hex    ")] + hex + [.init(" ")]
        if let initial { spans.append(.init(" old ", .swatch(initial))) }
        if let parsed {
            spans.append(.init(initial == nil ? "      " : " new ", .swatch(parsed)))
            if let initial { spans.append(.init(" ΔE " + parsed.difference(to: initial).oneDecimal)) }
        } else {
            spans.append(.init(" no colour", .error))
        }
        return EditorLine(spans, isFocused: hasFocus)
    }

    private static let fieldColumns = 8

    private func gridLines(columns: Int, hasFocus: Bool) -> [EditorLine] {
        // Without room for square cells they are narrow.
        let width = columns < 2 * ColorGrid.columns ? 1 : 2
        let gap = min(max(columns - width * ColorGrid.columns - Self.factColumns, 0), 2)
        let facts = columns < 2 * ColorGrid.columns + Self.factColumns || parsed == nil ? [] : facts
        return stride(from: 0, to: ColorGrid.colors.count, by: ColorGrid.columns).enumerated().map { row, start in
            let cells = start..<min(start + ColorGrid.columns, ColorGrid.colors.count)
            let spans = cells.map { index in
                let mark = hasFocus && index == cell ? "[]" : "  "
                let tone = Tone.swatch(ColorGrid.colors[index])
                return EditorLine.Span(String(mark.prefix(width)), tone, target: [1, index])
            }
            let fact = facts.indices.contains(row) ? [.init(String(repeating: " ", count: gap))] + facts[row] : []
            return EditorLine(spans + fact, isFocused: hasFocus && cells.contains(cell))
        }
    }

    /// The WCAG 2.2 contrast of black and white text on the colour, and the nearest colour on terminals with 256.
    private var facts: [[EditorLine.Span]] {
        let ends = [("black ", RGBColor(0x000000)), ("white ", RGBColor(0xFFFFFF))]
        let contrasts = ends.map { name, other in
            let contrast = color.contrast(with: other).oneDecimal + ":1"
            return [EditorLine.Span(name, .dimmed), .init(contrast)]
        }
        let nearest = Self.palette256.match(color)
        guard case .indexed(let index) = nearest.color else { return contrasts }
        return contrasts + [
            [.init("256   ", .dimmed), .init(" \(index) ", .swatch(nearest.rgb))],
            [.init("   ΔE ", .dimmed), .init(nearest.difference.oneDecimal)],
        ]
    }

    private static let factColumns = 12
    private static let palette256 = ColorMatcher(depth: .indexed256)

    /// A track, painted if there are enough colours, with the value of a click on each of its columns.
    private func sliderLine(_ slider: Int, columns: Int, hasFocus: Bool) -> EditorLine {
        let (level, range, room) = (levels[slider], Self.range(slider), max(min(columns - 12, 36), 3))
        let name = EditorLine.Span(Self.sliders[slider].padded(toColumns: 6), hasFocus ? .selected : .plain)
        if parsed == nil {
            let track = EditorLine.Span(String(repeating: "─", count: room), .dimmed, target: [slider + 2, room])
            return EditorLine([name, .init(" "), track, .init(" –", .dimmed)], isFocused: hasFocus)
        }
        let track = SliderTrack(level, in: range, columns: room)
        let cells = zip(track.text, 0..<room).map { glyph, column in
            let isKnob = column == track.knob
            let value = SliderTrack.value(at: column, of: room, in: range)
            let shown = isKnob ? color : moved(slider, to: value).color
            return EditorLine.Span(
                isKnob ? String(glyph) : " ",
                .track(shown, plain: glyph),
                target: [slider + 2, room],
                offset: column
            )
        }
        return EditorLine([name, .init(" ")] + cells + [.init(" \(Int(level.rounded()))")], isFocused: hasFocus)
    }
}
