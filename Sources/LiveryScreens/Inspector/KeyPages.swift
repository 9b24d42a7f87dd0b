// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigRules
import ConfigWire
import Programs
import RemoteConfig
import TerminalUI

/// The value, its error, its origin, whether a rule decides it, and its explanation.
struct KeyValuePage {
    let facts: KeyFacts

    func lines(_ text: PageText) -> [ListLine] {
        valueLines(text) + noteLines(text) + [ListLine([])] + originLines(text)
            + text.table(["Rule": facts.targeting.first])
            + text.section("Why", facts.explanation.flatMap { ListLine.linkLines($0, columns: text.columns) })
    }

    private func valueLines(_ text: PageText) -> [ListLine] {
        if let value = facts.entry?.value { return text.json(value) }
        let reason = facts.targeting.isEmpty ? "removed from the source" : "rule, no default value"
        return [ListLine([.init(reason, .dimmed)])]
    }

    private func noteLines(_ text: PageText) -> [ListLine] {
        guard let note = facts.note else { return [] }
        let problem = note.problem.map { text.wrapped("✖ \($0.message)", .accent) } ?? []
        let used = note.isTweaked ? "◆ overridden by a tweak: " : "still using "
        return problem + [ListLine([.init(used, .accent)] + text.preview.spans(of: note.effectiveValue))]
    }

    private func originLines(_ text: PageText) -> [ListLine] {
        guard let entry = facts.entry else { return [] }
        let details = facts.details
        let isLoading = details == nil && facts.detailsProblem == nil
        return text.table([
            "Source": entry.fullPlace, "Changed": text.clock.dateAndClock(entry.changedAt),
            "Revision": isLoading ? "Loading…" : details?.revision.map { "\($0)" },
            "Author": details?.record?.author, "Message": details?.record?.message,
        ])
    }
}

/// The schema in words, and as JSON.
struct KeySchemaPage {
    let facts: KeyFacts

    func lines(_ text: PageText) -> [ListLine] {
        guard let details = facts.details else {
            return text.wrapped(facts.detailsProblem ?? "Loading…", .dimmed)
        }
        guard let schema = details.schema else { return text.wrapped("The key has no schema.", .dimmed) }
        return text.table(["Schema": details.schemaName ?? "", "Type": SchemaSummary.kind(of: schema)])
            + text.table(["Title": SchemaSummary.text("title", of: schema)])
            + text.table(["Description": SchemaSummary.text("description", of: schema)])
            + SchemaSummary.limits(of: schema).flatMap { text.table([$0.name: $0.text]) }
            + text.section("Schema", text.json(schema))
    }
}

/// The rule in words, who gets what, and the evaluation for one user.
struct KeyRulePage {
    let key: String
    let facts: KeyFacts
    let state: PanelState

    /// Enough for a share with one decimal, in a few milliseconds.
    private static let users = 1000

    func lines(_ text: PageText) -> [ListLine] {
        guard let rule = facts.rule else {
            let reason = facts.targeting.isEmpty ? ["The key has no rule: all users get its value."] : facts.targeting
            return reason.flatMap { text.wrapped($0, .dimmed) }
        }
        let user = facts.userLine.isEmpty ? "User" : "User: \(facts.userLine)"
        return RuleSentences(rule).lines.flatMap(text.indented)
            + text.section("Variants", variantLines(rule, text))
            + text.section(user, facts.targeting.flatMap { text.wrapped($0) })
    }

    /// Each variant with its value and its share of users.
    private func variantLines(_ rule: EntryValue, _ text: PageText) -> [ListLine] {
        guard let rule = state.configuration.rule(forKey: key) else { return [] }
        var tally = RuleTally(
            of: key,
            now: nil,
            then: rule,
            defaultValue: nil,
            like: state.users.context,
            at: state.demo.time.seconds
        )
        tally.countMore(atMost: Self.users)
        let widest = min(rule.variants.map(\.key.columnWidth).max() ?? 0, 20)
        let variants = rule.variants.map { name, value in
            let share = tally.share(tally.then[ExactString(name)] ?? 0)
            let head = name.truncated(toColumns: widest).padded(toColumns: widest)
            let end = rule.defaultVariant.map { $0.hasSameScalars(as: name) } == true ? "  default" : ""
            let room = text.columns - widest - 12 - end.columnWidth
            return ListLine(
                [.init(head + "  "), .init(share.padded(toColumns: 8) + "  ")]
                    + text.preview.spans(of: value, columns: room) + [.init(end, .dimmed)]
            )
        }
        let none = tally.then[nil] ?? 0
        let rest = none == 0 ? [] : [ListLine([.init("no variant  \(tally.share(none))", .dimmed)])]
        let count = "of \(tally.counted.grouped) generated users"
        return variants + rest + [ListLine([.init(count, .dimmed)])]
    }
}

/// The changes of the key: from the history of the source, or those since the start.
struct KeyHistoryPage {
    let facts: KeyFacts

    func lines(_ text: PageText) -> [ListLine] {
        if let history = facts.history { return lines(of: history, text) }
        guard let problem = facts.historyProblem else { return text.wrapped("Loading…", .dimmed) }
        return momentLines(text) + [ListLine([])] + text.wrapped(problem, .dimmed)
    }

    private func lines(of history: HistoryMessage, _ text: PageText) -> [ListLine] {
        let records = history.records
        if records.isEmpty { return text.wrapped("No changes.", .dimmed) }
        let changes = records.enumerated().flatMap { index, record in
            let former = index + 1 < records.count ? records[index + 1].value : nil
            let isKnown = index + 1 < records.count || history.next == nil
            let head = "\(record.revision)  \(text.clock.dateAndClock(record.updatedAt))  \(record.author ?? "")"
            let message = record.message.map { text.wrapped($0, .dimmed) } ?? []
            let change = text.change(from: isKnown ? former : nil, to: record.value)
            return [ListLine([.init(head, .title)])] + message + change
        }
        let more = history.next == nil ? [] : text.wrapped("… earlier changes: press h", .dimmed)
        return changes + more
    }

    private func momentLines(_ text: PageText) -> [ListLine] {
        var moments = facts.moments
        if let entry = facts.entry, moments.first?.value != entry.value {
            moments.insert(ChangeHistory.Moment(value: entry.value, since: entry.changedAt), at: 0)
        }
        if moments.count < 2 { return [ListLine([.init("no changes since the start", .dimmed)])] }
        return moments.enumerated().flatMap { index, moment in
            let head = ListLine([.init(text.clock.dateAndClock(moment.since), .title)])
            let isFirst = index + 1 == moments.count
            return [head] + text.change(from: isFirst ? nil : moments[index + 1].value, to: moment.value)
        }
    }
}
