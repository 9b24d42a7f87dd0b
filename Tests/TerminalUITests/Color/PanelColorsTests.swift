// SPDX-License-Identifier: Apache-2.0

import Basics
import Testing

@testable import TerminalUI

struct PanelColorsTests {
    @Test func thePanelIsTheBackgroundALittleLighterOrDarker() {
        let matcher = ColorMatcher(depth: .direct)
        for color in RGBColor.grid(levels: 8) {
            let ground = matcher.panel(on: matcher.match(color)).ground.rgb
            let own = OklabColor(color).lightness
            let moved = abs(OklabColor(ground).lightness - own)
            // Eight bits a channel are coarse near black, where less than this could not be seen.
            #expect((0.075...(own < 0.16 ? 0.185 : 0.125)).contains(moved), "\(color) by \(moved)")
            #expect(ground.difference(to: color) >= 3, "\(color)")
        }
    }

    @Test(arguments: [ColorDepth.direct, .indexed256, .ansi16])
    func everyTextOnAPanelIsReadable(depth: ColorDepth) {
        let matcher = ColorMatcher(depth: depth)
        for color in RGBColor.grid(levels: 9) {
            let panel = matcher.panel(on: matcher.match(color))
            for text in [panel.text, panel.dimmed, panel.accent, panel.error] {
                #expect(
                    text.rgb.contrast(with: panel.ground.rgb) >= 4.5,
                    "\(color): \(text.rgb) on \(panel.ground.rgb)"
                )
            }
        }
    }

    @Test(arguments: [ColorDepth.monochrome, .ansi8, .ansi16])
    func fewColorsExchangeTextAndBackground(depth: ColorDepth) {
        let matcher = ColorMatcher(depth: depth)
        for color in RGBColor.grid(levels: 4) {
            let background = matcher.match(color)
            let panel = matcher.panel(on: background)
            #expect(panel.ground.color == matcher.text(on: background).color)
            #expect(panel.text.color == background.color)
            #expect(!panel.isToned)
        }
    }

    /// The panel's displayed ground differs from the background, in the same hue.
    @Test func aPaletteWithoutTheToneExchangesTextAndBackground() {
        let few = Palette(
            entries: [0x000000, 0xFFFFFF, 0xFFB6C1, 0x80C0FF].enumerated().map { index, number in
                Palette.Entry(index: index, color: RGBColor(number))
            }
        )
        let matcher = ColorMatcher(depth: .indexed256, palette: few)
        let background = matcher.match(RGBColor(0xFFB6C1))
        #expect(matcher.panel(on: background).ground.rgb == RGBColor(0x000000))

        let full = ColorMatcher(depth: .indexed256)
        for color in RGBColor.grid(levels: 6) {
            let background = full.match(color)
            let panel = full.panel(on: background)
            #expect(panel.ground.color != background.color, "\(color)")
            guard panel.isToned else { continue }
            let (own, ground) = (OklabColor(background.rgb), OklabColor(panel.ground.rgb))
            let (a, b) = (own.a - ground.a, own.b - ground.b)
            let distance = (a * a + b * b).squareRoot()
            #expect(distance <= 0.03 + 0.3 * own.chroma, "\(color)")
        }
    }

    @Test func theAccentHasTheHueOfTheBackground() {
        let matcher = ColorMatcher(depth: .direct)
        for number in [0xFFB6C1, 0x87CEFA, 0x1E1E2E, 0x228B22, 0x8B0000] as [UInt32] {
            let own = OklabColor(RGBColor(number))
            let accent = OklabColor(matcher.panel(on: matcher.match(RGBColor(number))).accent.rgb)
            let cosine = (own.a * accent.a + own.b * accent.b) / (own.chroma * accent.chroma)
            #expect(cosine > 0.98, "\(RGBColor(number))")
        }
        let grey = matcher.panel(on: matcher.match(RGBColor(0x808080)))
        #expect(grey.accent == grey.text)
    }
}
