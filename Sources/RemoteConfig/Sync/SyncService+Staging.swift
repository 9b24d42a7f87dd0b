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
        shownLayers = staged.layers
        var next = draft
        let snapshot = staged.snapshot.numbered(next.snapshot.revision + 1)
        let keys = staged.keys.sorted()
        next.show((snapshot, keys), from: staged.origin, modifiedAt: mark.modifiedAt, at: now())
        next.status.hasStagedChanges = false
        return show(next, changedKeys: keys)
    }

    /// Stages what was fetched, but for the first values in a new context, which are shown.
    ///
    /// - Returns: the keys whose values change.
    func stage(
        _ fetched: FetchedState,
        _ evaluated: EntrySnapshot.Update,
        in next: inout ConfigState.Current
    ) -> [String] {
        var (changes, keys): (StagedChanges, [String])
        if showsContext {
            keys = showContext(fetched, evaluated, in: &next)
            changes = StagedChanges(evaluated.snapshot, from: fetched.origin, comparedWith: next.snapshot)
            if fetched.layers.allSatisfy(\.isOfContext) { showsContext = false }
        } else {
            keys = []
            changes = StagedChanges(
                evaluated,
                heldKeys: fetched.update.changedKeys
                    + evaluated.snapshot.movedDefaults(since: staged?.snapshot ?? next.snapshot),
                from: fetched.origin,
                after: staged,
                shown: next.snapshot
            )
        }
        changes.layers = fetched.layers
        stage(changes, in: &next, at: fetched.time)
        return keys
    }

    /// Shows the values of a new context: all that was fetched, or of layers the first answers of those alone whose values
    /// depend on it.
    ///
    /// - Returns: the keys whose values change.
    private func showContext(
        _ fetched: FetchedState,
        _ evaluated: EntrySnapshot.Update,
        in next: inout ConfigState.Current
    ) -> [String] {
        var snapshot = evaluated.snapshot
        if !fetched.layers.isEmpty {
            shownLayers = zip(shownLayers, fetched.layers).map { $0.isOfContext ? $0 : $1 }
            let layers = LaunchState(layers: shownLayers, bundledDefault: bundledDefault, now: fetched.time)
            snapshot = evaluatedAlone(layers.snapshot, at: fetched.time)
        }
        let keys = snapshot.entries.keys(differingFrom: next.snapshot.entries)
        let update = (snapshot.numbered(next.snapshot.revision + (keys.isEmpty ? 0 : 1)), keys)
        next.show(update, from: fetched.origin, modifiedAt: mark.modifiedAt, at: fetched.time)
        return keys
    }

    /// Stages what was fetched, or takes it over where it has the values and the rules that are shown.
    func stage(_ changes: StagedChanges, in next: inout ConfigState.Current, at time: Timestamp) {
        if changes.isEmpty {
            let snapshot = changes.snapshot.numbered(next.snapshot.revision)
            next.show((snapshot, []), from: changes.origin, modifiedAt: mark.modifiedAt, at: time)
            shownLayers = changes.layers
        }
        staged = changes.isEmpty ? nil : changes
        next.status.hasStagedChanges = !changes.keys.isEmpty
    }

    /// A state with its rules evaluated, whatever its revision.
    func evaluatedAlone(_ snapshot: EntrySnapshot, at time: Timestamp) -> EntrySnapshot {
        evaluator.forgetWhole()
        defer { evaluator.forgetWhole() }
        return evaluator.evaluated(again: snapshot, at: time).snapshot
    }
}
