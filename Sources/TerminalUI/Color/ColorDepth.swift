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
