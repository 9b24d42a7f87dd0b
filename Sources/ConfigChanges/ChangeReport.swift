// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The result of a check of changes.
package struct ChangeReport: Equatable, Sendable {
    /// The schema violations, and the errors in schemas and rules; a write with any of them is rejected.
    package var violations: [ViolationMessage] = []
    /// The entries that have changed since their changes were made.
    package var conflicts: [EntryConflict] = []
    /// The keys whose rules give some users another value than the new one.
    package var ruledKeys: [String] = []

    package init() {}

    /// Whether a write would be made.
    package var isAccepted: Bool { violations.isEmpty && conflicts.isEmpty }
}

/// A change of an entry that has changed since: its start (base), its end (mine), and the value now (theirs).
package struct EntryConflict: Equatable, Sendable {
    /// From base to mine.
    package var change: KeyChange
    /// `nil` if there is no entry now.
    package var theirs: EntryValue?
    /// The last change of the entry, if it is known.
    package var record: HistoryRecord?

    package init(change: KeyChange, theirs: EntryValue?, record: HistoryRecord? = nil) {
        (self.change, self.theirs, self.record) = (change, theirs, record)
    }

    /// The change from theirs to mine.
    package var rebased: KeyChange { KeyChange(key: change.key, kind: change.kind, old: theirs, new: change.new) }
}

extension NamespaceContents {
    /// All entries, by the keys by which they are held.
    package var held: [String: EntryValue] {
        schemas.reduce(into: entries) { $0[EntryKind.schema.key(of: $1.key)] = $1.value }
    }

    /// Checks changes as ``check(_:)`` does, and whether each entry still is what its change starts from.
    package func report(on changes: ConfigDiff) -> ChangeReport {
        var report = ChangeReport()
        report.violations = violations(by: changes)
        report.conflicts = changes.conflicts(with: held)
        report.ruledKeys = changes.ruledKeys(by: rules)
        return report
    }
}

extension ConfigDiff {
    /// The changes whose entries have changed since.
    ///
    /// - Parameter present: the current entries, by the keys by which they are held.
    package func conflicts(with present: [String: EntryValue]) -> [EntryConflict] {
        changes.filter { present[$0.heldKey] != $0.old }.map { change in
            EntryConflict(change: change, theirs: present[change.heldKey])
        }
    }

    /// The keys of new values whose rules are active and stay, and so give some users another value.
    ///
    /// - Parameter rules: the rules by their keys.
    fileprivate func ruledKeys(by rules: [String: EntryValue]) -> [String] {
        let removed = Set(self.rules.filter { $0.new == nil }.map(\.key))
        return values.filter { change in
            change.new != nil && !removed.contains(change.key) && StoredRule(rules[change.key])?.isDisabled == false
        }.map(\.key)
    }
}
