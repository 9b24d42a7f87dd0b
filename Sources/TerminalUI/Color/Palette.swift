// SPDX-License-Identifier: Apache-2.0

public import Basics

/// The colours a terminal offers by index.
public struct Palette: Hashable, Sendable {
    /// One colour of a palette.
    public struct Entry: Hashable, Sendable {
        /// The number the terminal knows it by, 0–255.
        public let index: Int
        /// The displayed colour.
        public let color: RGBColor

        /// Creates an entry from the terminal's number and its colour.
        public init(index: Int, color: RGBColor) {
            (self.index, self.color) = (index, color)
        }
    }

    /// The colours, in any order; a colour may appear under several indices.
    public let entries: [Entry]

    /// Creates a palette, for example from the colours that a terminal has reported.
    public init(entries: [Entry]) {
        self.entries = entries
    }
}

extension Palette {
    /// Black (0) and white (1), for terminals without colour.
    public static let monochrome = Palette(consecutive: [0x000000, 0xFFFFFF])

    /// The eight ANSI colours, indices 0–7, with xterm's default values. Its white is a light grey.
    public static let ansi8 = Palette(consecutive: xtermNormal)

    /// The eight ANSI colours and their bright variants, indices 0–15, with xterm's default values.
    ///
    /// Users change these, so the displayed colour is only certain if the terminal has reported its palette.
    public static let ansi16 = Palette(consecutive: xtermNormal + xtermBright)

    /// The 240 colours of xterm's 256 that themes leave alone: indices 16–231, a 6×6×6 cube with the channel values
    /// 0, 95, 135, 175, 215 and 255, and 232–255, the greys 8, 18, … 238.
    public static let fixed240 = Palette(consecutive: colorCube + greyRamp, from: 16)

    /// The palette of a terminal that has reported the colours of its theme, by index.
    init(theme: [Int: RGBColor], of depth: ColorDepth) {
        let own = theme.sorted { $0.key < $1.key }.map { Entry(index: $0.key, color: $0.value) }
        self.init(entries: own + (depth == .indexed256 ? Self.fixed240.entries : []))
    }

    /// The entries but those of the theme's 16 that look like one of the others, which neither a theme nor bold text
    /// changes: many terminals brighten the first eight when they are bold.
    var withoutTwins: Palette {
        let others = Set(entries.filter { $0.index >= 16 }.map { Int($0.color.rgb24) })
        return Palette(entries: entries.filter { $0.index >= 16 || !others.contains(Int($0.color.rgb24)) })
    }
}

extension Palette {
    // The resources color0–color15 of xterm's app-defaults, XTerm-col.ad.
    private static let xtermNormal: [UInt32] = [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    ]
    private static let xtermBright: [UInt32] = [
        0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ]

    // xterm's 256colres.pl.
    private static let colorCube: [UInt32] = {
        let levels: [UInt32] = [0, 95, 135, 175, 215, 255]
        return levels.flatMap { red in
            levels.flatMap { green in levels.map { blue in red << 16 | green << 8 | blue } }
        }
    }()
    private static let greyRamp: [UInt32] = (0..<24).map { step in (8 + 10 * step) * 0x010101 }

    private init(consecutive colors: [UInt32], from firstIndex: Int = 0) {
        self.init(
            entries: colors.enumerated().map { offset, color in
                Entry(index: firstIndex + offset, color: RGBColor(color))
            }
        )
    }
}
