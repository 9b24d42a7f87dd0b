// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigWire
import Files
import Programs
import TerminalUI

/// The proposed change of an entry, with the entry that it was made from.
struct DraftChange: Hashable, Sendable {
    /// An entry at a revision.
    struct Entry: Hashable, Sendable {
        var revision: UInt64?
        /// `nil` if the history does not reach back to the revision.
        var value: EntryValue?
    }

    /// The key, as in `EntryKind`.
    var key: String
    /// The entry when it was put into the draft; `nil` if there was none.
    var base: Entry?
    /// The current entry; `nil` if there is none.
    var current: Entry?
    /// `nil` to remove the entry.
    var proposed: EntryValue?
    /// Whether the entry has changed since it was put into the draft.
    var isMoved = false
}

/// The content of a draft, as a reviewer reads it.
struct DraftDiff {
    let draft: DraftMessage
    var changes: [DraftChange]

    /// All that an approval binds to.
    func lines(_ style: OutputStyle) -> [String] {
        var lines = [style.line([Span("Draft \(draft.summary.id)", .key), Span(": \(draft.summary.title)")])]
        for (name, text) in draft.facts { lines.append(style.line([Span("\(name): ", .faint), Span(text)])) }
        lines.append(table(style))
        for change in changes {
            guard let words = change.words else { continue }
            lines.append(style.line([Span("\(change.label): ", .key), Span(words)]))
        }
        for problem in draft.problems { lines.append(style.line([Span(problem.line, .problem)])) }
        return lines
    }

    /// The changes side by side. Values are wrapped, never cut.
    func table(_ style: OutputStyle) -> String {
        let cells = changes.map { $0.cells(style, isConflict: isConflict($0)) }
        let headings = ["KEY", "BASE", "CURRENT", "PROPOSED"]
        let widths = style.columns.map { columns in
            let needs = headings.indices.map { index in
                max(headings[index].count, cells.map { $0[index].text.columnWidth }.max() ?? 0)
            }
            return ColumnFit.widths(for: needs, in: columns - 2 * (headings.count - 1))
        }
        let rows = cells.flatMap { cells -> [[Span]] in
            let wrapped = zip(cells, widths ?? []).map { $0.wrapped(toColumns: $1) }
            guard !wrapped.isEmpty else { return [cells] }
            let count = wrapped.map(\.count).max() ?? 0
            return (0..<count).map { row in wrapped.map { $0.indices.contains(row) ? $0[row] : Span("") } }
        }
        return TextTable(headings: headings, rows: rows).text(style: style)
    }

    private func isConflict(_ change: DraftChange) -> Bool { change.isMoved && draft.summary.state == "open" }

    func writeMembers(to object: inout JSONWriter) {
        func write(_ entry: DraftChange.Entry?, _ json: inout JSONWriter) {
            json.optional(entry) { json, entry in
                json.object { object in
                    object.member("revision") { $0.optional(entry.revision) { $0.number($1) } }
                    object.member("value") { $0.optional(entry.value) { $0.value($1) } }
                }
            }
        }
        draft.writeHead(to: &object)
        object.member("operations", each: changes) { change, array in
            array.object { object in
                object.member("key") { $0.string(change.key) }
                object.member("conflict") { $0.boolean(isConflict(change)) }
                object.member("base") { write(change.base, &$0) }
                object.member("current") { write(change.current, &$0) }
                object.member("proposed") { $0.optional(change.proposed) { $0.value($1) } }
            }
        }
        object.member("problems", each: draft.problems) { problem, array in
            array.object { problem.writeMembers(to: &$0) }
        }
    }
}

extension DraftChange {
    private var named: (kind: EntryKind, name: String) { EntryKind.named(key) }

    fileprivate var label: String { named.kind.label + named.name }

    /// The change of a rule in words.
    fileprivate var words: String? {
        RuleChange(KeyChange(key: named.name, kind: named.kind, old: current?.value, new: proposed))?.words
    }

    /// The key, and the three values.
    fileprivate func cells(_ style: OutputStyle, isConflict: Bool) -> [Span] {
        let texts = TextPair(current?.value?.canonicalJSON ?? "", proposed?.canonicalJSON ?? "")
        func cell(_ entry: Entry?, _ text: String) -> Span {
            guard let entry else { return Span("none", .faint) }
            guard let value = entry.value else { return Span("revision \(entry.revision ?? 0)", .faint) }
            return style.cell(value, style.shown(text))
        }
        let present = cell(current, texts.old)
        return [
            Span(style.shown(label) + (isConflict ? " (conflict)" : ""), isConflict ? .problem : .key),
            isMoved ? cell(base, base?.value?.canonicalJSON ?? "") : present,
            isMoved ? present : Span("unchanged", .faint),
            proposed.map { style.cell($0, style.shown(texts.new)) } ?? Span("removed", .removed),
        ]
    }
}

extension Span {
    /// The span in lines: of JSON a line for each part, and each line cut between characters.
    fileprivate func wrapped(toColumns columns: Int) -> [Span] {
        if text.columnWidth <= columns { return [self] }
        if text.hasPrefix("{") || text.hasPrefix("[") {
            let json = String(decoding: PrettyJSON.laidOut(Array(text.utf8)), as: UTF8.self)
            let parts = json.split(separator: "\n").map { Span(String($0), role) }
            return parts.flatMap { $0.broken(toColumns: columns) }
        }
        return broken(toColumns: columns)
    }

    private func broken(toColumns columns: Int) -> [Span] {
        var (lines, line, width) = ([Span](), "", 0)
        for character in text {
            let next = String(character).columnWidth
            if width + next > columns, !line.isEmpty {
                lines.append(Span(line, lines.isEmpty ? role : role.continued))
                (line, width) = ("", 0)
            }
            line.append(character)
            width += next
        }
        return lines + [Span(line, lines.isEmpty ? role : role.continued)]
    }
}

extension Span.Role {
    /// The role of the lines after the first one.
    fileprivate var continued: Span.Role { if case .swatch = self { .plain } else { self } }
}

extension DraftMessage {
    /// The state and the content besides the changes, in words.
    var facts: [(name: String, text: String)] {
        let (clock, other) = (ClockFormat.local, editors.filter { $0 != summary.author })
        let edited = other.isEmpty ? "" : ", edited by \(other.joined(separator: ", "))"
        let instant = summary.instant.map { " (\(clock.dateAndClock($0)) here)" } ?? ""
        let facts: [(String, String?)] = [
            ("Status", "\(summary.words), version \(summary.version)"), ("Author", summary.author.map { $0 + edited }),
            ("Apply at", summary.applyAt.map { $0 + instant }), ("Message", message),
            (
                "Approvals",
                needed > 0 || !approvers.isEmpty
                    ? "\(approvers.count) of \(needed)" + approvers.map { " \($0)" }.joined(separator: ",") : nil
            ),
            ("Reason", reason), ("Digest", digest),
        ]
        return facts.compactMap { name, text in text.map { (name, $0) } }
    }

    /// Writes the members that all answers about a draft begin with.
    func writeHead(to object: inout JSONWriter) {
        object.member("draft") { $0.string(summary.id) }
        object.member("title") { $0.string(summary.title) }
        object.member("message") { $0.optional(message) { $0.string($1) } }
        object.member("version") { $0.number(summary.version) }
        object.member("digest") { $0.string(digest) }
        object.member("state") { $0.string(summary.state) }
        object.member("status") { $0.string(summary.status) }
        object.member("missing") { $0.strings(summary.missing) }
        object.member("apply_at") { $0.optional(summary.applyAt) { $0.string($1) } }
        object.member("revision") { $0.optional(summary.revision) { $0.number($1) } }
    }
}

extension DraftSummary {
    /// The status and the missing steps: `in review (1 approval)`.
    var words: String {
        if let revision { return "applied as revision \(revision)" }
        return missing.isEmpty ? status : "\(status) (\(missing.joined(separator: "; ")))"
    }

    /// `Draft k3m9pq2r, version 1: in review (1 approval).`
    var sentence: String { "Draft \(id), version \(version): \(words)." }
}
