// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The fetched values: the active ones, and the staged ones that wait to be activated.
struct Staging {
    let activation: ActivationPolicy
    private let bundledDefault: BundledValues?
    /// The fetched values that wait.
    private(set) var staged: StagedChanges?
    /// The layers of the shown values, if the source has layers.
    private var shownLayers: [LayerValues] = [] { didSet { knownOthers = nil } }
    private var knownOthers: OtherContexts?
    /// Whether the next values are shown although changes are staged, because they are the first of a new context.
    private var showsContext = false

    init(_ activation: ActivationPolicy, bundledDefault: BundledValues?) {
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
        let evaluated = rules.evaluated(fetched.update, after: self.fetched(besides: next.snapshot), at: fetched.time)
        if activation != .immediate { return stage(fetched, evaluated, in: &next, by: &rules) }
        shownLayers = fetched.layers
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
        shownLayers = staged.layers
        let snapshot = staged.snapshot.numbered(next.snapshot.revision + 1)
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
        var (changes, keys): (StagedChanges, [String])
        if showsContext {
            keys = showContext(fetched, evaluated, in: &next, by: &rules)
            changes = StagedChanges(evaluated.snapshot, from: fetched.origin, comparedWith: next.snapshot)
            if fetched.layers.allSatisfy(\.isOfContext) { showsContext = false }
        } else {
            keys = []
            changes = StagedChanges(
                evaluated,
                heldKeys: fetched.update.changedKeys
                    + evaluated.snapshot.movedDefaults(since: self.fetched(besides: next.snapshot)),
                from: fetched.origin,
                after: staged,
                shown: next.snapshot
            )
        }
        changes.layers = fetched.layers
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
        if !fetched.layers.isEmpty {
            shownLayers = zip(shownLayers, fetched.layers).map { $0.isOfContext ? $0 : $1 }
            let layers = LaunchState(layers: shownLayers, bundledDefault: bundledDefault, now: fetched.time)
            snapshot = rules.evaluated(alone: layers.snapshot, at: fetched.time)
        }
        let update = next.update(to: snapshot)
        next.show(update, from: fetched.origin, modifiedAt: fetched.mark.modifiedAt, at: fetched.time)
        return update.changedKeys
    }

    /// Stages fetched values, or makes them current if values and rules are equal.
    private mutating func stage(
        _ changes: StagedChanges,
        in next: inout ConfigState.Snapshot,
        modifiedAt: Timestamp?,
        at time: Timestamp
    ) {
        if changes.isEmpty {
            let snapshot = changes.snapshot.numbered(next.snapshot.revision)
            next.show((snapshot, []), from: changes.origin, modifiedAt: modifiedAt, at: time)
            shownLayers = changes.layers
        }
        staged = changes.isEmpty ? nil : changes
        next.status.hasStagedChanges = !changes.keys.isEmpty
    }
}

// Launches and contexts.
extension Staging {
    /// The values to start with, which are shown next.
    ///
    /// - Parameters:
    ///   - cached: The cached state in the context.
    ///   - layers: The values of the layers, for a source with layers.
    ///   - isFirst: Whether nothing was read before; otherwise layers that do not depend on the context keep the shown
    ///     values.
    mutating func launch(
        _ cached: CachedState?,
        _ layers: [LayerValues],
        isFirst: Bool,
        at time: Timestamp
    ) -> LaunchState {
        staged = nil
        shownLayers = isFirst ? layers : shownLayers.replacingDependent(by: layers)
        return LaunchState(cached: cached, layers: shownLayers, bundledDefault: bundledDefault, now: time)
    }

    /// The values that are shown in each context alike, if the source evaluates for one.
    mutating func others(at time: Timestamp) -> OtherContexts {
        if let knownOthers { return knownOthers }
        let layers = shownLayers.filter { !$0.dependsOnContext }
        let others = OtherContexts { [bundledDefault] in
            LaunchState(layers: layers, bundledDefault: bundledDefault, now: time).snapshot
        }
        knownOthers = others
        return others
    }

    /// Makes the first values of a new context current even if changes are staged, unless there were none before.
    mutating func beginContext(after origin: ValueOrigin) {
        let wasActivated = [.source, .cache].contains(origin)
        showsContext = activation != .immediate && (showsContext || wasActivated)
    }

    /// Evaluates the current and the staged state in another context.
    ///
    /// - Returns: The keys whose shown values change.
    mutating func evaluateAgain(
        in next: inout ConfigState.Snapshot,
        by rules: inout RuleEvaluator,
        modifiedAt: Timestamp?,
        at time: Timestamp
    ) -> [String] {
        let update = rules.evaluated(again: next.snapshot, at: time)
        if !update.changedKeys.isEmpty || update.snapshot.ruleProblems != next.snapshot.ruleProblems {
            next.follow(update)
        }
        if !update.changedKeys.isEmpty { next.status.lastChangeAt = time }
        if let waiting = staged {
            // Its revision may be that of another state.
            rules.forgetWhole()
            let again = rules.evaluated(again: waiting.snapshot, at: time)
            rules.forgetWhole()
            stage(waiting.evaluated(again, shown: update), in: &next, modifiedAt: modifiedAt, at: time)
        }
        return update.changedKeys
    }
}
