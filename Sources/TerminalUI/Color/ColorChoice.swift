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
