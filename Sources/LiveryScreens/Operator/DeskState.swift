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
