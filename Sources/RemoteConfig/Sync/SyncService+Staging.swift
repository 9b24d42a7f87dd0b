// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

// What is fetched now and shown later.
extension SyncService {
    /// What the source holds, as far as it is known: what changes apply to.
    var fetched: EntrySnapshot { staged?.snapshot ?? state.current.snapshot }

    /// Shows what was fetched and waits, all of it at once, and announces it (``ConfigDidUpdate``).
    ///
    /// - Returns: what has changed; `nil` if nothing waited. See ``SyncActivation`` for an example.
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

    /// Takes over what was fetched without showing it, unless it differs in nothing that is seen.
    func stage(
        _ update: EntrySnapshot.Update,
        from origin: ValueOrigin,
        in next: inout ConfigState.Current,
        at time: Timestamp
    ) {
        let waiting = StagedChanges(update, from: origin, after: staged, shown: next.snapshot.entries)
        if waiting.keys.isEmpty {
            let snapshot = update.snapshot.numbered(next.snapshot.revision)
            next.show((snapshot, []), from: origin, modifiedAt: mark.modifiedAt, at: time)
        }
        staged = waiting.keys.isEmpty ? nil : waiting
        next.status.hasStagedChanges = staged != nil
    }
}
