// SPDX-License-Identifier: Apache-2.0

import ConfigChanges

/// The state of the operator's work that all screens share.
struct DeskState: Hashable, Sendable {
    /// The actions that are possible on the source.
    var abilities: OperatorAbilities
    /// The requests that have not ended.
    private(set) var running: [OperatorRequest] = []
    /// The changes that are collected for one revision.
    var collected = ConfigDiff([])
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

    /// Adds changes to the collected ones; a later change of an entry replaces an earlier one.
    mutating func collect(_ changes: ConfigDiff) {
        let new = changes.changes.map { change in
            let former = collected.changes.first { $0.heldKey == change.heldKey }
            return KeyChange(key: change.key, kind: change.kind, old: former.map(\.old) ?? change.old, new: change.new)
        }
        let names = Set(new.map(\.heldKey))
        collected = ConfigDiff(collected.changes.filter { !names.contains($0.heldKey) } + new)
    }
}

/// Changes that were written.
struct PublishedChanges: Hashable, Sendable {
    var changes: ConfigDiff
    var receipt: OperatorReceipt
}
