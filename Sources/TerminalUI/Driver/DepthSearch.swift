/// Finds how many colours to use, and remembers why.
///
/// The user's word comes first (`--color`, `NO_COLOR`), then what the terminal says of itself (`COLORTERM`), then the
/// terminal database, and at last the terminal's name.
struct DepthSearch {
    private(set) var depth = ColorDepth.monochrome
    private(set) var findings: [TerminalProfile.Finding] = []

    private let choice: ColorChoice
    private let environment: [String: String]
    private let name: String

    init(choice: ColorChoice, environment: [String: String], name: String) {
        self.choice = choice
        self.environment = environment
        self.name = name
    }

    /// - Parameter entry: the terminal's entry in the database, if it has one.
    mutating func look(at entry: TerminfoEntry?) {
        if let wanted = choice.depth { return decide(wanted, "--color \(choice.rawValue)", "you asked for it") }
        note("--color auto", "the terminal decides")
        if let value = environment["NO_COLOR"], !value.isEmpty {
            return decide(.monochrome, "NO_COLOR", "set, so no colours (no-color.org)")
        }
        note("NO_COLOR", "not set")
        lookAtColorterm()
        if depth == .direct { return }
        lookAtDatabase(entry)
    }

    private mutating func lookAtColorterm() {
        guard let value = environment["COLORTERM"], !value.isEmpty else { return note("COLORTERM", "not set") }
        if ["truecolor", "24bit"].contains(value) {
            decide(.direct, "COLORTERM", "\(value): 2^24 colours")
        } else {
            note("COLORTERM", "\(value.sanitized()): says nothing of how many colours")
        }
    }

    private mutating func lookAtDatabase(_ entry: TerminfoEntry?) {
        if let flag = ["RGB", "Tc"].first(where: { entry?.extendedFlags.contains($0) ?? false }) {
            return decide(.direct, "terminal database", "\(name) has the flag \(flag): 2^24 colours")
        }
        // Many databases know less of these than is known of them; COLORTERM does not come along over SSH.
        if TerminalProfile.xtermRelatives.contains(name) {
            return decide(.direct, "TERM", "\(name) is known to have 2^24 colours")
        }
        guard let entry else { return note("terminal database", "has no entry \"\(name.sanitized())\"") }
        decide(entry.depth, "terminal database", "\(name) has \(Self.count(of: entry.depth)) colours")
    }

    private mutating func decide(_ depth: ColorDepth, _ origin: String, _ meaning: String) {
        self.depth = depth
        note(origin, meaning)
    }

    private mutating func note(_ origin: String, _ meaning: String) {
        findings.append(TerminalProfile.Finding(origin: origin, meaning: meaning))
    }

    static func count(of depth: ColorDepth) -> String {
        switch depth {
        case .monochrome: "no"
        case .ansi8: "8"
        case .ansi16: "16"
        case .indexed256: "256"
        case .direct: "2^24"
        }
    }
}
