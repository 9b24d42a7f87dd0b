public import ConfigModel

/// What a cell is painted with.
public enum TerminalColor: Hashable, Sendable {
    /// The terminal's own default foreground or background.
    case standard
    /// An entry of the terminal's palette, 0–255.
    case indexed(Int)
    /// A colour by its channels, on terminals with 2^24 colours.
    case direct(RGBColor)
}
