// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Programs
import RemoteConfig
import TerminalUI

/// A key in full: its value, its error, its origin and explanation, and its earlier values.
struct KeyPage: ListContent {
    let key: String
    let title = "Inspector"
    private var state: PanelState
    private var shown: Facts

    /// The facts that the lines are made from.
    private struct Facts: Hashable {
        var entry: EntrySnapshot.Entry?
        var note: KeyNote?
        var history: [ChangeHistory.Moment]
        var explanation: [String]
        var targeting: [String]

        init(_ key: String, in state: PanelState) {
            entry = state.snapshot.entries[key]
            note = state.demo.notes[key]
            history = state.history[key]
            explanation = state.demo.tweaks.explanation(of: key)
            targeting = state.configuration.targetingLines(forKey: key, at: state.demo.time)
        }
    }

    /// More than the longest value of a server has, which is 65,535 bytes long; only files have longer ones.
    private static let mostRows = 1 << 16

    init(_ key: String, in state: PanelState) {
        (self.key, self.state, shown) = (key, state, Facts(key, in: state))
    }

    var kind: PanelKind { .key(key) }
    var backKeys: [Key] { [Key(.enter), Key(.left)] }

    var commands: [ScreenCommand<ListCommand>] {
        let value = state.snapshot.copy(of: key)?.first.map { intent in
            ScreenCommand(ListCommand.request(intent), [.character("y")], hint: "Copy", help: "Copy the value")
        }
        let name = ListCommand.request(.copy(key))
        return KeyCommands.all(of: key, in: state, ListCommand.request)
            + [
                value, ScreenCommand(name, [.character("Y")], hint: "Copy key", help: "Copy the key"),
                ScreenCommand(.request(.toggle(.help)), state.look.keys.help, hint: "Help"),
            ].compactMap(\.self)
    }

    func isBeside(in size: Size) -> Bool { true }

    mutating func update(_ next: PanelState) -> Bool {
        let facts = Facts(key, in: next)
        defer { (state, shown) = (next, facts) }
        return facts != shown
    }

    func sections(columns: Int) -> [[ListLine]] {
        let lines =
            wrapped(key, .title, columns: columns) + valueLines(shown, columns: columns)
            + noteLines(shown.note, columns: columns) + [ListLine([])] + originLines(shown, columns: columns)
            + section("Rule", shown.targeting.flatMap { wrapped($0, columns: columns) })
            + section("Why", shown.explanation.flatMap { ListLine.linkLines($0, columns: columns) })
            + section("History", historyLines(shown, columns: columns))
        return lines.map { [$0] }
    }
}

extension KeyPage {
    private func wrapped(_ text: String, _ tone: Tone = .plain, columns: Int) -> [ListLine] {
        text.sanitized().wrapped(toColumns: columns, maximumLines: Self.mostRows).map {
            ListLine([.init($0, tone)])
        }
    }

    private func section(_ title: String, _ lines: [ListLine]) -> [ListLine] {
        lines.isEmpty ? [] : [ListLine([]), ListLine([.init(title, .title)])] + lines
    }

    /// The value as JSON, an element a line, with a swatch before each colour.
    private func valueLines(_ facts: Facts, columns: Int) -> [ListLine] {
        guard let value = facts.entry?.value else {
            let reason = facts.targeting.isEmpty ? "removed from the source" : "rule, no default value"
            return [ListLine([.init(reason, .dimmed)])]
        }
        let json = String(decoding: PrettyJSON.laidOut(Array(value.canonicalJSON.utf8)), as: UTF8.self)
        let texts = json.split(separator: "\n")
        let rows = texts.prefix(Self.mostRows).flatMap { line in
            let indent = line.prefix { $0 == " " }
            let swatch: [ListLine.Span] = state.preview.swatch(of: line.trimmingJSON)
            let head = indent.count + swatch.reduce(0) { $0 + $1.text.columnWidth }
            let parts = line.dropFirst(indent.count).wrapped(
                toColumns: max(columns - head, 1),
                maximumLines: Self.mostRows
            )
            return parts.enumerated().map { index, part in
                let blank = ListLine.Span(String(repeating: " ", count: index == 0 ? indent.count : head))
                return ListLine([blank] + (index == 0 ? swatch : []) + [.init(part)])
            }
        }
        let more = texts.count - Self.mostRows
        if more <= 0 { return rows }
        return rows
            + wrapped("… \(more.grouped) more lines; press y to copy the whole value", .dimmed, columns: columns)
    }

    private func noteLines(_ note: KeyNote?, columns: Int) -> [ListLine] {
        guard let note else { return [] }
        let problem = note.problem.map { wrapped("✖ \($0.message)", .accent, columns: columns) } ?? []
        let used = note.isTweaked ? "◆ overridden by a tweak: " : "still using "
        return problem + [ListLine([.init(used, .accent)] + state.preview.spans(of: note.valueInForce))]
    }

    private func originLines(_ facts: Facts, columns: Int) -> [ListLine] {
        guard let entry = facts.entry else { return [] }
        let rows = [("From", entry.fullPlace), ("Changed", state.look.clock.dateAndClock(entry.changedAt))]
        return rows.flatMap { name, text in
            let parts = text.sanitized().wrapped(toColumns: max(columns - 9, 1), maximumLines: 8)
            return parts.enumerated().map { index, part in
                ListLine([.init((index == 0 ? name : "").padded(toColumns: 9), .dimmed), .init(part)])
            }
        }
    }

    private func historyLines(_ facts: Facts, columns: Int) -> [ListLine] {
        var moments = facts.history
        if let entry = facts.entry, moments.first?.value != entry.value {
            moments.insert(ChangeHistory.Moment(value: entry.value, since: entry.changedAt), at: 0)
        }
        if moments.count < 2 { return [ListLine([.init("no changes since the start", .dimmed)])] }
        return moments.map { moment in
            // Without the year.
            let time = ListLine.Span(state.look.clock.dateAndClock(moment.since).dropFirst(5) + "  ", .dimmed)
            let room = columns - time.text.columnWidth
            let value = moment.value.map { state.preview.spans(of: $0, columns: room) as [ListLine.Span] }
            return ListLine([time] + (value ?? [.init("removed", .dimmed)]))
        }
    }
}

extension Substring {
    /// The text between the quotes of a line of JSON.
    fileprivate var trimmingJSON: String {
        var text = self.drop { $0 == " " }
        if text.last == "," { text.removeLast() }
        guard text.count >= 2, text.first == "\"", text.last == "\"" else { return "" }
        return String(text.dropFirst().dropLast())
    }
}
