// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigRules
import TerminalUI

extension RulePreview {
    /// The name of a variant, or a word for its absence.
    private static func label(_ evaluation: RuleEvaluation) -> String {
        evaluation.error == nil ? evaluation.variant ?? "(default value)" : "(error)"
    }

    /// Formats the shares, and the contexts whose variant changes.
    func lines(isDraft: Bool) -> [[Span]] {
        isDraft ? [[Span(movedSentence, .faint)]] + movedLines + errorLines : errorLines
    }

    /// The number of contexts per variant.
    func table(isDraft: Bool) -> TextTable {
        let now = counts(\.now)
        let then = counts(\.then)
        let labels = Set(now.keys).union(then.keys).sorted()
        return TextTable(
            headings: isDraft ? ["VARIANT", "NOW", "THEN"] : ["VARIANT", "CONTEXTS"],
            rows: labels.map { label in
                let columns = isDraft ? [now[label], then[label]] : [then[label]]
                return [Span(label.string, .key)] + columns.map { Span(share($0 ?? 0)) }
            }
        )
    }

    private func counts(_ side: KeyPath<Result, RuleEvaluation>) -> [ExactString: Int] {
        results.reduce(into: [:]) { $0[ExactString(Self.label($1[keyPath: side])), default: 0] += 1 }
    }

    /// `2,503 (25.03 %)`.
    private func share(_ count: Int) -> String {
        let hundredths = results.isEmpty ? 0 : (count * 10_000 + results.count / 2) / results.count
        let places = hundredths % 100 == 0 ? "" : ".\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
        return "\(count.grouped) (\(hundredths / 100)\(places) %)"
    }

    private var moved: [Result] { results.filter(\.isMoved) }

    private var movedSentence: String {
        let (some, all) = (moved.count, results.count.grouped)
        return some == 0 ? "0 of \(all) users change." : "\(some.grouped) of \(all) users change:"
    }

    /// A line for each way to change: `pink → blue  1,491: user-3, user-9, …`.
    private var movedLines: [[Span]] {
        let ways = Dictionary(grouping: moved) { ExactString("\(Self.label($0.now)) → \(Self.label($0.then))") }
        return ways.sorted { $0.key < $1.key }.map { way, results in
            let names = results.prefix(5).map { $0.targetingKey ?? "(no targeting key)" }
            let rest = results.count > names.count ? ", …" : ""
            return [
                Span("  "), Span(way.string, .changed),
                Span("  \(results.count.grouped): \(names.joined(separator: ", ").excerpt(ofScalars: 200))\(rest)"),
            ]
        }
    }

    private var errorLines: [[Span]] {
        let errors = results.compactMap { $0.then.error?.message }
        guard let first = errors.first else { return [] }
        return [[Span("\(errors.count.grouped) evaluations failed, the first with: \(first)", .problem)]]
    }

    /// Writes a result for each context, in order; `now` only for a draft.
    func writeMembers(to object: inout JSONWriter, isDraft: Bool) {
        object.member("contexts") { $0.number(results.count) }
        if isDraft { object.member("moved") { $0.number(moved.count) } }
        object.member("results", each: results) { result, array in
            array.object { object in
                object.member("targetingKey") { $0.optional(result.targetingKey) { $0.string($1) } }
                if isDraft { object.member("now") { $0.object(result.now.writeMembers) } }
                object.member("then") { $0.object(result.then.writeMembers) }
            }
        }
    }
}
