// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import TerminalUI

extension ConfigDiff {
    /// A line for each change, its values cut to fit where lines are limited.
    func lines(style: OutputStyle) -> [[Span]] {
        changes.map { $0.line(style: style) }
    }

    /// Writes the changes of one kind, `"changes": [{"key": …, "old": …, "new": …}]`, with `null` for no entry; those of
    /// schemas are `"schema_changes"`, those of rules `"rule_changes"`.
    func write(_ kind: EntryKind, to object: inout JSONWriter) {
        let changes = changes.filter { $0.kind == kind }
        object.member(kind.changesName, each: changes) { change, array in
            array.object { change.writeMembers(to: &$0) }
        }
    }
}

extension KeyChange {
    /// `+ key  new`, `- key  old` or `~ key  old → new`, with `schema` or `rule` before the name of one. The change of a rule is
    /// in words.
    func line(style: OutputStyle) -> [Span] {
        let role: Span.Role = old == nil ? .added : new == nil ? .removed : .changed
        let sign = "\(sign) \(kind.label)"
        let words = RuleChange(self).map { [$0.words] } ?? valueTexts
        let values = words.map { style.shown($0) }
        let shownKey = style.shown(key)
        // The sign, the two spaces after the key and the arrow with its spaces.
        let fixed = sign.columnWidth + shownKey.columnWidth + 2 + (values.count - 1) * 3
        let widths = style.columns.map { columns in
            ColumnFit.widths(for: values.map(\.columnWidth), in: max(columns - fixed, 16))
        }
        let texts = values.enumerated().map { index, value in
            widths.map { value.truncated(toColumns: $0[index], ellipsis: style.ellipsis) } ?? value
        }
        return [Span(sign, role), Span(shownKey, .key), "  "] + Self.joined(texts, role)
    }

    /// The values as JSON.
    private var valueTexts: [String] {
        guard let old, let new else { return [old, new].compactMap { $0?.canonicalJSON } }
        let texts = TextPair(old.canonicalJSON, new.canonicalJSON)
        return [texts.old, texts.new]
    }

    private static func joined(_ texts: [String], _ role: Span.Role) -> [Span] {
        guard texts.count == 2 else { return texts.map { Span($0, role) } }
        return [Span(texts[0], .removed), " → ", Span(texts[1], .added)]
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("key") { $0.string(key) }
        json.member("old") { $0.optional(old) { $0.value($1) } }
        json.member("new") { $0.optional(new) { $0.value($1) } }
    }
}
