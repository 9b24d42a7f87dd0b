internal import ConfigModel

/// What is known about a terminal before anything is sent to it, and how.
public struct TerminalProfile: Hashable, Sendable {
    /// The terminal's name, the value of `TERM`.
    public let name: String
    /// How many colours are used.
    public let depth: ColorDepth
    /// What was checked and what it means, in the order of its weight, such as `COLORTERM: not set`. The last decided the
    /// depth.
    public let findings: [String]
    /// Why no full screen can be drawn; `nil` if it can.
    public let obstacle: String?
    /// Whether the terminal understands xterm's private modes and commands, and can be asked for more.
    public let isXtermLike: Bool
    /// Whether links can be marked as such (OSC 8) without anything of it being shown.
    public let hasHyperlinks: Bool

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
        obstacle = Self.obstacle(name: name, entry: entry)
        isXtermLike = entry?.isXtermLike ?? false
        hasHyperlinks = isXtermLike && Self.knowsHyperlinks(name: name, environment: environment)

        var search = DepthSearch(choice: choice, environment: environment, name: name)
        search.search(known)
        let depth = search.depth
        self.depth = depth
        findings = search.findings
        // An entry with direct colour shows the colours 0 to 7 as the palette's; only the own one is exact.
        isOwnEntry = entry.map { $0.depth != depth || depth == .direct } ?? false
        self.entry = isOwnEntry ? entry?.with(depth) : entry
    }

    /// Terminals that are compatible with xterm and have 2^24 colours, even if the database does not say so.
    static let xtermRelatives: Set<String> = [
        "xterm-direct", "xterm-kitty", "xterm-ghostty", "foot", "foot-extra", "alacritty", "wezterm", "contour", "rio",
        "ms-terminal",
    ]

    private static func obstacle(name: String, entry: TerminfoEntry?) -> String? {
        guard !name.isEmpty else {
            return "TERM is not set, so the terminal's abilities are unknown; set it, for instance to xterm-256color"
        }
        guard let entry else {
            return "the terminal database has no \"\(name.sanitized())\"; install ncurses-term, or set TERM"
        }
        if entry.string(at: TerminfoEntry.Place.cursorAddress) == nil {
            return "the terminal \"\(name.sanitized())\" cannot place its cursor"
        }
        return nil
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
        switch color {
        case .standard: return ""
        case .direct(let rgb): return "\u{1B}[48;2;\(rgb.red);\(rgb.green);\(rgb.blue)m"
        case .indexed(let index):
            switch depth {
            case .indexed256: return "\u{1B}[48;5;\(index)m"
            case .monochrome, .direct: return ""
            case .ansi8, .ansi16: return "\u{1B}[\(index < 8 ? 40 + index : 92 + index)m"
            }
        }
    }
}

/// Finds how many colours to use, and remembers why: by the user's choice (`--color`, `NO_COLOR`), the terminal's own
/// variable (`COLORTERM`), the terminal database, and last the terminal's name.
struct DepthSearch {
    private(set) var depth = ColorDepth.monochrome
    private(set) var findings: [String] = []

    let choice: ColorChoice
    let environment: [String: String]
    let name: String

    /// - Parameter entry: the terminal's entry in the database, if it has one.
    mutating func search(_ entry: TerminfoEntry?) {
        if let wanted = choice.depth { return decide(wanted, "--color \(choice.rawValue)", "you asked for it") }
        record("--color auto", "the terminal decides")
        if let value = environment["NO_COLOR"], !value.isEmpty {
            return decide(.monochrome, "NO_COLOR", "set, so no colours (no-color.org)")
        }
        record("NO_COLOR", "not set")
        checkColorterm()
        if depth == .direct { return }
        checkDatabase(entry)
    }

    private mutating func checkColorterm() {
        guard let value = environment["COLORTERM"], !value.isEmpty else { return record("COLORTERM", "not set") }
        if ["truecolor", "24bit"].contains(value) {
            decide(.direct, "COLORTERM", "\(value): 2^24 colours")
        } else {
            record("COLORTERM", "\(value.sanitized()): says nothing about the number of colours")
        }
    }

    private mutating func checkDatabase(_ entry: TerminfoEntry?) {
        if let flag = ["RGB", "Tc"].first(where: { entry?.extendedFlags.contains($0) ?? false }) {
            return decide(.direct, "terminal database", "\(name) has the flag \(flag): 2^24 colours")
        }
        // Many databases know less of these than is known of them; COLORTERM does not come along over SSH.
        if TerminalProfile.xtermRelatives.contains(name) {
            return decide(.direct, "TERM", "\(name) is known to have 2^24 colours")
        }
        guard let entry else { return record("terminal database", "has no entry \"\(name.sanitized())\"") }
        decide(entry.depth, "terminal database", "\(name) has \(entry.depth.summary)")
    }

    private mutating func decide(_ depth: ColorDepth, _ origin: String, _ meaning: String) {
        self.depth = depth
        record(origin, meaning)
    }

    private mutating func record(_ origin: String, _ meaning: String) {
        findings.append("\(origin): \(meaning)")
    }
}
