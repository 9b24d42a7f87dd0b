import ConfigModel
import TerminalUI
import Testing

/// The search spares most comparisons; these tests make all of them.
struct ColorMatcherOptimalityTests {
    /// The cube of 32³ colours, a plane at a time so that all processors take part.
    @Test(arguments: 0..<32)
    func noFixedColorIsNearer(red: Int) {
        let matcher = ColorMatcher(depth: .indexed256)
        let plane = RGBColor.plane(red: red, levels: 32)
        #expect(misses(of: matcher, among: plane, in: .fixed240) == [])
    }

    @Test(arguments: [ColorDepth.monochrome, .ansi8, .ansi16])
    func noColorOfASmallPaletteIsNearer(depth: ColorDepth) throws {
        let palette = try #require(Palette.standard[depth])
        let matcher = ColorMatcher(depth: depth)
        #expect(misses(of: matcher, among: RGBColor.grid(levels: 12), in: palette) == [])
    }

    /// Half the colours appear twice, and the indices are in no order.
    @Test func noColorOfAJumbledPaletteIsNearer() {
        let colors = RGBColor.scattered(100, seed: 5) + RGBColor.scattered(50, seed: 5)
        let entries = colors.enumerated().map { Palette.Entry(index: $0 * 107 % 256, color: $1) }
        let palette = Palette(entries: entries)
        let matcher = ColorMatcher(depth: .indexed256, palette: palette)
        #expect(misses(of: matcher, among: RGBColor.scattered(1500, seed: 6) + colors, in: palette) == [])
    }

    /// The colours for which a search gave another answer than comparing all entries does.
    private func misses(of matcher: ColorMatcher, among colors: [RGBColor], in palette: Palette) -> [RGBColor] {
        let brute = BruteForce(palette)
        return colors.filter { color in
            let (shown, best) = (matcher.match(color), brute.nearest(to: color))
            return shown.color != .indexed(best.index) || shown.difference != best.difference
        }
    }
}
