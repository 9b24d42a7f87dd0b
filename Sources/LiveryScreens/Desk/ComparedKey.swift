// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigRules
import TerminalUI

/// A key that differs between the source on the screen and another one.
struct ComparedKey: Hashable, Sendable {
    let key: String
    /// The values, before rules are evaluated.
    let here: EntryValue?
    let there: EntryValue?
    /// The change from the rule here to the one there; `nil` if there is no difference.
    let rule: KeyChange?

    var isOnlyHere: Bool { there == nil && rule?.new == nil }
    var isOnlyThere: Bool { here == nil && rule?.old == nil }
    var sign: String { isOnlyHere ? "-" : isOnlyThere ? "+" : "~" }

    /// The changes that make the key here the same as there.
    var changes: ConfigDiff { ConfigDiff([KeyChange(key: key, old: here, new: there)] + [rule].compactMap(\.self)) }

    /// Both values in full, and both rules.
    func changeLines(_ text: PageText) -> [CompareScreen.Line] {
        let values = here == there ? [] : text.change(from: here, to: there)
        let rules = rule.map { [ListLine([.init("◇ rule", .accent)])] + text.change(from: $0.old, to: $0.new) } ?? []
        return (values + rules).map { CompareScreen.Line(of: $0) }
    }
}

extension ComparedKey {
    /// The keys that differ, sorted.
    static func all(of snapshot: EntrySnapshot, and other: NamespaceContents) -> [ComparedKey] {
        let there = other.entries
        let held = snapshot.own.reduce(into: Set(there.keys)) { $0.formUnion($1.held.keys) }
        let diff = ConfigDiff(
            held.map { key in
                let (kind, name) = EntryKind.named(key)
                return KeyChange(key: name, kind: kind, old: value(of: key, in: snapshot), new: there[key])
            }
        )
        let rules = Dictionary(diff.rules.map { ($0.key, $0) }) { $1 }
        return Set(diff.changes.map(\.key)).sorted().map { key in
            ComparedKey(key: key, here: snapshot.held(key)?.value, there: there[key], rule: rules[key])
        }
    }

    /// A rule as servers store it, and as the contents of a document have it.
    private static func value(of key: String, in snapshot: EntrySnapshot) -> EntryValue? {
        let value = snapshot.held(key)?.value
        let isRule = EntryKind(of: key) == .rule && key != EntryKind.rule.key(of: EntryKind.sharedRules)
        return isRule ? value.map { ConfigRule.namingBucketing($0) } : value
    }

    /// `12 differ: 3 only here, 4 only there`; empty without differences.
    static func summary(of keys: [ComparedKey]) -> String {
        if keys.isEmpty { return "" }
        let counts = [(keys.count { $0.isOnlyHere }, "only here"), (keys.count { $0.isOnlyThere }, "only there")]
        let parts = counts.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
        let head = "\(keys.count.grouped) \(keys.count == 1 ? "differs" : "differ")"
        return parts.isEmpty ? head : head + ": " + parts.joined(separator: ", ")
    }
}
