// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import Programs
import TerminalUI

/// A row of the inspector: a key, its value, and the columns that fit.
struct InspectorRow {
    var key: String
    /// The parts of the key that are shown.
    var parts: KeyElision.Parts
    var entry: ConfigEntry?
    var note: KeyNote?
    /// Whether a rule decides the value.
    var isRuled = false
    /// Whether a schema applies to the key.
    var hasSchema = false
    /// Whether the key has just changed.
    var isMarked = false
    /// Whether the key has a draft.
    var hasDraft = false
    /// The staged change of the value.
    var staged: KeyChange?
    /// Whether the rule has a staged change.
    var hasStagedRule = false
    var isSelected = false
    /// The author of the last change, if known.
    var author: String?
    /// The filter whose matches are marked.
    var query: KeyQuery?

    /// The names of the columns. A click on one that the list can be sorted by sorts it.
    static func head(_ columns: InspectorColumns, sortedBy sorting: KeySorting) -> InspectorScreen.Line {
        let gap = InspectorScreen.Line.Span(String(repeating: " ", count: InspectorColumns.gap), .dimmed)
        let names: [(String, Int, KeySorting?)] =
            [("key", columns.key, .name), ("value", columns.value, nil)]
            + columns.facts.map { ($0.kind.rawValue, $0.width, $0.sorting) }
        let cells = names.map { name, width, sorts in
            let text = name.truncated(toColumns: width).padded(toColumns: width)
            let isSorted = sorts == sorting && sorting != .name
            return [InspectorScreen.Line.Span(text, isSorted ? .title : .dimmed, target: sorts.map { .own(.sort($0)) })]
        }
        let margin = InspectorScreen.Line.Span(String(repeating: " ", count: InspectorColumns.margin), .dimmed)
        return InspectorScreen.Line([margin] + cells.joined(separator: [gap]))
    }

    /// The row of a folded group.
    static func group(_ prefix: String, count: Int, isSelected: Bool) -> InspectorScreen.Line {
        let spans: [InspectorScreen.Line.Span] = [
            .init(isSelected ? "▌" : " "), .init("▸"), .init(prefix + "*"),
            .init("  \(count.grouped) keys", .dimmed),
        ]
        return InspectorScreen.Line(isSelected ? spans.map(\.selected) : spans, isFocused: isSelected)
    }

    func line(_ columns: InspectorColumns, _ preview: ValuePreview, _ clock: ClockFormat) -> InspectorScreen.Line {
        let gap = InspectorScreen.Line.Span(String(repeating: " ", count: InspectorColumns.gap))
        var spans: [InspectorScreen.Line.Span] = [
            .init(isSelected ? "▌" : " "), .init(mark, .accent),
        ]
        let marked = InspectorScreen.Line.Span(key).marked(query?.marks(inKey: key) ?? [])
        spans += marked.kept(parts).fitted(columns: columns.key) + [gap]
        let value = valueSpans(preview, columns).flatMap { span in
            if case .block = span.tone { return [span] }
            return span.marked(query?.marks(inValue: span.text, ofKey: key) ?? [])
        }
        // The error of a value is more important than its position.
        let isWide = note != nil && value.columnWidth() > columns.value
        spans += value.fitted(columns: isWide ? columns.rest : columns.value)
        for fact in isWide ? [] : columns.facts {
            spans += [gap, .init(cell(of: fact, clock), .dimmed)]
        }
        return InspectorScreen.Line(isSelected ? spans.map(\.selected) : spans, isFocused: isSelected)
    }

    private var mark: String {
        hasDraft ? "✎" : staged != nil || hasStagedRule ? "±" : isMarked ? "•" : " "
    }

    private func cell(of fact: InspectorColumns.Fact, _ clock: ClockFormat) -> String {
        var text = text(of: fact.kind, clock).sanitized()
        // Of a place, the line matters most, which is at the end.
        if fact.kind == .place, text.columnWidth > fact.width {
            while text.columnWidth > fact.width - 1, !text.isEmpty { text.removeFirst() }
            text = "…" + text
        }
        return text.truncated(toColumns: fact.width).padded(toColumns: fact.width)
    }

    private func text(of fact: InspectorColumns.Fact.Kind, _ clock: ClockFormat) -> String {
        switch fact {
        case .type: entry.map { ValueKind.name(of: $0.value) } ?? ""
        case .place: entry?.shortPlace ?? ""
        // Without the year and the seconds.
        case .time: entry.map { String(clock.dateAndClock($0.changedAt).dropFirst(5).dropLast(3)) } ?? ""
        case .author: author ?? ""
        }
    }

    /// The value, and the value that is used in its place.
    private func valueSpans(_ preview: ValuePreview, _ columns: InspectorColumns) -> [InspectorScreen.Line.Span] {
        if let staged {
            guard let new = staged.new else { return [.init("removed", .accent)] }
            let spans: [InspectorScreen.Line.Span] = preview.spans(of: new, columns: columns.value)
            return spans.map { $0.tone == .plain ? InspectorScreen.Line.Span($0.text, .accent) : $0 }
        }
        guard let entry else {
            return isRuled ? [.init("◇ ", .accent), .init("rule, no default value", .dimmed)] : []
        }
        var mark: [InspectorScreen.Line.Span] = isRuled && note?.problem == nil ? [.init("◇ ", .accent)] : []
        if hasSchema { mark.append(.init("§ ", .dimmed)) }
        let value = mark + preview.spans(of: entry.value, columns: columns.value - mark.columnWidth())
        guard let note else { return value }
        let used: [InspectorScreen.Line.Span] = preview.spans(of: note.effectiveValue)
        var forms = [[.init("◆ ", .accent)] + used + [.init(" not ", .dimmed)] + value, [.init("◆ ", .accent)] + used]
        if let problem = note.problem {
            let mark = [InspectorScreen.Line.Span("✖ ", .error)]
            if problem.code == .invalidRule && !note.isTweaked { return mark + value }
            let using = "using " + (note.isTweaked ? "◆ " : "")
            forms = [
                mark + value + [.init("; " + using, .accent)] + used,
                mark + [.init(using, .accent)] + used,
                mark + [.init(using + note.effectiveValue, .accent)],
            ]
        }
        return forms.first { $0.columnWidth() <= columns.rest } ?? forms[forms.count - 1]
    }
}

extension InspectorColumns.Fact {
    fileprivate var sorting: KeySorting? {
        switch kind {
        case .time: .change
        case .author: .author
        case .type, .place: nil
        }
    }
}
