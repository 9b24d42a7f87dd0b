// SPDX-License-Identifier: Apache-2.0

import ConfigChanges

/// The state of the operator's work that all screens share.
struct DeskState: Hashable, Sendable {
    /// The actions that are possible on the source.
    var abilities: OperatorAbilities
    /// The requests that have not ended.
    private(set) var running: [OperatorRequest] = []
    /// The changes that are staged for one revision.
    var staged = StagedEdits()
    /// The changes that are being written.
    var publishing: Proposal?
    /// The last write from this screen, which can be undone.
    var last: PublishedChanges?

    init(abilities: OperatorAbilities = .none("this source cannot be edited", isHidden: true)) {
        self.abilities = abilities
    }

    mutating func begin(_ request: OperatorRequest) {
        if !running.contains(request) { running.append(request) }
    }

    /// - Returns: false if the request has ended before, such as by a cancellation.
    mutating func end(_ request: OperatorRequest) -> Bool {
        guard let index = running.firstIndex(of: request) else { return false }
        running.remove(at: index)
        return true
    }
}

/// Changes that were written.
struct PublishedChanges: Hashable, Sendable {
    var changes: ConfigDiff
    var receipt: OperatorReceipt
}

/// Changes for one revision with its message: those of a review, or the staged ones. These are an open draft: one that only
/// this program has, or one of the server that is edited here.
struct StagedEdits: Hashable, Sendable {
    /// Each starts from the value that the operator has seen.
    private(set) var changes: ConfigDiff { didSet { choose() } }
    var message: String
    /// The draft of the server that the changes are from; `nil` if only this program has them.
    var origin: DraftOrigin?
    /// The entries to publish, by the keys by which they are held; `nil` for all, before the first mark.
    private(set) var marks: Set<String>? { didSet { choose() } }
    /// The changes to publish, chosen once: each event asks for them.
    private(set) var chosen: ConfigDiff

    init(_ changes: ConfigDiff = ConfigDiff([]), message: String = "") {
        (self.changes, self.message, chosen) = (changes, message, changes)
    }

    var isEmpty: Bool { changes.isEmpty }
    var count: Int { changes.changes.count }
    /// Whether only this program has them.
    var isUnsaved: Bool { origin.map { $0.saved != changes || $0.message != message } ?? !isEmpty }

    private mutating func choose() {
        chosen = marks.map { marks in ConfigDiff(changes.changes.filter { marks.contains($0.heldKey) }) } ?? changes
    }

    subscript(heldKey: String) -> KeyChange? { changes.changes.first { $0.heldKey == heldKey } }

    /// Adds changes and their message. A later change of an entry replaces an earlier one.
    mutating func stage(_ other: StagedEdits) {
        replace(other.changes.changes)
        let isNew = !other.message.isEmpty && !message.split(separator: "; ").contains { $0 == other.message }
        if isNew { message = message.isEmpty ? other.message : "\(message); \(other.message)" }
    }

    /// Removes the changes of entries.
    mutating func drop(_ heldKeys: Set<String>) {
        changes = ConfigDiff(changes.changes.filter { !heldKeys.contains($0.heldKey) })
        marks?.subtract(heldKeys)
    }

    /// Starts a change from the current value of its entry. A change to that value ends.
    mutating func rebase(_ conflict: EntryConflict) { replace([conflict.rebased]) }

    /// Marks a change, or removes its mark. All changes are chosen again once the operator has removed the last mark.
    mutating func toggleMark(_ heldKey: String) {
        let toggled = (marks ?? []).symmetricDifference([heldKey])
        marks = toggled.isEmpty ? nil : toggled
    }

    /// Removes changes that were written, and the message and the marks with which they were written.
    mutating func finish(_ written: ConfigDiff) {
        if chosen == written { (message, marks) = ("", nil) }
        drop(Set(written.changes.map(\.heldKey)))
    }

    private mutating func replace(_ new: [KeyChange]) {
        let heldKeys = Set(new.map(\.heldKey))
        changes = ConfigDiff(changes.changes.filter { !heldKeys.contains($0.heldKey) } + new)
        let all = changes.changes.map(\.heldKey)
        marks?.formIntersection(all)
    }
}
