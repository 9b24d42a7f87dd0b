// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import TerminalUI

/// The old and the new value of one key, or the old and the new schema or rule of one name.
struct KeyChange: Hashable, Sendable {
    /// The key, or the name of the schema or the rule.
    var key: String
    var kind = EntryKind.value
    /// `nil` if there was no entry.
    var old: EntryValue?
    /// `nil` if the entry was removed.
    var new: EntryValue?
}

/// The changes between two sets of values, by key, and then those between their schemas and between their rules.
struct ConfigDiff: Hashable, Sendable {
    var changes: [KeyChange]

    init(_ changes: [KeyChange]) {
        self.changes = changes.filter { $0.old != $0.new }.sorted { left, right in
            left.kind == right.kind ? left.key < right.key : left.kind.rank < right.kind.rank
        }
    }

    /// The changes between two sets of entries of one kind.
    init(_ kind: EntryKind = .value, from old: [String: EntryValue], to new: [String: EntryValue]) {
        self.init(Self.changes(kind, from: old, to: new))
    }

    init(from old: NamespaceContents, to new: NamespaceContents) {
        self.init(EntryKind.allCases.flatMap { Self.changes($0, from: old[$0], to: new[$0]) })
    }

    /// The changes that set some entries of one kind, and leave the others.
    init(_ kind: EntryKind = .value, setting entries: [String: EntryValue], in present: NamespaceContents) {
        self.init(kind, from: present[kind].filter { entries[$0.key] != nil }, to: entries)
    }

    private static func changes(
        _ kind: EntryKind,
        from old: [String: EntryValue],
        to new: [String: EntryValue]
    ) -> [KeyChange] {
        Set(old.keys).union(new.keys).map { KeyChange(key: $0, kind: kind, old: old[$0], new: new[$0]) }
    }

    /// The difference between the entries of two states, of which most are the same; the rules may be among them.
    init(from old: ConfigEntries, to new: ConfigEntries) {
        let upserts = new.lazy.filter { old[$0.key]?.value != $0.value.value }.map(\.key)
        let deletes = old.lazy.filter { new[$0.key] == nil }.map(\.key)
        self.init(
            (Array(upserts) + deletes).map { key in
                let (kind, name) = EntryKind.named(key)
                return KeyChange(key: name, kind: kind, old: old[key]?.value, new: new[key]?.value)
            }
        )
    }

    var isEmpty: Bool { changes.isEmpty }
    /// The changes of values.
    var values: ArraySlice<KeyChange> { changes.prefix { $0.kind == .value } }
    /// The changes of schemas.
    var schemas: ArraySlice<KeyChange> { changes.dropFirst(values.count).prefix { $0.kind == .schema } }
    /// The changes of rules.
    var rules: ArraySlice<KeyChange> { changes.dropFirst(values.count + schemas.count) }
    var added: Int { values.count { $0.old == nil } }
    var removed: Int { values.count { $0.new == nil } }
    var changed: Int { values.count - added - removed }

    func request(expect: UInt64? = nil, message: String? = nil) -> PublishRequest {
        PublishRequest(
            set: Dictionary(values.compactMap { change in change.new.map { (change.key, $0) } }) { $1 },
            unset: Set(values.filter { $0.new == nil }.map(\.key)),
            schemas: Dictionary(schemas.map { ($0.key, $0.new) }) { $1 },
            rules: Dictionary(rules.map { ($0.key, $0.new) }) { $1 },
            expect: expect,
            message: message
        )
    }
}

extension ConfigDiff {
    /// A line for each change, its values cut to fit where lines are limited.
    func lines(style: OutputStyle) -> [[Span]] {
        changes.map { $0.line(style: style) }
    }

    /// `2 new, 1 changed, 1 removed, 3 schemas, 1 rule`.
    var summary: String {
        let others = [(schemas.count, "schema"), (rules.count, "rule")].map { ($0, $0 == 1 ? $1 : $1 + "s") }
        let parts = [(added, "new"), (changed, "changed"), (removed, "removed")] + others
        let words = parts.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
        return words.isEmpty ? "no differences" : words.joined(separator: ", ")
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
    /// `+ key  new`, `- key  old` or `~ key  old → new`, with `schema` or `rule` before the name of one.
    func line(style: OutputStyle) -> [Span] {
        let role: Span.Role = old == nil ? .added : new == nil ? .removed : .changed
        let sign = (old == nil ? "+ " : new == nil ? "- " : "~ ") + kind.label
        let values = [old, new].compactMap { $0.map { style.shown($0.canonicalJSON) } }
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
