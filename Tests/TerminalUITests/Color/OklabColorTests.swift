// SPDX-License-Identifier: Apache-2.0

import Basics
import Testing

@testable import TerminalUI

struct OklabColorTests {
    /// The corners of sRGB as CSS Color 4 and its implementations give them, to six digits.
    static let published: [(color: UInt32, lightness: Double, a: Double, b: Double)] = [
        (0x000000, 0, 0, 0),
        (0xFFFFFF, 1, 0, 0),
        (0xFF0000, 0.627955, 0.224863, 0.125846),
        (0x00FF00, 0.866440, -0.233888, 0.179498),
        (0x0000FF, 0.452014, -0.032457, -0.311528),
        (0x00FFFF, 0.905399, -0.149444, -0.039398),
        (0xFF00FF, 0.701674, 0.274566, -0.169156),
        (0xFFFF00, 0.967983, -0.071369, 0.198570),
        (0x008000, 0.519752, -0.140302, 0.107676),
    ]

    @Test(arguments: published)
    func colorsHaveThePublishedCoordinates(color: UInt32, lightness: Double, a: Double, b: Double) {
        let oklab = OklabColor(RGBColor(color))
        #expect(abs(oklab.lightness - lightness) < 2e-6)
        #expect(abs(oklab.a - a) < 2e-6)
        #expect(abs(oklab.b - b) < 2e-6)
    }

    @Test func everyColorRoundTrips() {
        let colors = RGBColor.grid(levels: 18) + RGBColor.scattered(2000, seed: 3)
        #expect(colors.filter { OklabColor($0).rgb != $0 } == [])
    }

    @Test(arguments: [(-1.0, 0xFF0000), (0, 0xFF0000), (1, 0x0000FF), (2, 0x0000FF), (.nan, 0xFF0000)])
    func aMixtureBeginsAndEndsWithItsColors(share: Double, result: UInt32) {
        let (red, blue) = (OklabColor(RGBColor(0xFF0000)), OklabColor(RGBColor(0x0000FF)))
        #expect(red.mixed(with: blue, share: share).rgb == RGBColor(result))
    }

    /// Chroma beyond sRGB at the new lightness is reduced, without changing hue or lightness.
    @Test(arguments: [-1.5, -0.5, -0.12, -0.08, 0.08, 0.12, 0.5, 1.5])
    func anotherLightnessKeepsTheHue(share: Double) {
        let strays = RGBColor.grid(levels: 6).filter { color in
            let before = OklabColor(color)
            let moved = before.movingLightness(by: share)
            let after = OklabColor(moved.rgb)
            // Near black, one step of a channel is a lot of lightness.
            let tolerance = moved.lightness < 0.2 ? 0.035 : 0.01
            if abs(after.lightness - moved.lightness) > tolerance { return true }
            // Rounding decides the hue of what is nearly grey or black.
            if after.chroma < 0.04 || moved.lightness < 0.2 { return after.chroma > before.chroma + 0.04 }
            let cosine = (after.a * before.a + after.b * before.b) / (after.chroma * before.chroma)
            return cosine < 0.99 || after.chroma > before.chroma + 0.01
        }
        #expect(strays == [])
    }
}
