// SPDX-License-Identifier: Apache-2.0

import Basics
import TerminalUI
import TestSupport
import Testing

struct HSLColorTests {
    /// Values from the examples of CSS Color 4, section 7.1, and by hand.
    @Test(arguments: [
        (UInt32(0xFF0000), 0.0, 1.0, 0.5), (0x00FF00, 120, 1, 0.5), (0x0000FF, 240, 1, 0.5), (0x808080, 0, 0, 0.502),
        (0xFFFFFF, 0, 0, 1), (0xFF00FF, 300, 1, 0.5),
    ])
    func knownColors(rgb: UInt32, hue: Double, saturation: Double, lightness: Double) {
        let color = HSLColor(RGBColor(rgb))
        #expect(abs(color.hue - hue) < 0.01)
        #expect(abs(color.saturation - saturation) < 0.01)
        #expect(abs(color.lightness - lightness) < 0.01)
    }

    @Test func everyColorRoundTrips() {
        var random = SeededGenerator(seed: 8)
        for _ in 0..<100_000 {
            let color = RGBColor(UInt32.random(in: 0...0xFFFFFF, using: &random))
            #expect(HSLColor(color).rgb == color)
        }
    }
}
