import ConfigModel
import TerminalUI
import Testing

struct RGBColorBlendTests {
    private let pink = RGBColor(red: 255, green: 182, blue: 193)
    private let navy = RGBColor(red: 0, green: 0, blue: 128)

    @Test(arguments: [(-1.0, 0.0), (0, 0), (1, 1), (2, 1), (.infinity, 1), (-.infinity, 0), (.nan, 0)])
    func sharesAreClamped(share: Double, effective: Double) {
        #expect(pink.blended(with: navy, share: share) == (effective == 0 ? pink : navy))
    }

    @Test func channelsAreMixedAsTheyAreAndRounded() {
        #expect(pink.blended(with: navy, share: 0.5) == RGBColor(red: 128, green: 91, blue: 161))
        #expect(pink.blended(with: navy, share: 0.25) == RGBColor(red: 191, green: 137, blue: 177))
        #expect(navy.blended(with: pink, share: 0.75) == RGBColor(red: 191, green: 137, blue: 177))
    }

    @Test func everyStepBetweenBlackAndWhiteIsReached() {
        let (black, white) = (RGBColor(rgb24: 0), RGBColor(rgb24: 0xFFFFFF))
        for value in 0...255 {
            let mixed = black.blended(with: white, share: Double(value) / 255)
            #expect(mixed == RGBColor(rgb24: UInt32(value) * 0x010101))
        }
    }
}
