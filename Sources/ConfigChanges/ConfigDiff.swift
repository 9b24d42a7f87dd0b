// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
package import ConfigWire

/// The old and the new value of one key, or the old and the new schema or rule of one name.
package struct KeyChange: Hashable, Sendable {
    /// The key, or the name of the schema or the rule.
    package var key: String
    package var kind: EntryKind
    /// `nil` if there was no entry.
    package var old: EntryValue?
    /// `nil` if the entry was removed.
    package var new: EntryValue?
    /// The rule that the key keeps if its value is removed: a server removes a rule with its value otherwise.
    fileprivate var keptRule: EntryValue?

    package init(key: String, kind: EntryKind = .value, old: EntryValue?, new: EntryValue?) {
        (self.key, self.kind, self.old, self.new) = (key, kind, old, new)
    }

    /// The key by which the entry is held.
    package var heldKey: String { kind.key(of: key) }
    /// `+`, `-` or `~`: added, removed, changed.
    package var sign: String { old == nil ? "+" : new == nil ? "-" : "~" }
    /// The change that takes this one back.
    package var inverse: KeyChange { KeyChange(key: key, kind: kind, old: new, new: old) }
}

/// The changes between two sets of values, by key, and then those between their schemas and between their rules.
package struct ConfigDiff: Hashable, Sendable {
    package var changes: [KeyChange]

    package init(_ changes: [KeyChange]) {
        self.changes = changes.filter { $0.old != $0.new }.sorted { left, right in
            left.kind == right.kind ? left.key < right.key : left.kind.rank < right.kind.rank
        }
    }

    /// The changes between two sets of entries of one kind.
    package init(_ kind: EntryKind = .value, from old: [String: EntryValue], to new: [String: EntryValue]) {
        self.init(Self.changes(kind, from: old, to: new))
    }

    package init(from old: NamespaceContents, to new: NamespaceContents) {
        self.init(EntryKind.allCases.flatMap { Self.changes($0, from: old[$0], to: new[$0]) })
        self = keepingRules { new.rules[$0] }
    }

    /// The changes that bring some names back to a former state: the value, the rule and the schema of each.
    ///
    /// - Parameter names: keys, patterns of schemas, or the name of the shared evaluators.
    package init(restoring names: some Sequence<String>, from present: NamespaceContents, to former: NamespaceContents)
    {
        let names = Set(names)
        self.init(ConfigDiff(from: present, to: former).changes.filter { names.contains($0.key) })
    }

    /// The changes that set some entries of one kind, and leave the others.
    package init(_ kind: EntryKind = .value, setting entries: [String: EntryValue], in present: NamespaceContents) {
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
    package init(from old: ConfigEntries, to new: ConfigEntries) {
        let upserts = new.lazy.filter { old[$0.key]?.value != $0.value.value }.map(\.key)
        let deletes = old.lazy.filter { new[$0.key] == nil }.map(\.key)
        self.init(
            (Array(upserts) + deletes).map { key in
                let (kind, name) = EntryKind.named(key)
                return KeyChange(key: name, kind: kind, old: old[key]?.value, new: new[key]?.value)
            }
        )
    }

    /// Hashes no more than the ends: requests with their changes are the keys of dictionaries that each event looks up.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(changes.count)
        hasher.combine(changes.first)
        hasher.combine(changes.last)
    }

    package var isEmpty: Bool { changes.isEmpty }
    /// The changes that take these back.
    package var inverse: ConfigDiff { ConfigDiff(changes.map(\.inverse)) }
    /// The same changes, of which removals of values leave the rules of their keys as they are.
    ///
    /// - Parameter rule: returns the present rule of a key.
    package func keepingRules(_ rule: (String) -> EntryValue?) -> ConfigDiff {
        var kept = self
        for index in values.indices where changes[index].new == nil {
            kept.changes[index].keptRule = rule(changes[index].key)
        }
        return kept
    }

    /// The changes of values.
    package var values: ArraySlice<KeyChange> { changes.prefix { $0.kind == .value } }
    /// The changes of schemas.
    package var schemas: ArraySlice<KeyChange> { changes.dropFirst(values.count).prefix { $0.kind == .schema } }
    /// The changes of rules.
    package var rules: ArraySlice<KeyChange> { changes.dropFirst(values.count + schemas.count) }
    package var added: Int { values.count { $0.old == nil } }
    package var removed: Int { values.count { $0.new == nil } }
    package var changed: Int { values.count - added - removed }

    /// `2 new, 1 changed, 1 removed, 3 schemas, 1 rule`.
    package var summary: String {
        let others = [(schemas.count, "schema"), (rules.count, "rule")].map { ($0, $0 == 1 ? $1 : $1 + "s") }
        let parts = [(added, "new"), (changed, "changed"), (removed, "removed")] + others
        let words = parts.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
        return words.isEmpty ? "no differences" : words.joined(separator: ", ")
    }

    /// The maximum length of the title of a draft, in scalars.
    private static let maximumTitleLength = 200

    /// A title for a draft of the changes: the start of their message, or `app.color and 2 more`.
    package func draftTitle(message: String?) -> String {
        let first = changes.first.map { $0.kind.label + $0.key } ?? ""
        let keys = changes.count > 1 ? "\(first) and \((changes.count - 1).grouped) more" : first
        return String(String.UnicodeScalarView((message ?? keys).unicodeScalars.prefix(Self.maximumTitleLength)))
    }

    /// A sentence on each value that gets another type, which programs may be unable to read.
    package var typeChanges: [String] {
        values.compactMap { change in
            guard let old = change.old, let new = change.new, ValueKind(of: old) != ValueKind(of: new) else {
                return nil
            }
            return "The type of \(change.key) changes: \(ValueKind.name(of: old)) → \(ValueKind.name(of: new))"
        }
    }

    package func request(expect: UInt64? = nil, message: String? = nil) -> PublishRequest {
        PublishRequest(
            set: Dictionary(values.compactMap { change in change.new.map { (change.key, $0) } }) { $1 },
            unset: Set(values.filter { $0.new == nil }.map(\.key)),
            schemas: Dictionary(schemas.map { ($0.key, $0.new) }) { $1 },
            rules: Dictionary(
                values.filter { $0.keptRule != nil }.map { ($0.key, $0.keptRule) } + rules.map { ($0.key, $0.new) }
            ) { $1 },
            expect: expect,
            message: message
        )
    }
}

extension EntryKind {
    /// The prefix of the name in lists of several kinds.
    package var label: String { self == .value ? "" : rawValue + " " }

    /// Where the kind stands among others.
    fileprivate var rank: Int { EntryKind.allCases.firstIndex(of: self) ?? 0 }
}
