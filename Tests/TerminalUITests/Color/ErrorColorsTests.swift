// SPDX-License-Identifier: Apache-2.0

import Basics
import Testing

@testable import TerminalUI

struct ErrorColorsTests {
    @Test(arguments: [ColorDepth.direct, .indexed256, .ansi16])
    func errorsAreReadableReds(depth: ColorDepth) {
        let matcher = ColorMatcher(depth: depth)
        for color in RGBColor.grid(levels: 6) {
            let background = matcher.match(color)
            // Of the reds of 16 colours, one cannot be seen on the other.
            guard let line = matcher.errorLine(on: background) else {
                #expect(depth == .ansi16 && background.rgb.isReddish, "\(color)")
                continue
            }
            #expect(line.text.rgb.contrast(with: line.ground.rgb) >= 4.5, "\(color)")
            #expect(line.ground.rgb.difference(to: background.rgb) >= 20, "\(color)")
            #expect(line.ground.rgb.isReddish, "\(color): \(line.ground.rgb)")
            let ground = matcher.panel(on: background).ground
            if let text = matcher.errorText(on: ground) { #expect(text.rgb.isReddish, "\(color): \(text.rgb)") }
        }
        let black = matcher.panel(on: matcher.match(RGBColor(0x000000))).ground
        #expect(matcher.errorText(on: black) != nil)
    }

    /// The eight colours have one red, which can be read on white alone.
    @Test func eightColorsHaveOneRed() {
        let matcher = ColorMatcher(depth: .ansi8)
        let (black, red) = (matcher.match(RGBColor(0x000000)), matcher.match(RGBColor(0xCD0000)))
        #expect(Theme(background: black, colors: matcher).error.background == .indexed(1))
        #expect(matcher.errorText(on: matcher.match(RGBColor(0xE5E5E5)))?.color == .indexed(1))
        #expect(matcher.errorText(on: black) == nil)
        let onRed = Theme(background: red, colors: matcher)
        #expect(onRed.error == onRed.inverse)
    }

    @Test func withoutColorsErrorsAreInverseOrBold() {
        let matcher = ColorMatcher(depth: .monochrome)
        for color in [0x000000, 0xFFFFFF] as [UInt32] {
            let theme = Theme(background: matcher.match(RGBColor(color)), colors: matcher)
            #expect(theme.error == theme.inverse)
            #expect(theme.style(of: .error) == theme.style(of: .title))
        }
    }
}

extension RGBColor {
    fileprivate var isReddish: Bool { Int(red) > Int(green) + 40 && Int(red) > Int(blue) + 40 }
}
