import ConfigModel
import TerminalUI
import Testing

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

    @Test(arguments: [
        (0x000000, 0.0), (0xFFFFFF, 1.0), (0xFF0000, 0.2126), (0x00FF00, 0.7152), (0x0000FF, 0.0722),
        (0x060606, 0.001821), (0x0A0A0A, 0.003035), (0x0B0B0B, 0.003347), (0x808080, 0.215861),
    ])
    func luminanceFollowsTheStandard(rgb24: Int, luminance: Double) {
        #expect(abs(RGBColor(rgb24: UInt32(rgb24)).relativeLuminance - luminance) < 0.000001)
    }

    @Test func blackOnWhiteIsExactlyTwentyOne() {
        #expect(RGBColor(rgb24: 0).contrast(with: RGBColor(rgb24: 0xFFFFFF)) == 21)
    }
}
