// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Programs
import TerminalUI

/// A row of the inspector: a key, its value, and the columns that fit.
struct InspectorRow {
    var key: String
    var entry: EntrySnapshot.Entry?
    var note: KeyNote?
    /// Whether a rule decides the value.
    var isRuled = false
    /// Whether the key has just changed.
    var isMarked = false
    var isSelected = false

    /// The names of the columns.
    static func head(_ columns: InspectorColumns) -> InspectorScreen.Line {
        let gap = String(repeating: " ", count: InspectorColumns.gap)
        let names = [("key", columns.key), ("value", columns.value), ("place", columns.place), ("time", columns.time)]
        let cells = names.filter { $0.1 > 0 }.map { $0.0.truncated(toColumns: $0.1).padded(toColumns: $0.1) }
        let margin = String(repeating: " ", count: InspectorColumns.margin)
        return InspectorScreen.Line([.init(margin + cells.joined(separator: gap), .dimmed)])
    }

    func line(_ columns: InspectorColumns, _ preview: ValuePreview, _ clock: ClockFormat) -> InspectorScreen.Line {
        let gap = InspectorScreen.Line.Span(String(repeating: " ", count: InspectorColumns.gap))
        var spans: [InspectorScreen.Line.Span] = [
            .init(isSelected ? "▌" : " "), .init(isMarked ? "•" : " ", .accent),
            .init(Self.fitted(key, columns: columns.key)), gap,
        ]
        let value = valueSpans(preview, columns)
        // The error of a value is more important than its position.
        let isWide = note != nil && value.columnWidth > columns.value
        spans += Self.fitted(value, columns: isWide ? columns.rest : columns.value)
        if columns.place > 0, !isWide {
            spans += [gap, .init(Self.fittedEnd(entry?.shortPlace ?? "", columns: columns.place), .dimmed)]
        }
        if columns.time > 0, !isWide {
            // Without the year and the seconds.
            let time = entry.map { clock.dateAndClock($0.changedAt).dropFirst(5).dropLast(3) } ?? ""
            spans += [gap, .init(String(time).padded(toColumns: columns.time), .dimmed)]
        }
        return InspectorScreen.Line(isSelected ? spans.map(Self.selected) : spans, isFocused: isSelected)
    }

    /// The value, and the value that is used in its place.
    private func valueSpans(_ preview: ValuePreview, _ columns: InspectorColumns) -> [InspectorScreen.Line.Span] {
        guard let entry else {
            return isRuled ? [.init("◇ ", .accent), .init("rule, no default value", .dimmed)] : []
        }
        let mark: [InspectorScreen.Line.Span] = isRuled && note?.problem == nil ? [.init("◇ ", .accent)] : []
        let value = mark + preview.spans(of: entry.value, columns: columns.value - mark.columnWidth)
        guard let note else { return value }
        let used: [InspectorScreen.Line.Span] = preview.spans(of: note.valueInForce)
        let forms: [[InspectorScreen.Line.Span]]
        if note.problem == nil {
            forms = [[.init("◆ ", .accent)] + used + [.init(" not ", .dimmed)] + value, [.init("◆ ", .accent)] + used]
        } else {
            let mark = [InspectorScreen.Line.Span("✖ ", .accent)]
            let tweak = note.isTweaked ? "◆ " : ""
            let isUsed = note.problem?.code == .invalidRule && !note.isTweaked
            forms =
                isUsed
                ? [mark + value]
                : [
                    mark + value + [.init("; still using " + tweak, .accent)] + used,
                    mark + value + [.init("; using " + tweak, .accent)] + used,
                    mark + [.init("using " + tweak, .accent)] + used,
                    mark + [.init("using " + tweak + note.valueInForce, .accent)],
                ]
        }
        return forms.first { $0.columnWidth <= columns.rest } ?? forms[forms.count - 1]
    }
}

extension InspectorRow {
    private static func selected(_ span: InspectorScreen.Line.Span) -> InspectorScreen.Line.Span {
        if case .block = span.tone { return span }
        return .init(span.text, .selected)
    }

    private static func fitted(_ text: String, columns: Int) -> String {
        text.sanitized().truncated(toColumns: columns).padded(toColumns: columns)
    }

    /// The end of a text: of a place, the line matters most.
    private static func fittedEnd(_ text: String, columns: Int) -> String {
        var text = text.sanitized()
        if text.columnWidth > columns {
            while text.columnWidth > columns - 1, !text.isEmpty { text.removeFirst() }
            text = "…" + text
        }
        return text.padded(toColumns: columns)
    }

    private static func fitted(_ spans: [InspectorScreen.Line.Span], columns: Int) -> [InspectorScreen.Line.Span] {
        var rest = columns
        var fitted: [InspectorScreen.Line.Span] = []
        for span in spans where rest > 0 {
            let text = span.text.truncated(toColumns: rest)
            fitted.append(.init(text, span.tone))
            rest -= text.columnWidth
            if text != span.text { break }
        }
        return fitted + [.init(String(repeating: " ", count: max(rest, 0)))]
    }
}

extension [InspectorScreen.Line.Span] {
    fileprivate var columnWidth: Int { reduce(0) { $0 + $1.text.columnWidth } }
}
