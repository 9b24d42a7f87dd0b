import ConfigModel
import Foundation
import TerminalUI

/// How output has to look where it goes.
struct OutputStyle: Hashable, Sendable {
    /// Whether it goes to a terminal, which obeys what is sent to it.
    var isTerminal = false
    /// Whether it is for programs.
    var isJSON = true
    /// The columns of a line; `nil` where lines may be of any length.
    var columns: Int?
    var isColored = false
    var repertoire = GlyphRepertoire.unicode
}

extension OutputStyle {
    /// The line as it is sent: nothing in it commands a terminal, moves its cursor or ends the line.
    func line(_ spans: [Span]) -> String {
        spans.map(painted).joined() + "\n"
    }

    /// A text of the user's own with its line breaks, harmless where a terminal shows it, and exact elsewhere.
    func verbatim(_ text: String) -> String {
        guard isTerminal else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(shown).joined(separator: "\n")
    }

    /// JSON as it is sent. On a terminal everything that could command it is spelled as an escape of JSON, so that what
    /// is copied from there is still the same.
    func json(_ json: [UInt8]) -> String {
        let text = String(decoding: json, as: UTF8.self)
        return isTerminal ? text.escapedForTerminal : text
    }

    /// A text that takes as many columns as it will take when it is sent.
    func shown(_ text: some StringProtocol) -> String {
        let harmless = text.sanitized()
        return repertoire.isUTF8 ? harmless : harmless.map { repertoire.degraded($0) }.joined()
    }

    /// What stands for missing text.
    var ellipsis: String { repertoire.isUTF8 ? "…" : "..." }

    private func painted(_ span: Span) -> String {
        let text = shown(span.text)
        guard isColored, !text.isEmpty, let parameter = span.role.parameter else { return text }
        return "\u{1B}[\(parameter)m\(text)\u{1B}[m"
    }
}

extension String {
    /// JSON with everything that is no harmless text on a terminal spelled as `\uXXXX`; the line breaks between its
    /// tokens stay.
    var escapedForTerminal: String {
        if sanitized() == self { return self }
        var text = ""
        for cluster in self {
            let piece = String(cluster)
            let isHarmless = cluster == "\n" || piece.sanitized() == piece
            text += isHarmless ? piece : piece.unicodeScalars.map(\.jsonEscape).joined()
        }
        return text
    }
}

extension Unicode.Scalar {
    fileprivate var jsonEscape: String {
        if (0x20..<0x7F).contains(value) { return String(self) }
        return String(self).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}

/// A piece of a line, and what it is. Its text may come from anywhere: it is made harmless when it is printed.
struct Span: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// What a piece is, which may show as a colour.
    enum Role: Hashable, Sendable {
        case plain, heading, key, faint, added, removed, changed, problem
    }

    var text: String
    var role: Role

    init(_ text: String, _ role: Role = .plain) {
        self.text = text
        self.role = role
    }

    init(stringLiteral text: String) {
        self.init(text)
    }
}

extension Span.Role {
    /// The parameter of the sequence that sets the colour or weight (ECMA-48, SGR): the user's own palette, so that it
    /// can be read on any background.
    var parameter: String? {
        switch self {
        case .plain: nil
        case .heading, .key: "1"
        case .faint: "2"
        case .added: "32"
        case .removed, .problem: "31"
        case .changed: "33"
        }
    }
}
