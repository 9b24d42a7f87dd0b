// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The fetched values: the active ones, and the staged ones that wait to be activated.
struct Staging {
    let activation: ActivationPolicy
    private let bundledDefault: ConfigDocument?
    /// The fetched values that wait.
    private(set) var staged: StagedState?
    /// Whether the next values are shown although changes are staged, because they are the first of a new context.
    private var showsContext = false

    init(_ activation: ActivationPolicy, bundledDefault: ConfigDocument?) {
        (self.activation, self.bundledDefault) = (activation, bundledDefault)
    }

    /// The last known state of the source, which changes are applied to.
    ///
    /// - Parameter shown: The state that is shown.
    func fetched(besides shown: EntrySnapshot) -> EntrySnapshot { staged?.snapshot ?? shown }

    /// Shows a fetched state, or stages it.
    ///
    /// - Parameter next: The current state, to be changed.
    /// - Returns: The keys whose shown values change.
    mutating func take(
        _ fetched: FetchedState,
        in next: inout ConfigState.Snapshot,
        by rules: inout RuleEvaluator
    ) -> [String] {
        let former = self.fetched(besides: next.snapshot)
        let evaluated = rules.evaluated(fetched.update, after: former, at: fetched.now, dating: fetched.time)
        if activation != .immediate { return stage(fetched, evaluated, in: &next, by: &rules) }
        next.show(evaluated, from: fetched.origin, modifiedAt: fetched.mark.modifiedAt, at: fetched.time)
        return evaluated.changedKeys
    }

    /// Shows what waits.
    ///
    /// - Parameter modifiedAt: The time of the state by the source.
    /// - Returns: The keys whose shown values change; `nil` if nothing waits.
    mutating func activate(in next: inout ConfigState.Snapshot, modifiedAt: Timestamp?, at time: Timestamp) -> [String]?
    {
        guard let staged else { return nil }
        self.staged = nil
        let snapshot = staged.snapshot.numbered(after: next.snapshot)
        let keys = staged.keys.sorted()
        next.show((snapshot, keys), from: staged.origin, modifiedAt: modifiedAt, at: time)
        next.status.hasStagedChanges = false
        return keys
    }

    /// Stages fetched values, except for the first ones in a new context, which become current.
    private mutating func stage(
        _ fetched: FetchedState,
        _ evaluated: EntrySnapshot.Update,
        in next: inout ConfigState.Snapshot,
        by rules: inout RuleEvaluator
    ) -> [String] {
        let (changes, keys): (StagedState, [String])
        if showsContext {
            keys = showContext(fetched, evaluated, in: &next, by: &rules)
            changes = StagedState(evaluated.snapshot, from: fetched.origin, comparedWith: next.snapshot)
            if evaluated.snapshot.own.allSatisfy(\.isOfContext) { showsContext = false }
        } else {
            keys = []
            changes = StagedState(
                evaluated,
                heldKeys: fetched.update.changedKeys,
                from: fetched.origin,
                after: staged,
                shown: next.snapshot
            )
        }
        stage(changes, in: &next, modifiedAt: fetched.mark.modifiedAt, at: fetched.time)
        return keys
    }

    /// Shows the values of a new context: all that was fetched, or of layers the first answers of those alone whose values
    /// depend on it.
    private mutating func showContext(
        _ fetched: FetchedState,
        _ evaluated: EntrySnapshot.Update,
        in next: inout ConfigState.Snapshot,
        by rules: inout RuleEvaluator
    ) -> [String] {
        var snapshot = evaluated.snapshot
        if snapshot.own.count > 1 {
            let own = zip(next.snapshot.own, snapshot.own).map { $0.isOfContext ? $0 : $1 }
            snapshot = rules.evaluated(alone: snapshot.replacing(own), at: fetched.now)
        }
        let update = next.update(to: snapshot)
        next.show(update, from: fetched.origin, modifiedAt: fetched.mark.modifiedAt, at: fetched.time)
        return update.changedKeys
    }

    /// Stages fetched values, or makes them current if values and rules are equal.
    private mutating func stage(
        _ changes: StagedState,
        in next: inout ConfigState.Snapshot,
        modifiedAt: Timestamp?,
        at time: Timestamp
    ) {
        if changes.isEmpty {
            let snapshot = changes.snapshot.numbered(after: next.snapshot)
            next.show((snapshot, []), from: changes.origin, modifiedAt: modifiedAt, at: time)
        }
        staged = changes.isEmpty ? nil : changes
        next.status.hasStagedChanges = !changes.keys.isEmpty
    }
}

// Launches, contexts and the time.
extension Staging {
    /// The values to start with, which are shown next, over the bundled default.
    mutating func launch(_ launch: LaunchState, at time: Timestamp) -> LaunchState {
        staged = nil
        return launch.over(bundledDefault, now: time)
    }

    /// Makes the first values of a new context current even if changes are staged, unless there were none before.
    mutating func beginContext(after origin: ValueOrigin) {
        let wasActivated = [.source, .cache].contains(origin)
        showsContext = activation != .immediate && (showsContext || wasActivated)
    }

    /// Evaluates the current and the staged state again.
    ///
    /// - Parameter evaluated: Evaluates a state in another context, or at a later time.
    /// - Returns: The keys whose shown values change.
    mutating func evaluateAgain(
        in next: inout ConfigState.Snapshot,
        modifiedAt: Timestamp?,
        at time: Timestamp,
        _ evaluated: (EntrySnapshot) -> EntrySnapshot.Update
    ) -> [String] {
        let update = evaluated(next.snapshot)
        next.follow(update)
        if !update.changedKeys.isEmpty { next.status.lastChangeAt = time }
        if let waiting = staged {
            let changes = waiting.evaluated(evaluated(waiting.snapshot), shown: update)
            stage(changes, in: &next, modifiedAt: modifiedAt, at: time)
        }
        return update.changedKeys
    }
}
