// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigRules
import ConfigWire
import Programs
import RemoteConfig
import TerminalUI

/// The value, which may be that of a user, its error, its origin, and its explanation.
struct KeyValuePage {
    let facts: KeyFacts

    func lines(_ text: PageText) -> [ListLine] {
        valueLines(text) + noteLines(text) + [ListLine([])] + originLines(text)
            + text.table(["Rule": facts.ruleProblem])
            + text.section("Why", facts.explanation.flatMap { ListLine.linkLines($0, columns: text.columns) })
    }

    private func valueLines(_ text: PageText) -> [ListLine] {
        if let value = facts.value { return text.json(value) }
        let reason = facts.rule == nil ? "removed from the source" : "rule, no default value"
        return [ListLine([.init(reason, .dimmed)])]
    }

    private func noteLines(_ text: PageText) -> [ListLine] {
        guard let note = facts.note else { return [] }
        let problem = note.problem.map { text.wrapped("✖ \($0.message)", .error) } ?? []
        let used = note.isTweaked ? "◆ overridden by a tweak: " : "using "
        return problem + [ListLine([.init(used, .accent)] + text.preview.spans(of: note.effectiveValue))]
    }

    private func originLines(_ text: PageText) -> [ListLine] {
        let user = facts.outcome.map { text.table(["User": facts.user]) + text.origin(of: $0, at: facts.place) } ?? []
        guard let entry = facts.entry else { return user }
        let details = facts.details
        let isLoading = details == nil && facts.detailsProblem == nil
        let source = facts.outcome == nil ? entry.fullPlace : nil
        let table = text.table([
            "Source": source, "Changed": text.clock.dateAndClock(entry.changedAt),
            "Revision": isLoading ? "Loading…" : details?.revision.map { "\($0)" },
            "Author": details?.record?.author, "Message": details?.record?.note,
        ])
        return user + table
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

/// The rule in words, the share of users of each variant, and the evaluation for one user.
struct KeyRulePage {
    let facts: KeyFacts
    let tally: RuleTally?

    func lines(_ text: PageText) -> [ListLine] {
        let problem = facts.ruleProblem.map { text.wrapped($0, .dimmed) }
        guard let rule = facts.rule else {
            return problem ?? text.wrapped("The key has no rule: all users get its value.", .dimmed)
        }
        return RuleSentences(rule).lines.flatMap(text.indented) + (problem ?? [])
            + text.section("Variants", tally.map { text.lines(of: $0, facts.compiled) } ?? [])
            + text.section("User: \(facts.user)", facts.outcome.map { text.lines(of: $0, at: facts.place) } ?? [])
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
            let message = record.note.map { text.wrapped($0, .dimmed) } ?? []
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
