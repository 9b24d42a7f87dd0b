// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TerminalUI
import Testing

@testable import LiveryApp

struct ColorEditorTests {
    private static let colors = ["#FFFFFF", "#000000", "#FFB6C1", "#0000FF", "#808080", "#E5E5E5", "#00FF7F"]

    private static func editor(_ color: String, initial: String = "#87CEFA") -> ColorEditor {
        ColorEditor(.string(color), initial: .string(initial))
    }

    private static func text(_ line: EditorLine) -> String { line.spans.map(\.text).joined() }

    /// 38 columns are what the panel has beside a main screen of 80, and 36 what it has on one of 40.
    @Test(arguments: colors, [38, 36])
    func nothingOfThePickerIsCut(color: String, columns: Int) {
        for initial in ["#000000", "#FFFFFF"] {
            for line in Self.editor(color, initial: initial).lines(columns: columns, hasFocus: true) {
                #expect(line.columnWidth <= columns, "\(Self.text(line))")
            }
        }
    }

    @Test(arguments: colors)
    func everyCellOfATrackHasTheColorThatAClickThereGives(color: String) throws {
        for slider in ColorEditor.sliders.indices {
            let editor = Self.editor(color)
            let lines = editor.lines(columns: 38, hasFocus: false)
            let line = try #require(lines.first { Self.text($0).hasPrefix(ColorEditor.sliders[slider]) })
            for span in line.spans {
                guard case .track(let shown, let plain) = span.tone, let target = span.target else { continue }
                if plain == "●" {
                    #expect(span.text == "●", "the knob is seen on its colour")
                    #expect(.string(shown.description) == editor.value)
                    continue
                }
                var clicked = editor
                _ = clicked.handle(.click(target, offset: span.offset))
                #expect(clicked.value == .string(shown.description), "\(line.spans[0].text) at \(span.offset)")
            }
        }
    }

    @Test func theFactsAreThoseOfTheColor() {
        let texts = Self.editor("#FFFFFF", initial: "#000000").lines(columns: 38, hasFocus: false).map(Self.text)
        #expect(texts[0].contains("#FFFFFF"))
        #expect(texts[0].hasSuffix(" old  new  ΔE 100.0"))
        #expect(texts[1].hasSuffix("black 21.0:1"))
        #expect(texts[2].hasSuffix("white 1.0:1"))
        #expect(texts[3].hasSuffix("256    231 "))
        #expect(texts[4].hasSuffix("ΔE 0.0"))
        let pink = Self.editor("#FFB6C1").lines(columns: 38, hasFocus: false).map(Self.text)
        #expect(pink[3].hasSuffix("256    217 "))
        #expect(pink[4].hasSuffix("ΔE 4.6"))
    }

    @Test func oldAndNewAreSideBySide() {
        let swatches = Self.editor("#102030").lines(columns: 38, hasFocus: false)[0].spans.compactMap { span in
            if case .swatch(let color) = span.tone { color.description } else { nil as String? }
        }
        #expect(swatches == ["#87CEFA", "#102030"])
    }

    @Test(arguments: [ColorDepth.direct, .indexed256, .ansi16, .ansi8, .monochrome])
    @MainActor
    func theTracksArePaintedWhereThereAreColorsEnough(depth: ColorDepth) throws {
        let desk = try TweakDesk(depth: depth)
        desk.open("Colour picker")
        let grid = desk.model.view()
        let row = try #require(grid.lines.firstIndex { $0.contains("│ Red ") })
        let track = Array(grid.row(row))[45..<71]
        let (glyphs, grounds) = (Set(track.compactMap(\.cluster)), Set(track.map(\.style.background)))
        #expect(glyphs == (depth.hasShades ? [" ", "●"] : ["━", "●", "─"]))
        #expect((grounds.count > 5) == depth.hasShades)
    }
}
