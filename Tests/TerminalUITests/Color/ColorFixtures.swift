// SPDX-License-Identifier: Apache-2.0

import Basics

@testable import TerminalUI

extension RGBColor {
    /// The cube of `levels`³ colours, evenly spaced from black to white, one plane of equal red at a time.
    static func plane(red: Int, levels: Int) -> [RGBColor] {
        let values = (0..<levels).map { UInt8(255 * $0 / (levels - 1)) }
        return values.flatMap { green in
            values.map { blue in RGBColor(red: values[red], green: green, blue: blue) }
        }
    }

    /// The whole cube of `levels`³ colours.
    static func grid(levels: Int) -> [RGBColor] {
        (0..<levels).flatMap { plane(red: $0, levels: levels) }
    }

    /// Colours that look random and are the same in every run.
    static func scattered(_ count: Int, seed: UInt32) -> [RGBColor] {
        var state = seed
        return (0..<count).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return RGBColor(state >> 8)
        }
    }
}

extension Palette {
    /// All of xterm's 256 colours, eight of which appear twice.
    static let xterm256 = Palette(entries: ansi16.entries + fixed240.entries)

    /// The entries of 8 and 16 colours in popular themes, as their terminals report them.
    static let themes: [String: Palette] = [
        "Linux console": theme([
            0x000000, 0xAA0000, 0x00AA00, 0xAA5500, 0x0000AA, 0xAA00AA, 0x00AAAA, 0xAAAAAA,
            0x555555, 0xFF5555, 0x55FF55, 0xFFFF55, 0x5555FF, 0xFF55FF, 0x55FFFF, 0xFFFFFF,
        ]),
        "Solarized": theme([
            0x073642, 0xDC322F, 0x859900, 0xB58900, 0x268BD2, 0xD33682, 0x2AA198, 0xEEE8D5,
            0x002B36, 0xCB4B16, 0x586E75, 0x657B83, 0x839496, 0x6C71C4, 0x93A1A1, 0xFDF6E3,
        ]),
        "Tango": theme([
            0x2E3436, 0xCC0000, 0x4E9A06, 0xC4A000, 0x3465A4, 0x75507B, 0x06989A, 0xD3D7CF,
            0x555753, 0xEF2929, 0x8AE234, 0xFCE94F, 0x729FCF, 0xAD7FA8, 0x34E2E2, 0xEEEEEC,
        ]),
        "Dracula": theme([
            0x21222C, 0xFF5555, 0x50FA7B, 0xF1FA8C, 0xBD93F9, 0xFF79C6, 0x8BE9FD, 0xF8F8F2,
            0x6272A4, 0xFF6E6E, 0x69FF94, 0xFFFFA5, 0xD6ACFF, 0xFF92DF, 0xA4FFFF, 0xFFFFFF,
        ]),
    ]

    private static func theme(_ colors: [UInt32]) -> Palette {
        Palette(entries: colors.enumerated().map { Entry(index: $0, color: RGBColor($1)) })
    }

    /// The first entries.
    func prefix(_ count: Int) -> Palette { Palette(entries: Array(entries.prefix(count))) }

    /// The default palette of each depth.
    static let standard: [ColorDepth: Palette] = [
        .monochrome: .monochrome, .ansi8: .ansi8, .ansi16: .ansi16, .indexed256: .fixed240,
    ]
}

/// The simplest search: every entry is compared, and no result is cached.
struct BruteForce {
    private let entries: [(entry: Palette.Entry, lab: LabColor)]

    init(_ palette: Palette) {
        entries = palette.entries.sorted { $0.index < $1.index }.map { ($0, LabColor($0.color)) }
    }

    func nearest(to color: RGBColor) -> (index: Int, difference: Double) {
        let lab = LabColor(color)
        var best = (index: -1, difference: Double.infinity)
        var least = Double.infinity
        for (entry, candidate) in entries {
            let difference = lab.difference(to: candidate)
            let cost = difference + (entries.count > 16 ? 0 : candidate.excessChroma(for: lab))
            if cost < least { (best, least) = ((entry.index, difference), cost) }
        }
        return best
    }
}
