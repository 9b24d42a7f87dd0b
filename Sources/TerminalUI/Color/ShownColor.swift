public import ConfigModel

/// How an asked colour comes out on a terminal.
public struct ShownColor: Hashable, Sendable {
    /// The colour that was wanted.
    public let asked: RGBColor
    /// What the cell is painted with to get it.
    public let color: TerminalColor
    /// What the eye gets, to the best of what is known about the terminal.
    public let rgb: RGBColor
    /// ΔE00 (CIEDE2000) between `asked` and `rgb`: 0 when exact, about 1 when just noticeable, 100 for black as white.
    public let difference: Double

    /// Describes a colour whose outcome is known already, such as the terminal's own background.
    ///
    /// - Parameters:
    ///   - asked: The colour that was wanted.
    ///   - color: What the cell is painted with.
    ///   - rgb: What the eye gets.
    ///   - difference: ΔE00 between `asked` and `rgb`, 0 or more.
    public init(asked: RGBColor, color: TerminalColor, rgb: RGBColor, difference: Double) {
        self.asked = asked
        self.color = color
        self.rgb = rgb
        self.difference = difference
    }
}

extension ShownColor {
    /// A colour that comes out as asked.
    init(exactly color: RGBColor) {
        self.init(asked: color, color: .direct(color), rgb: color, difference: 0)
    }
}

/// What a cell is painted with.
public enum TerminalColor: Hashable, Sendable {
    /// The terminal's own default foreground or background.
    case standard
    /// An entry of the terminal's palette, 0–255.
    case indexed(Int)
    /// A colour by its channels, on terminals with 2^24 colours.
    case direct(RGBColor)
}
