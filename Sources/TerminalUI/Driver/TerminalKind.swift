// SPDX-License-Identifier: Apache-2.0

/// The kinds of terminals, by their capabilities beyond their entry in the terminal database.
enum TerminalKind: Hashable, Sendable {
    /// None: a console, or a terminal on a serial line.
    case plain
    /// xterm's private modes, commands and queries.
    case xterm
    /// The same, within another terminal: tmux answers queries itself.
    case tmux
    /// GNU screen: xterm's modes, but strings of at most 768 bytes; it prints the rest. There is nothing to query.
    case screen
    /// Mosh: xterm's modes, on a screen that its server keeps. There is nothing to query.
    case mosh

    /// - Parameters:
    ///   - name: The value of `TERM`.
    ///   - isXtermLike: Whether the terminal's entry is like xterm's.
    ///   - environment: The variables of programs that may contain the terminal. A window opened from within screen is taken
    ///     for screen, which costs little.
    init(name: String, isXtermLike: Bool, environment: [String: String]) {
        // Its entries have a mouse like xterm's, but only for gpm.
        let isConsole = name == "linux" || name.hasPrefix("linux-")
        let isInTmux = environment["TMUX"] != nil && environment["STY"] == nil
        if !isXtermLike || isConsole {
            self = .plain
        } else if name.hasPrefix("tmux") || isInTmux {
            self = .tmux
        } else if name.hasPrefix("screen") || environment["STY"] != nil {
            self = .screen
        } else if environment["NCURSES_NO_UTF8_ACS"] != nil, ["xterm", "xterm-256color"].contains(name) {
            // The only mark that mosh leaves.
            self = .mosh
        } else {
            self = .xterm
        }
    }

    /// Whether `COLORTERM` can be the terminal's own; other kinds possibly do not support its value.
    var mayHaveDirectColor: Bool { self == .xterm || self == .tmux }

    /// The kind as a person knows it.
    var summary: String {
        switch self {
        case .plain: "this kind of terminal"
        case .xterm: "xterm"
        case .tmux: "tmux"
        case .screen: "GNU screen"
        case .mosh: "mosh"
        }
    }
}
