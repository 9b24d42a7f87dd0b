// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TerminalUI
import Testing

@testable import LiveryScreens

struct ColorEditorTests {
    private static let colors = ["#FFFFFF", "#000000", "#FFB6C1", "#0000FF", "#808080", "#E5E5E5", "#00FF7F"]

    private static func editor(_ color: String, initial: String = "#87CEFA") -> ColorEditor {
        ColorEditor(.string(color), initial: .string(initial))
    }

    private static func text(_ line: EditorLine) -> String { line.spans.map(\.text).joined() }

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

    @Test func allPartsFollowTheText() {
        var editor = Self.editor("#FF8800", initial: "#000000")
        for digit in "#FFFFFF" { _ = editor.handle(.key(.character(digit))) }
        #expect(editor.value == "#FFFFFF", "typed over the former colour")
        let texts = editor.lines(columns: 38, hasFocus: true).map(Self.text)
        #expect(texts[0].hasSuffix(" old  new  ΔE 100.0") && texts[1].hasSuffix("black 21.0:1"))
        #expect(texts.suffix(6).prefix(3).allSatisfy { $0.hasSuffix(" 255") })
        _ = editor.handle(.key(Key(.backspace)))
        let others = editor.lines(columns: 38, hasFocus: true).map(Self.text)
        #expect(others[0].hasSuffix(" old  no colour"))
        #expect(others.suffix(6).allSatisfy { $0.hasSuffix("─ –") })
        #expect(!others.contains { $0.contains("black") || $0.contains("ΔE") })
    }
}
