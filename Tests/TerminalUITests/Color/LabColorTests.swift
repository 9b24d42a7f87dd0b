// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import TestSupport
import Testing

@testable import TerminalUI

struct LabColorTests {
    /// Published values; converters differ by up to 0.02 in how they round the standard's matrix.
    @Test(arguments: [
        ("#000000", LabColor(lightness: 0, a: 0, b: 0)),
        ("#010101", LabColor(lightness: 0.274, a: 0, b: 0)),
        ("#808080", LabColor(lightness: 53.585, a: 0, b: 0)),
        ("#FFFFFF", LabColor(lightness: 100, a: 0, b: 0)),
        ("#FF0000", LabColor(lightness: 53.24, a: 80.09, b: 67.20)),
        ("#00FF00", LabColor(lightness: 87.74, a: -86.18, b: 83.18)),
        ("#0000FF", LabColor(lightness: 32.30, a: 79.19, b: -107.86)),
        ("#00FFFF", LabColor(lightness: 91.11, a: -48.09, b: -14.13)),
        ("#FF00FF", LabColor(lightness: 60.32, a: 98.23, b: -60.82)),
        ("#FFFF00", LabColor(lightness: 97.14, a: -21.55, b: 94.48)),
    ])
    func knownColorsConvert(hex: String, expected: LabColor) throws {
        let lab = LabColor(try #require(RGBColor(hex)))
        #expect(abs(lab.lightness - expected.lightness) < 0.01)
        #expect(abs(lab.a - expected.a) < 0.025)
        #expect(abs(lab.b - expected.b) < 0.025)
    }
}

struct LabDifferenceTests {
    /// Table 1 of Sharma, Wu and Dalal (2005): each row is L, a and b of two colours and their ΔE00.
    static let publishedPairs: [[Double]] = [
        [50.0000, 2.6772, -79.7751, 50.0000, 0.0000, -82.7485, 2.0425],
        [50.0000, 3.1571, -77.2803, 50.0000, 0.0000, -82.7485, 2.8615],
        [50.0000, 2.8361, -74.0200, 50.0000, 0.0000, -82.7485, 3.4412],
        [50.0000, -1.3802, -84.2814, 50.0000, 0.0000, -82.7485, 1.0000],
        [50.0000, -1.1848, -84.8006, 50.0000, 0.0000, -82.7485, 1.0000],
        [50.0000, -0.9009, -85.5211, 50.0000, 0.0000, -82.7485, 1.0000],
        [50.0000, 0.0000, 0.0000, 50.0000, -1.0000, 2.0000, 2.3669],
        [50.0000, -1.0000, 2.0000, 50.0000, 0.0000, 0.0000, 2.3669],
        [50.0000, 2.4900, -0.0010, 50.0000, -2.4900, 0.0009, 7.1792],
        [50.0000, 2.4900, -0.0010, 50.0000, -2.4900, 0.0010, 7.1792],
        [50.0000, 2.4900, -0.0010, 50.0000, -2.4900, 0.0011, 7.2195],
        [50.0000, 2.4900, -0.0010, 50.0000, -2.4900, 0.0012, 7.2195],
        [50.0000, -0.0010, 2.4900, 50.0000, 0.0009, -2.4900, 4.8045],
        [50.0000, -0.0010, 2.4900, 50.0000, 0.0010, -2.4900, 4.8045],
        [50.0000, -0.0010, 2.4900, 50.0000, 0.0011, -2.4900, 4.7461],
        [50.0000, 2.5000, 0.0000, 50.0000, 0.0000, -2.5000, 4.3065],
        [50.0000, 2.5000, 0.0000, 73.0000, 25.0000, -18.0000, 27.1492],
        [50.0000, 2.5000, 0.0000, 61.0000, -5.0000, 29.0000, 22.8977],
        [50.0000, 2.5000, 0.0000, 56.0000, -27.0000, -3.0000, 31.9030],
        [50.0000, 2.5000, 0.0000, 58.0000, 24.0000, 15.0000, 19.4535],
        [50.0000, 2.5000, 0.0000, 50.0000, 3.1736, 0.5854, 1.0000],
        [50.0000, 2.5000, 0.0000, 50.0000, 3.2972, 0.0000, 1.0000],
        [50.0000, 2.5000, 0.0000, 50.0000, 1.8634, 0.5757, 1.0000],
        [50.0000, 2.5000, 0.0000, 50.0000, 3.2592, 0.3350, 1.0000],
        [60.2574, -34.0099, 36.2677, 60.4626, -34.1751, 39.4387, 1.2644],
        [63.0109, -31.0961, -5.8663, 62.8187, -29.7946, -4.0864, 1.2630],
        [61.2901, 3.7196, -5.3901, 61.4292, 2.2480, -4.9620, 1.8731],
        [35.0831, -44.1164, 3.7933, 35.0232, -40.0716, 1.5901, 1.8645],
        [22.7233, 20.0904, -46.6940, 23.0331, 14.9730, -42.5619, 2.0373],
        [36.4612, 47.8580, 18.3852, 36.2715, 50.5065, 21.2231, 1.4146],
        [90.8027, -2.0831, 1.4410, 91.1528, -1.6435, 0.0447, 1.4441],
        [90.9257, -0.5406, -0.9208, 88.6381, -0.8985, -0.7239, 1.5381],
        [6.7747, -0.2908, -2.4247, 5.8714, -0.0985, -2.2286, 0.6377],
        [2.0776, 0.0795, -1.1350, 0.9033, -0.0636, -0.5514, 0.9082],
    ]

    @Test(arguments: publishedPairs.enumerated().map { ($0 + 1, $1) })
    func matchesThePublishedTable(pair: Int, row: [Double]) {
        let first = LabColor(lightness: row[0], a: row[1], b: row[2])
        let second = LabColor(lightness: row[3], a: row[4], b: row[5])
        #expect(abs(first.difference(to: second) - row[6]) < 0.00005, "pair \(pair)")
        #expect(abs(second.difference(to: first) - row[6]) < 0.00005, "pair \(pair), reversed")
    }
}

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
