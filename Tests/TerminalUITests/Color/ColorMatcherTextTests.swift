// SPDX-License-Identifier: Apache-2.0

import Basics
import Testing

@testable import TerminalUI

struct ColorMatcherTextTests {
    private static let black = RGBColor(0x000000)
    private static let white = RGBColor(0xFFFFFF)

    @Test func textIsReadableOnAnyColor() {
        let matcher = ColorMatcher(depth: .direct)
        let unreadable = RGBColor.grid(levels: 16).filter { color in
            let text = matcher.text(on: matcher.match(color)).rgb
            let other = text == Self.black ? Self.white : Self.black
            return text.contrast(with: color) < max(4.58, other.contrast(with: color))
        }
        #expect(unreadable == [])
    }

    @Test(arguments: [(0xFFFFFF, 0x767676), (0x000000, 0x757575), (0xFFB6C1, 0x6C4D52)])
    func dimmedTextIsJustReadable(background: Int, expected: Int) {
        let matcher = ColorMatcher(depth: .direct)
        let shown = matcher.dimmedText(on: matcher.match(RGBColor(UInt32(background))))
        #expect(shown.rgb == RGBColor(UInt32(expected)))
    }

    @Test(arguments: [(ColorDepth.direct, 255), (.indexed256, 32), (.ansi16, 32)])
    func noMixtureIsDimmerAndReadable(depth: ColorDepth, steps: Int) {
        let matcher = ColorMatcher(depth: depth)
        for color in Palette.fixed240.entries.map(\.color) {
            let background = matcher.match(color)
            let text = matcher.text(on: background).rgb
            let contrasts = (0...steps).compactMap { step -> Double? in
                let mixture = text.blended(with: background.rgb, share: Double(step) / Double(steps))
                let shown = matcher.match(mixture)
                // A text that can only be shown in a very different colour is not mixed.
                return shown.difference <= 12 ? shown.rgb.contrast(with: background.rgb) : nil
            }
            let dimmed = matcher.dimmedText(on: background).rgb.contrast(with: background.rgb)
            #expect(dimmed == contrasts.filter { $0 >= 4.5 }.min(), "\(color)")
        }
    }

    /// The white of eight colours is a grey, and neither it nor black reaches 4.5 on xterm's magenta.
    @Test func aPoorPaletteGivesTheBestAvailable() {
        let matcher = ColorMatcher(depth: .ansi8)
        let magenta = matcher.match(RGBColor(0xCD00CD))
        #expect(matcher.text(on: magenta).color == .indexed(0))
        #expect(matcher.dimmedText(on: magenta).color == .indexed(0))
    }
}
