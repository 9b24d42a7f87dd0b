// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import Programs
import TerminalUI

/// Lines of a page: texts that are wrapped, values, tables and differences.
struct PageText {
    let columns: Int
    let preview: ValuePreview
    let clock: ClockFormat

    /// More than the longest value of a server has, which is 65,535 bytes long; only files have longer ones.
    private static let maximumRows = 1 << 16
    private static let termColumns = 10
    /// The lines of changes beyond so many are not laid out.
    static let maximumChanges = 2000

    func wrapped(_ text: String, _ tone: Tone = .plain) -> [ListLine] {
        text.sanitized().wrapped(toColumns: max(columns, 1), maximumLines: Self.maximumRows).map {
            ListLine([.init($0, tone)])
        }
    }

    /// Lines that keep their own indentation.
    func indented(_ text: String) -> [ListLine] {
        ListLine.indented(.init(""), .init(text), hang: 2, columns: columns)
    }

    /// A heading with its lines; nothing without lines.
    func section(_ title: String, _ lines: [ListLine]) -> [ListLine] {
        lines.isEmpty ? [] : [ListLine([]), ListLine([.init(title, .title)])] + lines
    }

    /// Terms with their texts; a text that is empty is left out.
    func table(_ rows: KeyValuePairs<String, String?>) -> [ListLine] {
        rows.flatMap { term, text in
            guard let text, !text.isEmpty else { return [ListLine]() }
            return ListLine.hanging(.init(term, .dimmed), indent: Self.termColumns, .init(text), columns: columns)
        }
    }

    /// A value as JSON, an element a line, with a swatch before each colour.
    func json(_ value: EntryValue) -> [ListLine] {
        let texts = value.prettyJSON.split(separator: "\n")
        let rows = texts.prefix(Self.maximumRows).flatMap { line in
            let indent = line.prefix { $0 == " " }
            let swatch: [ListLine.Span] = preview.swatch(of: line.trimmingJSON)
            let head = indent.count + swatch.reduce(0) { $0 + $1.text.columnWidth }
            let parts = line.dropFirst(indent.count).wrapped(
                toColumns: max(columns - head, 1),
                maximumLines: Self.maximumRows
            )
            return parts.enumerated().map { index, part in
                let blank = ListLine.Span(String(repeating: " ", count: index == 0 ? indent.count : head))
                return ListLine([blank] + (index == 0 ? swatch : []) + [.init(part)])
            }
        }
        let more = texts.count - Self.maximumRows
        if more <= 0 { return rows }
        return rows + wrapped("… \(more.grouped) more lines; press s to save the whole value", .dimmed)
    }

    /// The change of a value: in one line if it fits, else line by line.
    func change(from old: EntryValue?, to new: EntryValue?) -> [ListLine] {
        if let line = shortChange(from: old, to: new), line.columnWidth <= columns { return [line] }
        return lines(of: ValueDiff(from: old, to: new))
    }

    /// The change of an entry: of a rule in words, of anything else as above.
    func change(of change: KeyChange) -> [ListLine] {
        RuleChange(change).map { lines(of: $0.diff) } ?? self.change(from: change.old, to: change.new)
    }

    /// A line with the number of changes beyond that limit; nothing if there are none.
    func rest(ofChanges count: Int) -> [ListLine] {
        let rest = count - Self.maximumChanges
        return rest > 0 ? wrapped("… and \(rest.grouped(of: "more change"))", .dimmed) : []
    }

    private func lines(of diff: ValueDiff) -> [ListLine] {
        let line = { (sign: ListLine.Span, text: ListLine.Span, part: Range<Int>?, mark: Tone) in
            ListLine.indented(sign, text, part: part, as: mark, columns: columns)
        }
        return zip(diff.lines, diff.changedParts { $0.sanitized() }).flatMap { shown, part -> [ListLine] in
            switch shown {
            case .same(let text): line(.init("  "), .init(text, .dimmed), nil, .plain)
            case .changed(let text): line(.init("~ ", .accent), .init(text), nil, .plain)
            case .removed(let text): line(.init("- "), .init(text), part, .title)
            case .added(let text):
                line(.init("+ ", .accent), .init(text, part == nil ? .accent : .plain), part, .accent)
            case .gap(let count): [ListLine([.init("  … \(count.grouped) unchanged lines", .dimmed)])]
            }
        }
    }

    private func shortChange(from old: EntryValue?, to new: EntryValue?) -> ListLine? {
        let isShort = { (value: EntryValue?) in
            switch value {
            case .array, .object: false
            case .string(let text): text.utf8.count <= 200
            default: true
            }
        }
        guard isShort(old), isShort(new), old != nil || new != nil else { return nil }
        let texts = TextPair(old?.canonicalJSON ?? "", new?.canonicalJSON ?? "")
        let spans = { (value: EntryValue?, text: String) -> [ListLine.Span] in
            guard let value else { return [] }
            return preview.swatch(of: String(configValue: value) ?? "") + [.init(text)]
        }
        let sign = old == nil ? "+ " : new == nil ? "- " : "~ "
        let arrow: [ListLine.Span] = old == nil || new == nil ? [] : [.init(" → ", .dimmed)]
        return ListLine([.init(sign, .accent)] + spans(old, texts.old) + arrow + spans(new, texts.new))
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

extension PageText {
    init(columns: Int, _ state: PanelState) {
        self.init(columns: max(columns, 1), preview: state.preview, clock: state.look.clock)
    }
}

extension ActiveLine {
    /// A line of a page on another screen, where a click on it does nothing.
    init(of line: ListLine) { self.init(line.spans.map { Span($0.text, $0.tone) }) }
}
