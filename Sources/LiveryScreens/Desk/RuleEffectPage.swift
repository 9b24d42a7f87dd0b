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
        let warning = edit.draft?.replaced == nil ? [] : text.wrapped("✖ Replaces the conditions of the rule", .error)
        let problem = edit.problem.map { text.wrapped("✖ \($0)", .error) } ?? []
        return [attribute].compactMap(\.self) + problem + warning + text.section("Users", affectedLines(text))
            + text.section("User: \(state.users.label)", userLines(text))
            + text.section("Now", nowLines(text))
    }

    private func nowLines(_ text: PageText) -> [ListLine] {
        guard let rule = edit.now else { return text.wrapped("No rule: all users get the value of the key.") }
        return RuleSentences(rule).lines.flatMap(text.indented)
    }

    /// The share of users whose value changes, and the former and the new share of each variant.
    private func affectedLines(_ text: PageText) -> [ListLine] {
        let moved = edit.tally.movedShare
        return text.wrapped("\(moved) of users get another value", moved.weight == 0 ? .plain : .title)
            + text.lines(of: edit.tally)
    }

    private func userLines(_ text: PageText) -> [ListLine] {
        let (now, then) = (outcome(edit.rules.now), outcome(edit.rules.then))
        let isDraft = edit.isChanged && then.variant != nil
        let place = isDraft ? "not published" : state.snapshot.place(of: then, forKey: key)
        let former = now.value?.canonicalJSON.excerpt(ofScalars: 60) ?? "no value"
        return text.lines(of: then, at: place)
            + text.table(["Now": now.value == then.value ? nil : "\(former), \(now.origin)"])
    }

    private func outcome(_ rule: ConfigRule?) -> RuleOutcome {
        state.configuration.outcome(of: key, by: rule, in: state.users.context, at: state.demo.time.seconds)
    }
}
