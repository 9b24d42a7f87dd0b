// SPDX-License-Identifier: Apache-2.0

import Basics
import Testing

@testable import TerminalUI

/// A grey that turns into a hue is worse than one that is too dark.
struct GreyTests {
    private static let greys = (0...255).map { RGBColor(UInt32($0) * 0x010101) }
    /// Colours with a hue that is hardly visible.
    private static let nearlyGrey = RGBColor.grid(levels: 18).filter { LabColor($0).chroma < 5 }

    @Test(arguments: [ColorDepth.monochrome, .ansi8, .ansi16, .indexed256])
    func greysStayGreyInEveryStandardPalette(depth: ColorDepth) {
        let matcher = ColorMatcher(depth: depth)
        #expect(Self.greys.filter { LabColor(matcher.match($0).rgb).chroma > 0 } == [])
        let most = depth == .indexed256 ? 12.0 : 0
        #expect(Self.nearlyGrey.filter { LabColor(matcher.match($0).rgb).chroma > most } == [])
    }

    /// Solarized's black and white have some hue themselves.
    @Test(arguments: ["Linux console", "Solarized", "Tango", "Dracula"], [8, 16])
    func greysStayGreyInTheThemesPeopleUse(name: String, count: Int) throws {
        let palette = try #require(Palette.themes[name]).prefix(count)
        let matcher = ColorMatcher(depth: count == 8 ? .ansi8 : .ansi16, palette: palette)
        let strays = (Self.greys + Self.nearlyGrey).filter { LabColor(matcher.match($0).rgb).chroma > 17 }
        #expect(strays == [])
    }

    @Test func blackAndWhiteAreExtremesInEveryTheme() {
        for (name, palette) in Palette.themes {
            let matcher = ColorMatcher(depth: .ansi8, palette: palette.prefix(8))
            #expect(matcher.match(RGBColor(0x000000)).color == .indexed(0), "\(name)")
            #expect(matcher.match(RGBColor(0xFFFFFF)).color == .indexed(7), "\(name)")
        }
    }

    /// Dark teal was magenta, and slate grey too.
    @Test(arguments: ["#3C5A5A", "#004B5A", "#708090", "#2F4F4F"])
    func aDullColorTakesNoStrangeHue(name: String) throws {
        let color = try #require(RGBColor(name))
        for depth in [ColorDepth.ansi8, .ansi16] {
            let (asked, shown) = (LabColor(color), LabColor(ColorMatcher(depth: depth).match(color).rgb))
            #expect(shown.chroma == 0 || asked.a * shown.a + asked.b * shown.b > 0.8 * asked.chroma * shown.chroma)
        }
    }
}

extension LabColor {
    fileprivate var chroma: Double { (a * a + b * b).squareRoot() }
}
