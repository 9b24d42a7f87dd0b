// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigRules
import RemoteConfig
import TerminalUI

/// The rule of a key in words, and the effect of a draft on users.
struct RuleEffectPage {
    let key: String
    let edit: RuleEdit
    let state: PanelState

    func lines(_ text: PageText) -> [ListLine] {
        let attribute = edit.draft.map { draft in
            ListLine([.init("Split by  ", .dimmed), .init(draft.attribute ?? "targeting key")])
        }
        let warning = edit.draft?.replaced == nil ? [] : text.wrapped("✖ Replaces the conditions of the rule", .accent)
        let problem = edit.problem.map { text.wrapped("✖ \($0)", .accent) } ?? []
        return [attribute].compactMap(\.self) + problem + warning + text.section("Users", affectedLines(text))
            + text.section(state.users.line.isEmpty ? "User" : "User: \(state.users.line)", userLines(text))
            + text.section("Now", nowLines(text))
    }

    private func nowLines(_ text: PageText) -> [ListLine] {
        guard let rule = edit.now else { return text.wrapped("No rule: all users get the value of the key.") }
        return RuleSentences(rule).lines.flatMap(text.indented)
    }

    /// The share of users whose value changes, and the former and the new share of each variant.
    private func affectedLines(_ text: PageText) -> [ListLine] {
        let tally = edit.tally
        let count = tally.counted.grouped + (tally.isComplete ? "" : " …")
        let head = "\(tally.share(tally.moved)) of \(count) generated users get another value"
        let names = Set(tally.now.keys).union(tally.then.keys)
        let rows = names.map { ($0?.string ?? "no variant", tally.now[$0] ?? 0, tally.then[$0] ?? 0) }
        let widest = min(rows.map(\.0.columnWidth).max() ?? 0, max(text.columns / 3, 8))
        let variants = rows.sorted { $0.0 < $1.0 }.map { name, now, then in
            let name = name.sanitized().truncated(toColumns: widest).padded(toColumns: widest)
            let shares = now == then ? tally.share(now) : "\(tally.share(now)) → \(tally.share(then))"
            return ListLine([.init("\(name)  ", .dimmed), .init(shares, now == then ? .plain : .accent)])
        }
        let problem = tally.problem.map { text.wrapped("✖ \($0)", .accent) } ?? []
        return text.wrapped(head, tally.moved == 0 ? .plain : .title) + variants + problem
    }

    private func userLines(_ text: PageText) -> [ListLine] {
        guard let context = state.users.context else { return text.wrapped("Press w to set a user.", .dimmed) }
        let seconds = state.demo.time.seconds
        let now = result(edit.rules.now, context, seconds)
        let then = result(edit.rules.then, context, seconds)
        if now.value == then.value { return [ListLine([.init("gets  ", .dimmed)] + spans(then, text))] }
        return [
            ListLine([.init("gets  ", .dimmed)] + spans(then, text)),
            ListLine([.init("now   ", .dimmed)] + spans(now, text)),
        ]
    }

    private typealias Result = (value: EntryValue?, variant: String?)

    private func result(_ rule: ConfigRule?, _ context: EvaluationContext, _ seconds: Int) -> Result {
        let evaluation = rule?.evaluate(key: key, in: context, at: seconds)
        return (evaluation?.value ?? edit.defaultValue, evaluation?.variant)
    }

    private func spans(_ result: Result, _ text: PageText) -> [ListLine.Span] {
        let variant = result.variant.map { $0.sanitized() + "  " } ?? ""
        let value: [ListLine.Span] = result.value.map { text.preview.spans(of: $0, columns: text.columns / 2) } ?? []
        return [.init(variant)] + (value.isEmpty ? [.init("no value", .dimmed)] : value)
    }
}
