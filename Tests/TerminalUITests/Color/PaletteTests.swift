// SPDX-License-Identifier: Apache-2.0

import Basics
import Testing

@testable import TerminalUI

struct PaletteTests {
    @Test(arguments: [
        (Palette.monochrome, 0...1), (.ansi8, 0...7), (.ansi16, 0...15), (.fixed240, 16...255),
    ])
    func indicesAreTheTerminals(palette: Palette, indices: ClosedRange<Int>) {
        #expect(palette.entries.map(\.index) == Array(indices))
    }

    @Test(arguments: [
        (16, 0x000000), (17, 0x00005F), (22, 0x005F00), (52, 0x5F0000), (67, 0x5F87AF), (217, 0xFFAFAF),
        (226, 0xFFFF00), (231, 0xFFFFFF), (232, 0x080808), (244, 0x808080), (255, 0xEEEEEE),
    ])
    func fixedColorsAreXterms(index: Int, rgb24: Int) {
        let entry = Palette.fixed240.entries.first { $0.index == index }
        #expect(entry?.color == RGBColor(UInt32(rgb24)))
    }

    @Test(arguments: [
        (1, 0xCD0000), (4, 0x0000EE), (7, 0xE5E5E5), (8, 0x7F7F7F), (12, 0x5C5CFF), (15, 0xFFFFFF),
    ])
    func ansiColorsAreXterms(index: Int, rgb24: Int) {
        #expect(Palette.ansi16.entries[index].color == RGBColor(UInt32(rgb24)))
    }
}
