// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

// What is fetched now and shown later.
extension SyncService {
    /// What the source holds, as far as it is known: what changes apply to.
    var fetched: EntrySnapshot { staged?.snapshot ?? state.current.snapshot }

    /// Shows what was fetched and waits, all of it at once, and announces it (``ConfigDidUpdate``).
    ///
    /// - Returns: what has changed; `nil` if no value has. See ``SyncActivation`` for an example.
    @discardableResult
    public func activate() -> ConfigDidUpdate? {
        guard let staged else { return nil }
        self.staged = nil
        var next = draft
        let snapshot = staged.snapshot.numbered(next.snapshot.revision + 1)
        let keys = staged.keys.sorted()
        next.show((snapshot, keys), from: staged.origin, modifiedAt: mark.modifiedAt, at: now())
        next.status.hasStagedChanges = false
        return show(next, changedKeys: keys)
    }

    /// Stages what was fetched, or takes it over where it has the values and the rules that are shown.
    func stage(_ changes: StagedChanges, in next: inout ConfigState.Current, at time: Timestamp) {
        if changes.isEmpty {
            let snapshot = changes.snapshot.numbered(next.snapshot.revision)
            next.show((snapshot, []), from: changes.origin, modifiedAt: mark.modifiedAt, at: time)
        }
        staged = changes.isEmpty ? nil : changes
        next.status.hasStagedChanges = !changes.keys.isEmpty
    }
}
