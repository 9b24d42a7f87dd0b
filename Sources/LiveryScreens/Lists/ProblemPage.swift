// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import TerminalUI

/// All problems in full: the cause and its position, the line with a mark under the position, and the value used instead.
struct ProblemPage: ListContent {
    let kind = PanelKind.problems
    let title = "Errors"
    var state: DemoState

    private static let maximumProblemRows = 20

    mutating func update(_ state: PanelState) -> Bool {
        self.state = state.demo
        return true
    }

    func sections(columns: Int) -> [[ListLine]] {
        let note = state.configuration.sentenceOnNamespace.map { Self.wrapped($0, columns: columns) } ?? []
        var sections = state.problems.map { problem in
            let details =
                Self.excerpt(of: problem, in: state.configuration.snapshot, columns: columns)
                + Self.wrapped(Self.remedy(for: problem, in: state), columns: columns)
                + (FirstSteps(problem, ofSource: state.configuration.status.source)?.lines(columns: columns) ?? [])
            return Self.lines(Self.wrapped(problem.description, columns: columns), .error) + Self.lines(details)
        }
        let end = (sections.isEmpty ? ["No errors."] : []) + note
        if !end.isEmpty { sections.append(Self.lines(end)) }
        return sections.enumerated().map { index, lines in index == 0 ? lines : Self.lines([""]) + lines }
    }

    private static func lines(_ texts: [String], _ tone: Tone = .plain) -> [ListLine] {
        texts.map { ListLine([.init($0, tone)]) }
    }

    private static func wrapped(_ text: String, columns: Int) -> [String] {
        text.sanitized().wrapped(toColumns: max(columns, 1), maximumLines: maximumProblemRows)
    }

    /// The line of the source, or the key as the source has it, and a mark under the place.
    private static func excerpt(of problem: ConfigError, in snapshot: EntrySnapshot, columns: Int) -> [String] {
        guard let excerpt = problem.excerpt ?? member(of: problem.key, in: snapshot) else { return [] }
        let scalars = excerpt.text.unicodeScalars
        // The text before the position takes at most half of the row.
        var before = String(String.UnicodeScalarView(scalars.prefix(excerpt.offset))).sanitized()
        while before.columnWidth > columns / 2 { before.removeFirst() }
        let after = String(String.UnicodeScalarView(scalars.dropFirst(excerpt.offset))).sanitized()
        let line = (before + after).truncated(toColumns: max(columns - 2, 1))
        return ["  " + line, "  " + String(repeating: " ", count: before.columnWidth) + "^"]
    }

    private static func member(of key: String?, in snapshot: EntrySnapshot) -> ConfigError.Excerpt? {
        guard let key, let entry = snapshot.entries[key] else { return nil }
        let name = "\"\(key)\": "
        return ConfigError.Excerpt(name + entry.value.canonicalJSON, offset: name.unicodeScalars.count)
    }

    /// The value that is used while the problem exists.
    private static func remedy(for problem: ConfigError, in state: DemoState) -> String {
        if let replacement = problem.key.flatMap(state.values.replacement) { return replacement }
        if let key = problem.key, let entry = state.configuration.snapshot.entries[key] {
            return "using \(entry.value.canonicalJSON.excerpt(ofScalars: 60))"
        }
        // A key or a layer is missing, and the rest of the reading is shown.
        let status = state.configuration.status
        if status.phase == .streaming, !status.hasFailed { return "all other values are up to date" }
        return state.configuration.snapshot.entries.isEmpty
            ? "using the defaults until the source can be read" : "still using the last good values"
    }
}
