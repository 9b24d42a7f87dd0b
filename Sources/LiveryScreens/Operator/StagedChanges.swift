// SPDX-License-Identifier: Apache-2.0

import ConfigChanges

/// Changes for one revision with its message: those of a review, or the staged ones, an open draft that only this program has.
struct StagedChanges: Hashable, Sendable {
    /// Each starts from the value that the operator has seen.
    private(set) var changes: ConfigDiff { didSet { choose() } }
    var message: String
    /// The entries to publish, by the keys by which they are held; all, if there are none.
    private(set) var marks: Set<String> = [] { didSet { choose() } }
    /// The changes to publish, chosen once: each event asks for them.
    private(set) var chosen: ConfigDiff

    init(_ changes: ConfigDiff = ConfigDiff([]), message: String = "") {
        (self.changes, self.message, chosen) = (changes, message, changes)
    }

    var isEmpty: Bool { changes.isEmpty }
    var count: Int { changes.changes.count }

    private mutating func choose() {
        chosen = marks.isEmpty ? changes : ConfigDiff(changes.changes.filter { marks.contains($0.heldKey) })
    }

    subscript(heldKey: String) -> KeyChange? { changes.changes.first { $0.heldKey == heldKey } }

    /// Adds changes and their message. A later change of an entry replaces an earlier one.
    mutating func stage(_ other: StagedChanges) {
        replace(other.changes.changes)
        let isNew = !other.message.isEmpty && !message.split(separator: "; ").contains { $0 == other.message }
        if isNew { message = message.isEmpty ? other.message : "\(message); \(other.message)" }
    }

    /// Removes the changes of entries.
    mutating func drop(_ heldKeys: Set<String>) {
        changes = ConfigDiff(changes.changes.filter { !heldKeys.contains($0.heldKey) })
        marks.subtract(heldKeys)
    }

    /// Starts a change from the current value of its entry. A change to that value ends.
    mutating func rebase(_ conflict: EntryConflict) { replace([conflict.rebased]) }

    mutating func toggleMark(_ heldKey: String) { marks.formSymmetricDifference([heldKey]) }

    /// Removes changes that were written, and the message that was written with them.
    mutating func finish(_ written: ConfigDiff) {
        if chosen == written { message = "" }
        drop(Set(written.changes.map(\.heldKey)))
    }

    private mutating func replace(_ new: [KeyChange]) {
        let heldKeys = Set(new.map(\.heldKey))
        changes = ConfigDiff(changes.changes.filter { !heldKeys.contains($0.heldKey) } + new)
        marks.formIntersection(changes.changes.map(\.heldKey))
    }
}
