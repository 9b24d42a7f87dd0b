/// How many colours a terminal can show at all.
public enum ColorDepth: Hashable, Sendable, CaseIterable {
    /// 2 colours: black and white, one of which is reverse video.
    case monochrome
    /// 8 colours, the ANSI set.
    case ansi8
    /// 16 colours: the ANSI set and its bright half.
    case ansi16
    /// 256 colours by index; see ``Palette/fixed240`` for the ones that can be relied on.
    case indexed256
    /// 2^24 colours, each named by its channels.
    case direct
}

extension ColorDepth {
    /// What to choose from when the terminal's real palette is not known; `nil` where every colour is exact.
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

/// How many colours the user wants, whatever the terminal can do.
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

    /// The depth that the choice asks for; `nil` where the terminal decides.
    var depth: ColorDepth? {
        switch self {
        case .auto: nil
        case .never: .monochrome
        case .eight: .ansi8
        case .sixteen: .ansi16
        case .palette: .indexed256
        case .truecolor: .direct
        }
    }
}
