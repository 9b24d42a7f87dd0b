// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Programs
import RemoteConfig
import TerminalUI

/// A key in full: its value, what is wrong with it, where it comes from and why, and what it was before.
struct InspectorDetail: Sendable {
    let key: String
    private let clock: ClockFormat
    private let preview: ValuePreview
    /// The lines that the search has found, or all.
    private(set) var lines: [InspectorLine] = []
    /// Laid out once: a value may be long.
    private var laidOut: [InspectorLine] = []
    /// The place in the lines, and the search.
    private(set) var list = ScrolledList()
    private var shown: Facts?

    /// What the lines are made from.
    private struct Facts: Hashable {
        var entry: EntrySnapshot.Entry?
        var note: KeyNote?
        var history: [ChangeHistory.Moment]
        var explanation: [String]
        var targeting: [String]
    }

    /// More than the longest value of a server has, which is 65,535 bytes long; only files have longer ones.
    private static let mostRows = 1 << 16

    init(_ key: String, clock: ClockFormat, preview: ValuePreview) {
        (self.key, self.clock, self.preview) = (key, clock, preview)
    }

    func scrollbar(page: Int) -> Scrollbar { list.scrollbar(count: lines.count, page: page) }

    mutating func scroll(toTop row: Int, page: Int) { list.scroll(to: row, count: lines.count, page: page) }

    /// Handles a key that scrolls or searches.
    ///
    /// - Returns: whether the key does.
    mutating func handle(_ key: Key, page: Int) -> Bool {
        let count = lines.count
        return changingSearch { $0.handle(key, count: count, page: page) }
    }

    mutating func paste(_ text: String) { changingSearch { $0.paste(text) } }

    private mutating func changingSearch<Result>(_ change: (inout ScrolledList) -> Result) -> Result {
        var list = list
        let result = change(&list)
        let isSame = list.search?.text == self.list.search?.text
        self.list = list
        if !isSame { lines = list.found(in: laidOut.map { [$0] }) }
        return result
    }

    /// Takes in what has changed, if anything about this key has.
    mutating func update(_ state: PanelState, columns: Int) {
        if facts(in: state) != shown { layOut(state, columns: columns) }
    }

    mutating func layOut(_ state: PanelState, columns: Int) {
        let facts = facts(in: state)
        shown = facts
        let columns = max(columns, 1)
        laidOut =
            wrapped(key, .title, columns: columns) + valueLines(facts, columns: columns)
            + noteLines(facts.note, columns: columns) + [InspectorLine([])] + originLines(facts, columns: columns)
            + section("Rule", facts.targeting.flatMap { wrapped($0, columns: columns) })
            + section("Why", facts.explanation.flatMap { linkLines($0, columns: columns) })
            + section("History", historyLines(facts, columns: columns))
        lines = list.search == nil ? laidOut : list.found(in: laidOut.map { [$0] })
    }

    private func facts(in state: PanelState) -> Facts {
        Facts(
            entry: state.configuration.snapshot.entries[key],
            note: state.notes[key],
            history: state.history[key],
            explanation: state.explain(key),
            targeting: state.configuration.targetingLines(forKey: key)
        )
    }
}

extension InspectorDetail {
    private func wrapped(_ text: String, _ tone: Tone = .plain, columns: Int) -> [InspectorLine] {
        text.sanitized().wrapped(toColumns: columns, maximumLines: Self.mostRows).map {
            InspectorLine([.init($0, tone)])
        }
    }

    private func section(_ title: String, _ lines: [InspectorLine]) -> [InspectorLine] {
        lines.isEmpty ? [] : [InspectorLine([]), InspectorLine([.init(title, .title)])] + lines
    }

    /// The value as JSON, an element a line, with a swatch before each colour.
    private func valueLines(_ facts: Facts, columns: Int) -> [InspectorLine] {
        guard let value = facts.entry?.value else {
            let reason = facts.targeting.isEmpty ? "not in the source any more" : "a rule, and no default value"
            return [InspectorLine([.init(reason, .dimmed)])]
        }
        let json = String(decoding: PrettyJSON.laidOut(Array(value.canonicalJSON.utf8)), as: UTF8.self)
        let texts = json.split(separator: "\n")
        let rows = texts.prefix(Self.mostRows).flatMap { line in
            let indent = line.prefix { $0 == " " }
            let swatch = preview.swatch(of: line.trimmingJSON)
            let head = indent.count + swatch.reduce(0) { $0 + $1.text.columnWidth }
            let parts = line.dropFirst(indent.count).wrapped(
                toColumns: max(columns - head, 1),
                maximumLines: Self.mostRows
            )
            return parts.enumerated().map { index, part in
                let blank = InspectorLine.Span(String(repeating: " ", count: index == 0 ? indent.count : head))
                return InspectorLine([blank] + (index == 0 ? swatch : []) + [.init(part)])
            }
        }
        let more = texts.count - Self.mostRows
        if more <= 0 { return rows }
        return rows + wrapped("… \(more.grouped) more lines; y copies the whole value", .dimmed, columns: columns)
    }

    private func noteLines(_ note: KeyNote?, columns: Int) -> [InspectorLine] {
        guard let note else { return [] }
        let problem = note.problem.map { wrapped("✖ \($0.message)", .accent, columns: columns) } ?? []
        let used = note.isTweaked ? "◆ a tweak stands before it: " : "still using "
        return problem + [InspectorLine([.init(used, .accent)] + preview.spans(of: note.valueInForce))]
    }

    private func originLines(_ facts: Facts, columns: Int) -> [InspectorLine] {
        guard let entry = facts.entry else { return [] }
        let rows = [("From", entry.fullPlace), ("Changed", clock.dateAndClock(entry.changedAt))]
        return rows.flatMap { name, text in
            let parts = text.sanitized().wrapped(toColumns: max(columns - 9, 1), maximumLines: 8)
            return parts.enumerated().map { index, part in
                InspectorLine([.init((index == 0 ? name : "").padded(toColumns: 9), .dimmed), .init(part)])
            }
        }
    }

    /// A line of an explanation, whose first two columns mark the link that decides.
    private func linkLines(_ line: String, columns: Int) -> [InspectorLine] {
        let parts = line.dropFirst(2).wrapped(toColumns: max(columns - 4, 1), maximumLines: 8)
        return parts.enumerated().map { InspectorLine([.init(($0 == 0 ? line.prefix(2) : "    ") + $1)]) }
    }

    private func historyLines(_ facts: Facts, columns: Int) -> [InspectorLine] {
        var moments = facts.history
        if let entry = facts.entry, moments.first?.value != entry.value {
            moments.insert(ChangeHistory.Moment(value: entry.value, since: entry.changedAt), at: 0)
        }
        if moments.count < 2 { return [InspectorLine([.init("no change since the start", .dimmed)])] }
        return moments.map { moment in
            // Without the year.
            let time = InspectorLine.Span(clock.dateAndClock(moment.since).dropFirst(5) + "  ", .dimmed)
            let room = columns - time.text.columnWidth
            return InspectorLine(
                [time] + (moment.value.map { preview.spans(of: $0, columns: room) } ?? [.init("removed", .dimmed)])
            )
        }
    }
}

extension Substring {
    /// What stands between the quotes of a line of JSON.
    fileprivate var trimmingJSON: String {
        var text = self.drop { $0 == " " }
        if text.last == "," { text.removeLast() }
        guard text.count >= 2, text.first == "\"", text.last == "\"" else { return "" }
        return String(text.dropFirst().dropLast())
    }
}
