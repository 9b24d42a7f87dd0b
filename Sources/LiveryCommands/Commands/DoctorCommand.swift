// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigModel
import Files
import Programs
import TerminalUI

struct DoctorCommand: LiveryCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Show the detected terminal features and how each was detected.",
        discussion: """
            Documentation/Troubleshooting.md in the source lists messages by symptom, with their causes and fixes.
            """
    )

    @Option(
        help: ArgumentHelp("Set the colour depth: auto, never, 8, 16, 256 or truecolor.", valueName: "depth"),
        completion: .list(ColorChoice.allCases.map(\.rawValue)),
        transform: ColorChoice.named
    )
    var color = ColorChoice.auto

    func execute() async throws {
        let environment = Program.environment
        let profile = TerminalProfile(choice: color, environment: environment)
        let isTerminal = Output.standard.isTerminal
        let columns = isTerminal ? Size(terminal: Output.standard.descriptor)?.columns : nil
        let report = DoctorReport(profile: profile, repertoire: .locale(), isTerminal: isTerminal, columns: columns)
        try Output.standard.write(report.text)
    }
}

struct DoctorReport {
    let profile: TerminalProfile
    let repertoire: GlyphRepertoire
    let isTerminal: Bool
    /// The width at which lines are wrapped at words; `nil` for unlimited.
    var columns: Int?

    var text: String {
        let findings = profile.findings.map { "  " + $0 }
        let texts = [verdict, "", "Checks, in order:"] + findings + ["", "Result:"] + consequences
        let lines = texts.flatMap(broken)
        let strip = isTerminal && profile.unsupportedReason == nil ? [""] + colorStrip : []
        return (lines + strip).map { $0 + "\n" }.joined()
    }

    /// A line in parts that fit, indented like the line and a little more.
    private func broken(_ line: String) -> [String] {
        guard let columns, line.columnWidth > columns else { return [line] }
        let indent = String(line.prefix { $0 == " " })
        let parts = line.wrapped(toColumns: max(columns - indent.count - 2, 1), maximumLines: .max)
        return parts.enumerated().map { indent + ($0 == 0 ? "" : "  ") + $1 }
    }

    private var verdict: String {
        if !isTerminal { return "Standard output is not a terminal: livery prints plain text." }
        if let unsupportedReason = profile.unsupportedReason { return "No full screen: \(unsupportedReason)." }
        return "Full screen with \(profile.depth.summary)."
    }

    private var consequences: [String] {
        let matcher = ColorMatcher(depth: profile.depth)
        let pink = matcher.match(RGBColor(0xFFB6C1))
        let delta = repertoire.isUTF8 ? "ΔE" : "dE"
        let difference = pink.difference < 0.05 ? "exactly" : "\(delta) \(pink.difference.oneDecimal)"
        return [
            "  palette: \(palette)",
            "  #FFB6C1 is shown as \(pink.rgb), \(difference)",
            "  glyphs: \(repertoire.isUTF8 ? "Unicode (locale is UTF-8)" : "ASCII (locale is not UTF-8)")",
            "  mouse, focus, paste, title: \(profile.isXtermLike ? "yes, as in xterm" : "no")",
            "  clipboard (OSC 52): \(profile.hasClipboard ? "yes" : "no")",
            "  links (OSC 8): \(profile.hasHyperlinks ? "yes" : "no (not known to be supported)")",
            "  multi-character emoji: \(clusters)",
            "  cursor: in the edited field, otherwise away from text",
            "  queried once the screen is up: \(questions)",
        ]
    }

    private var questions: String {
        guard profile.canBeAsked else { return "nothing" }
        let own = profile.depth == .monochrome ? "background colour (OSC 11), " : ""
        let theme = profile.depth.themeSize > 0 ? "; then the \(profile.depth.themeSize) theme colours (OSC 4)" : ""
        let features = "synchronized output (mode 2026), grapheme clusters (mode 2027), kitty keyboard protocol"
        return own + features + theme
    }

    private var clusters: String {
        guard profile.canBeAsked, repertoire.isUTF8 else { return "decomposed, e.g. 'DE' for a flag" }
        let measured = profile.isMultiplexer ? "" : ", or if a probe measures two columns"
        return "kept if the terminal supports grapheme clusters\(measured)"
    }

    private var palette: String {
        switch profile.depth {
        case .monochrome: "none; \(ground)"
        case .ansi8, .ansi16: "the terminal's theme (xterm's until the terminal reports it)"
        case .indexed256: "the 240 fixed entries (16 to 255), and the 16 theme colours once reported"
        case .direct: "not needed, colours are exact"
        }
    }

    private var ground: String {
        let (own, other) = profile.hasLightGround == true ? ("light", "dark") : ("dark", "light")
        let source = profile.hasLightGround == nil ? "assumed to be" : "according to COLORFGBG"
        return
            "\(other) backgrounds use reverse video; the terminal's own background is \(source) \(own) until reported"
    }

    /// A rainbow in the colours that the terminal shows.
    private var colorStrip: [String] {
        let matcher = ColorMatcher(depth: profile.depth)
        let count = min(64, columns ?? 64)
        let cells = (0..<count).map { step -> String in
            let hue = 360 * Double(step) / Double(count)
            let shown = matcher.match(HSLColor(hue: hue, saturation: 1, lightness: 0.5).rgb)
            return profile.backgroundSequence(for: shown.color) + " "
        }
        return profile.depth == .monochrome ? [] : [cells.joined() + "\u{1B}[m"]
    }
}
