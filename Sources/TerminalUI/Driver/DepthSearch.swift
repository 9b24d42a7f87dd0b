/// Finds how many colours to use, and remembers why.
///
/// The user's choice comes first (`--color`, `NO_COLOR`), then the terminal's own variable (`COLORTERM`), then the
/// terminal database, and last the terminal's name.
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
        decide(entry.depth, "terminal database", "\(name) has \(Self.count(of: entry.depth)) colours")
    }

    private mutating func decide(_ depth: ColorDepth, _ origin: String, _ meaning: String) {
        self.depth = depth
        record(origin, meaning)
    }

    private mutating func record(_ origin: String, _ meaning: String) {
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
