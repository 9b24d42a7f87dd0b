// SPDX-License-Identifier: Apache-2.0

import Basics
import TerminalUI
import Testing

struct RGBColorBlendTests {
    private let pink = RGBColor(red: 255, green: 182, blue: 193)
    private let navy = RGBColor(red: 0, green: 0, blue: 128)

    @Test(arguments: [(-1.0, 0.0), (0, 0), (1, 1), (2, 1), (.infinity, 1), (-.infinity, 0), (.nan, 0)])
    func sharesAreClamped(share: Double, effective: Double) {
        #expect(pink.blended(with: navy, share: share) == (effective == 0 ? pink : navy))
    }

    @Test func everyStepBetweenBlackAndWhiteIsReached() {
        let (black, white) = (RGBColor(0), RGBColor(0xFFFFFF))
        for value in 0...255 {
            let mixed = black.blended(with: white, share: Double(value) / 255)
            #expect(mixed == RGBColor(UInt32(value) * 0x010101))
        }
    }
}

struct RGBColorContrastTests {
    @Test(arguments: [
        ("#000000", "#FFFFFF", 21.0),
        ("#FFFFFF", "#FFFFFF", 1.0),
        ("#767676", "#FFFFFF", 4.54),
        ("#777777", "#FFFFFF", 4.48),
        ("#FF0000", "#FFFFFF", 4.00),
        ("#0000FF", "#FFFFFF", 8.59),
        ("#FFFF00", "#000000", 19.56),
    ])
    func knownPairsHaveTheirRatio(first: String, second: String, ratio: Double) throws {
        let (first, second) = (try #require(RGBColor(first)), try #require(RGBColor(second)))
        #expect(abs(first.contrast(with: second) - ratio) < 0.005)
        #expect(first.contrast(with: second) == second.contrast(with: first))
    }
}
