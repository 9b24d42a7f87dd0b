import ConfigModel
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

    @Test func greysHaveNoHueAtAll() {
        for value in 0...255 {
            let lab = LabColor(RGBColor(rgb24: UInt32(value) * 0x010101))
            #expect(lab.a == 0 && lab.b == 0, "grey \(value)")
        }
    }

    @Test func whiteIsExactlyOneHundredLight() {
        #expect(LabColor(RGBColor(rgb24: 0xFFFFFF)).lightness == 100)
    }

    @Test func lighterGreysAreLighter() {
        let lightness = (0...255).map { LabColor(RGBColor(rgb24: UInt32($0) * 0x010101)).lightness }
        #expect(zip(lightness, lightness.dropFirst()).allSatisfy { $0 < $1 })
    }
}
