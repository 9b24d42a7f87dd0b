// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigModel
package import TerminalUI

/// The form of output for its destination.
struct OutputStyle: Hashable, Sendable {
    /// Whether it goes to a terminal, which output can control.
    var isTerminal = false
    var isJSON = true
    /// The columns of a line; `nil` where lines may be of any length.
    var columns: Int?
    var isColored = false
    /// The terminal that swatches are painted for; `nil` without them.
    var profile: TerminalProfile?
    var repertoire = GlyphRepertoire.unicode
}

extension OutputStyle {
    /// The line as it is sent: nothing in it controls a terminal, moves its cursor or ends the line.
    func line(_ spans: [Span]) -> String {
        spans.map(painted).joined() + "\n"
    }

    /// A text with its line breaks: sanitized for a terminal, and exact elsewhere.
    func verbatim(_ text: String) -> String {
        guard isTerminal else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(shown).joined(separator: "\n")
    }

    /// JSON as it is sent. On a terminal, everything that could control it is a JSON escape, so that a copy from there is
    /// still the same JSON.
    func json(_ json: [UInt8]) -> String {
        let text = String(decoding: json, as: UTF8.self)
        return isTerminal ? text.escapedForTerminal : text
    }

    /// A value with a line break at its end: a string as it is, anything else as JSON in one line. On a terminal, JSON
    /// that does not fit in a line is indented.
    func whole(_ value: EntryValue) -> String {
        if case .string(let text) = value { return verbatim(text) + "\n" }
        return wholeJSON(value)
    }

    /// A value as JSON, as ``whole(_:)``.
    func wholeJSON(_ value: EntryValue) -> String {
        let line = json(Array(value.canonicalJSON.utf8))
        guard let columns, line.columnWidth > columns else { return line + "\n" }
        return json(PrettyJSON.laidOut(Array(value.canonicalJSON.utf8)))
    }

    /// A text as it is sent, so that its columns can be counted.
    func shown(_ text: some StringProtocol) -> String {
        let harmless = text.sanitized()
        return repertoire.isUTF8 ? harmless : harmless.map { repertoire.degraded($0) }.joined()
    }

    /// The mark of missing text.
    var ellipsis: String { repertoire.isUTF8 ? "…" : "..." }

    /// The room of a swatch at the beginning of a text.
    private static let swatch = "  "

    /// A value of a key in one cell, with a swatch if it is a colour.
    func cell(_ value: EntryValue, _ text: String) -> Span {
        guard profile != nil, case .string(let name) = value, let color = RGBColor(name) else { return Span(text) }
        return Span("\(Self.swatch) \(text)", .swatch(color))
    }

    private func painted(_ span: Span) -> String {
        let text = shown(span.text)
        if case .swatch(let color) = span.role, let profile {
            let paint = profile.backgroundSequence(for: ColorMatcher(depth: profile.depth).match(color).color)
            return "\(paint)\(text.prefix(Self.swatch.count))\u{1B}[m\(text.dropFirst(Self.swatch.count))"
        }
        guard isColored, !text.isEmpty, let parameter = span.role.parameter else { return text }
        return "\u{1B}[\(parameter)m\(text)\u{1B}[m"
    }
}

/// A piece of a line, and its role. Its text may come from anywhere: it is sanitized when it is printed.
struct Span: Hashable, Sendable, ExpressibleByStringInterpolation {
    enum Role: Hashable, Sendable {
        case plain, heading, key, faint, added, removed, changed, problem
        /// A text that begins with the room for a colour.
        case swatch(RGBColor)
    }

    var text: String
    var role: Role

    init(_ text: String, _ role: Role = .plain) {
        (self.text, self.role) = (text, role)
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
        case .plain, .swatch: nil
        case .heading, .key: "1"
        case .faint: "2"
        case .added: "32"
        case .removed, .problem: "31"
        case .changed: "33"
        }
    }
}

/// Shares the columns of a line among texts.
enum ColumnFit {
    /// The widths of the texts if all fit; else every text gets an equal share, up to its width.
    ///
    /// ```swift
    /// ColumnFit.widths(for: [3, 40, 60], in: 63)  // [3, 30, 30]
    /// ```
    static func widths(for needs: [Int], in columns: Int) -> [Int] {
        var widths = needs
        var room = max(columns, 0)
        for (rank, index) in needs.indices.sorted(by: { needs[$0] < needs[$1] }).enumerated() {
            widths[index] = min(needs[index], room / (needs.count - rank))
            room -= widths[index]
        }
        return widths
    }
}

extension ColorChoice {
    /// The choice that the option `--color` names.
    ///
    /// - Throws: a `ValidationError` for an unknown name.
    package static func named(_ name: String) throws -> ColorChoice {
        guard let choice = ColorChoice(rawValue: name) else {
            throw ValidationError("Expected auto, never, 8, 16, 256 or truecolor.")
        }
        return choice
    }
}
