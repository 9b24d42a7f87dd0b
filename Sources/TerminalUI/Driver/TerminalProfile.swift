// SPDX-License-Identifier: Apache-2.0

internal import Basics

/// The properties of a terminal that are known before anything is sent to it, and their sources.
public struct TerminalProfile: Hashable, Sendable {
    /// The terminal's name, the value of `TERM`.
    public let name: String
    /// The number of colours in use.
    public let depth: ColorDepth
    /// The checks in order of increasing weight, and their results, such as `COLORTERM: not set`. The last one determined the
    /// depth.
    public let findings: [String]
    /// The reason why no full screen can be drawn; `nil` if it can.
    public let unsupportedReason: String?
    /// The kind of terminal, which determines its capabilities beyond its entry in the terminal database.
    let kind: TerminalKind
    /// Whether the terminal understands xterm's private modes and short commands.
    public var isXtermLike: Bool { kind != .plain }
    /// Whether the terminal can be queried.
    public var canBeAsked: Bool { kind == .xterm || kind == .tmux }
    /// Whether the terminal is one within others, and answers for itself but not for those.
    public var isMultiplexer: Bool { kind == .tmux || kind == .screen }
    /// Whether texts can be put on the clipboard of the machine that the terminal's window is on (OSC 52).
    public var hasClipboard: Bool { isXtermLike && kind != .screen }
    /// Whether links can be marked as such (OSC 8) without anything of it being shown.
    public let hasHyperlinks: Bool
    /// Whether the terminal's own background is a light one, by the variable `COLORFGBG` that some terminals set; `nil` without
    /// it.
    public let hasLightGround: Bool?

    /// The entry that curses draws by.
    let entry: TerminfoEntry?
    /// Whether the entry is not the database's, but made here.
    let isOwnEntry: Bool

    /// Checks the user's choice, the program's environment and the terminal database.
    @MainActor
    public init(choice: ColorChoice, environment: [String: String]) {
        self.init(choice: choice, environment: environment) { TerminfoEntry(named: $0) }
    }

    init(choice: ColorChoice, environment: [String: String], lookUp: (String) -> TerminfoEntry?) {
        name = environment["TERM"] ?? ""
        let known = lookUp(name)
        let relative = known == nil && Self.xtermRelatives.contains(name) ? lookUp("xterm-256color") : nil
        let entry = known ?? relative
        unsupportedReason = Self.unsupportedReason(name: name, entry: entry)
        let kind = TerminalKind(name: name, isXtermLike: entry?.isXtermLike ?? false, environment: environment)
        self.kind = kind
        // The variables that a terminal sets are inherited by screen and mosh within it, which show no links.
        hasHyperlinks =
            [.xterm, .tmux].contains(kind) && Self.knowsHyperlinks(name: name, environment: environment)
        hasLightGround = environment["COLORFGBG"].flatMap(Self.hasLightGround)

        let (depth, findings) = Self.search(choice, environment, name, known, kind)
        (self.depth, self.findings) = (depth, findings)
        // An entry with direct colour shows the colours 0 to 7 as the palette's; only its own first eight are exact. With 256
        // colours the database's sequences are formulas that curses evaluates for each colour, a tenth of a frame's time.
        let isExact = entry.map { $0.depth == depth && depth != .direct } ?? true
        isOwnEntry = !isExact || depth == .indexed256 && kind != .plain
        self.entry = isOwnEntry ? entry?.with(depth) : entry
    }

    /// Terminals that are compatible with xterm and have 2^24 colours, even if the database does not say so.
    static let xtermRelatives: Set<String> = [
        "xterm-direct", "xterm-kitty", "xterm-ghostty", "foot", "foot-extra", "alacritty", "wezterm", "contour", "rio",
        "ms-terminal",
    ]

    private static func unsupportedReason(name: String, entry: TerminfoEntry?) -> String? {
        guard !name.isEmpty else {
            return "TERM is not set; set it, e.g. to xterm-256color"
        }
        guard let entry else {
            return "unknown terminal type \"\(name.sanitized())\"; install ncurses-term, or change TERM"
        }
        if entry.string(at: TerminfoEntry.Place.cursorAddress) == nil {
            return "the terminal type \"\(name.sanitized())\" does not support cursor positioning; change TERM"
        }
        return nil
    }

    /// Reads `foreground;background`, numbers of ANSI colours, or `foreground;other;background` as rxvt writes them. Of the
    /// 16, white and the bright ones but for bright black are light.
    private static func hasLightGround(_ colors: String) -> Bool? {
        guard let last = colors.split(separator: ";").last, let index = Int(last), (0..<16).contains(index)
        else { return nil }
        return index == 7 || index > 8
    }

    /// A program cannot query this. These terminals support OSC 8 or ignore it.
    private static func knowsHyperlinks(name: String, environment: [String: String]) -> Bool {
        if xtermRelatives.contains(name), name != "xterm-direct" { return true }
        if let version = environment["VTE_VERSION"].flatMap({ Int($0) }) { return version >= 5000 }
        let marks = ["KITTY_WINDOW_ID", "WEZTERM_PANE", "KONSOLE_VERSION", "WT_SESSION", "GHOSTTY_RESOURCES_DIR"]
        let programs = ["iTerm.app", "WezTerm", "ghostty", "vscode"]
        return marks.contains { environment[$0] != nil } || programs.contains(environment["TERM_PROGRAM"] ?? "")
    }
}

extension TerminalProfile {
    /// The sequence that sets a background colour in this terminal; empty where it has none.
    public func backgroundSequence(for color: TerminalColor) -> String {
        switch (color, depth) {
        case (.direct(let rgb), _): "\u{1B}[48;2;\(rgb.red);\(rgb.green);\(rgb.blue)m"
        case (.indexed(let index), .indexed256): "\u{1B}[48;5;\(index)m"
        case (.indexed(let index), .ansi8), (.indexed(let index), .ansi16):
            "\u{1B}[\(index < 8 ? 40 + index : 92 + index)m"
        default: ""
        }
    }
}

extension TerminalProfile {
    /// The number of colours and its reasons: the user's choice (`--color`, `NO_COLOR`), the terminal's own variable
    /// (`COLORTERM`), the terminal database, and last the terminal's name.
    ///
    /// - Parameter entry: the terminal's entry in the database, if it has one.
    private static func search(
        _ choice: ColorChoice,
        _ environment: [String: String],
        _ name: String,
        _ entry: TerminfoEntry?,
        _ kind: TerminalKind
    ) -> (depth: ColorDepth, findings: [String]) {
        if let wanted = choice.depth { return (wanted, ["colours: \(choice.rawValue), set explicitly"]) }
        var findings = ["colours: auto, detecting the terminal"]
        if let value = environment["NO_COLOR"], !value.isEmpty {
            return (.monochrome, findings + ["NO_COLOR: set, colours disabled (no-color.org)"])
        }
        findings.append("NO_COLOR: not set")
        let value = environment["COLORTERM"] ?? ""
        let isDirect = ["truecolor", "24bit"].contains(value)
        if isDirect, kind.mayHaveDirectColor {
            return (.direct, findings + ["COLORTERM: \(value): 24-bit colour"])
        }
        let meaning =
            isDirect
            ? "ignored, inherited from another terminal: \(kind.summary) does not have 24-bit colour"
            : "unknown value"
        findings.append("COLORTERM: \(value.isEmpty ? "not set" : "\(value.sanitized()): \(meaning)")")
        if let flag = ["RGB", "Tc"].first(where: { entry?.extendedFlags.contains($0) ?? false }) {
            return (.direct, findings + ["terminal database: \(name) has the flag \(flag): 24-bit colour"])
        }
        // Many databases are incomplete for these terminals; COLORTERM is not passed on over SSH.
        if xtermRelatives.contains(name), kind.mayHaveDirectColor {
            return (.direct, findings + ["TERM: \(name) is known to have 24-bit colour"])
        }
        guard let entry else {
            return (.monochrome, findings + ["terminal database: no entry \"\(name.sanitized())\""])
        }
        return (entry.depth, findings + ["terminal database: \(name) has \(entry.depth.summary)"])
    }
}
