// SPDX-License-Identifier: Apache-2.0

/// The number of colours that a terminal can show, which is the raw value.
public enum ColorDepth: Int, Hashable, Sendable, CaseIterable {
    /// Black and white, one of which is reverse video.
    case monochrome = 2
    /// The ANSI set.
    case ansi8 = 8
    /// The ANSI set and its bright half.
    case ansi16 = 16
    /// Colours by index; see ``Palette/fixed240`` for the ones that can be relied on.
    case indexed256 = 256
    /// 2^24 colours, each named by its channels.
    case direct = 0x1000000
}

extension ColorDepth {
    /// The maximum depth for a number of colours.
    init(colors count: Int) {
        self = Self.allCases.last { $0.rawValue <= count } ?? .monochrome
    }

    /// `no colours`, `256 colours` or `2^24 colours`.
    package var summary: String {
        switch self {
        case .monochrome: "no colours"
        case .direct: "24-bit colour"
        default: "\(rawValue) colours"
        }
    }

    /// The name of an entry of the palette, such as `bright blue` of 16 colours; `nil` for one that has only its number.
    package func name(ofEntry index: Int) -> String? {
        switch self {
        case .monochrome: index == 0 ? "black" : "white"
        case .ansi8, .ansi16: Self.names.indices.contains(index) ? Self.names[index] : nil
        case .indexed256, .direct: nil
        }
    }

    private static let names: [String] = {
        let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
        return names + names.map { "bright " + $0 }
    }()

    /// Whether there are several shades of a colour, so that one can be a little lighter than another.
    package var hasShades: Bool { rawValue >= Self.indexed256.rawValue }

    /// The number of colours of the palette, from 0, that belong to the user's theme, which the terminal can report.
    package var themeSize: Int { [.monochrome, .direct].contains(self) ? 0 : min(rawValue, 16) }

    /// The palette to match against if the terminal's real one is unknown; `nil` if every colour is exact.
    var standardPalette: Palette? {
        switch self {
        case .monochrome: .monochrome
        case .ansi8: .ansi8
        case .ansi16: .ansi16
        case .indexed256: .fixed240
        case .direct: nil
        }
    }
}

/// The user's choice of colours, independent of the terminal's.
public enum ColorChoice: String, Hashable, Sendable, CaseIterable {
    /// As many as the terminal has.
    case auto
    /// None: black, white and reverse video.
    case never
    /// The eight colours of the user's theme.
    case eight = "8"
    /// The eight colours and their bright forms.
    case sixteen = "16"
    /// xterm's palette.
    case palette = "256"
    /// 2^24 colours.
    case truecolor

    /// The depth of the choice; `nil` if the terminal decides.
    var depth: ColorDepth? {
        switch self {
        case .auto: nil
        case .never: .monochrome
        case .truecolor: .direct
        case .eight, .sixteen, .palette: Int(rawValue).flatMap(ColorDepth.init(rawValue:))
        }
    }
}
