// SPDX-License-Identifier: Apache-2.0

import Basics
import Testing

@testable import TerminalUI

struct ColorMatcherTests {
    /// Bold text in one of the theme's first eight is another colour in many terminals.
    @Test func ofTwoIndicesOfAColorTheOneThatNoThemeChangesIsUsed() {
        let palette = Palette.xterm256
        let matcher = ColorMatcher(depth: .indexed256, palette: palette)
        for entry in palette.entries {
            let twins = palette.entries.filter { $0.color == entry.color }.map(\.index).sorted()
            let shown = matcher.match(entry.color)
            #expect(shown.color == (twins.first { $0 >= 16 } ?? twins.first).map(TerminalColor.indexed))
            #expect(shown.rgb == entry.color)
            #expect(shown.difference == 0)
        }
    }

    /// As `Documentation/Screen.md` describes it.
    @Test func amongEightColorsPinkIsWhiteAndSkyBlueIsCyan() {
        let matcher = ColorMatcher(depth: .ansi8)
        #expect(matcher.match(RGBColor(0xFFB6C1)).color == .indexed(7))
        #expect(matcher.match(RGBColor(0x87CEFA)).color == .indexed(6))
    }

    @Test func directColorsAreExact() {
        let matcher = ColorMatcher(depth: .direct, palette: .ansi8)
        for color in RGBColor.scattered(100, seed: 24) {
            let exact = ShownColor(asked: color, color: .direct(color), rgb: color, difference: 0)
            #expect(matcher.match(color) == exact)
        }
    }

    @Test func aQueriedPaletteReplacesTheStandardOne() {
        let pink = RGBColor(red: 255, green: 182, blue: 193)
        let entries = [Palette.Entry(index: 0, color: RGBColor(0x002B36)), .init(index: 1, color: pink)]
        let matcher = ColorMatcher(depth: .ansi16, palette: Palette(entries: entries))
        #expect(matcher.match(pink).color == .indexed(1))
        #expect(matcher.match(RGBColor(0)).color == .indexed(0))
    }

    @Test(arguments: [[9, 3, 7], [3, 7, 9], [9, 7, 3]])
    func theLowestOfEqualEntriesWins(indices: [Int]) {
        let color = RGBColor(0x336699)
        let far = Palette.Entry(index: 1, color: RGBColor(0xFFFF00))
        let palette = Palette(entries: indices.map { Palette.Entry(index: $0, color: color) } + [far])
        let matcher = ColorMatcher(depth: .ansi16, palette: palette)
        #expect(matcher.match(color).color == .indexed(3))
        #expect(matcher.match(RGBColor(0x326698)).color == .indexed(3))
    }

    @Test func answersAreTheSameFromManyThreadsAndFromMemory() async {
        // More colours than the cache stores, so that entries are evicted and found again.
        let colors = RGBColor.scattered(1500, seed: 7)
        let once = ColorMatcher(depth: .indexed256)
        let expected = colors.map(once.match)
        let shared = ColorMatcher(depth: .indexed256)

        await withTaskGroup(of: Bool.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    let order = colors.indices.map { ($0 * 7 + worker * 187) % colors.count }
                    return order.allSatisfy { index in
                        shared.match(colors[index]) == expected[index] && shared.match(colors[index]) == expected[index]
                    }
                }
            }
            for await isSame in group { #expect(isSame) }
        }
    }
}

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
        let colors = RGBColor.grid(levels: 12) + palette.entries.map(\.color)
        #expect(misses(of: matcher, among: colors, in: palette) == [])
    }

    /// Half the colours appear twice, and the indices are in no order.
    @Test func noColorOfAJumbledPaletteIsNearer() {
        let colors = RGBColor.scattered(100, seed: 5) + RGBColor.scattered(50, seed: 5)
        let entries = colors.enumerated().map { Palette.Entry(index: $0 * 107 % 256, color: $1) }
        let palette = Palette(entries: entries)
        let matcher = ColorMatcher(depth: .indexed256, palette: palette)
        #expect(misses(of: matcher, among: RGBColor.scattered(1500, seed: 6) + colors, in: palette.withoutTwins) == [])
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
