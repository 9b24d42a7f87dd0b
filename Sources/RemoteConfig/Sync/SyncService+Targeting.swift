// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
public import ConfigRules
internal import Synchronization

// Who the program is used by.
extension SyncService {
    /// Who the program is used by: what the rules of the configuration decide by.
    ///
    /// The standard attributes are filled in; see `EvaluationContext.withStandardAttributes(programVersion:)`.
    public var context: EvaluationContext? { evaluator.context }

    /// Sets who the program is used by: when a user signs in, or chooses another language. Once it has returned, no value
    /// of the former context is shown any more: offline as well, whatever the ``SyncActivation``, and in every layer.
    ///
    /// Rules are evaluated in the program, at once. A source that evaluates itself, such as an ``OFREPSource`` or one that
    /// has such layers (``ConfigSource/dependsOnContext``), starts again as at a launch:
    ///
    /// - Until it answers, the service shows the values that were cached for the new context, else the bundled default,
    ///   else no values, so that the program's own defaults count. Layers that do not depend on the context keep theirs.
    /// - A read in flight is cancelled and its result dropped; callers that wait for it (``refresh()``) get the result of
    ///   the next one. A running service reads at once and opens a new stream, unless the source has asked to be left
    ///   alone (`Retry-After`).
    /// - The first answer is shown even where changes are staged, unless nothing was activated before. Changes that other
    ///   layers have staged stay staged.
    ///
    /// - Parameter context: `nil` for nobody in particular: then the values count that everybody gets.
    /// - Returns: what has changed; `nil` if nothing has.
    @discardableResult
    public func setContext(_ context: EvaluationContext?) -> ConfigDidUpdate? {
        let context = context?.withStandardAttributes(programVersion: programVersion)
        guard context != evaluator.context else { return nil }
        evaluator.context = context
        return source.dependsOnContext ? beginAgain() : evaluateAgain()
    }

    /// Shows what the rules give in the current context.
    private func evaluateAgain() -> ConfigDidUpdate? {
        let time = now()
        var next = draft
        next.context = context
        let update = evaluator.evaluated(again: next.snapshot, at: time)
        if !update.changedKeys.isEmpty || update.snapshot.ruleProblems != next.snapshot.ruleProblems {
            next.follow(update)
        }
        if !update.changedKeys.isEmpty { next.status.lastChangeAt = time }
        if let waiting = staged {
            // Its revision may be that of another state.
            evaluator.forgetWhole()
            let again = evaluator.evaluated(again: waiting.snapshot, at: time)
            evaluator.forgetWhole()
            stage(waiting.evaluated(again, shown: update), in: &next, at: time)
        }
        return show(next, changedKeys: update.changedKeys)
    }

    /// Shows what is known in the current context, and reads the source.
    private func beginAgain() -> ConfigDidUpdate? {
        let time = now()
        layers?.setContext(context)
        contextCount += 1
        let wasActivated = [.source, .cache].contains(state.current.status.origin)
        showsContext = activation != .immediate && (showsContext || wasActivated)
        var launched = draft
        launchAgain(in: &launched, at: time)
        let phase = launched.status.phase
        // What the layers have counts at once, and so does why none has anything: no hint follows where nothing changes.
        do throws(ConfigError) {
            if let reading = try layers?.reading(), let fetched = try fetched(reading, after: launched.snapshot) {
                _ = take(fetched, in: &launched)
            } else if isWatched {
                launched.status.phase = phaseBeforeReading
            }
        } catch {
            launched.status.show(error)
        }
        if !isFollowing || isOffline { launched.status.phase = phase }
        readAgain()
        setConnection(&launched.status)
        // Observers see both steps as one change.
        var next = draft
        let keys = launched.snapshot.entries.keys(differingFrom: next.snapshot.entries)
        next.follow((launched.snapshot.numbered(next.snapshot.revision + (keys.isEmpty ? 0 : 1)), keys))
        (next.context, next.status) = (context, launched.status)
        if !keys.isEmpty { next.status.lastChangeAt = time }
        return show(next, changedKeys: keys)
    }

    /// Reads and follows the source in the current context.
    private func readAgain() {
        let isReading = readInFlight != nil
        restartRead()
        guard isWatched else { return handle(.contextChanged) }
        // The services of layers have done the same; the listener of the whole stays.
        if !isFollowing || layers != nil { return }
        // It listens again once it has ended.
        listeners[0]?.cancel()
        if !isOffline, !isReading { _ = startRead(showingFailure: true) }
    }

    /// Forgets what is known of the source, and takes what was cached in the current context. Layers have done the same;
    /// the shown values of layers that do not depend on the context stay.
    private func launchAgain(in next: inout ConfigState.Current, at time: Timestamp) {
        let file = cache.map { CacheFile(of: $0, for: source, in: context, logger) }
        caches.change(to: file, at: clock.elapsed) { connection.backoff($0) }
        if let layers {
            shownLayers = shownLayers.replacingDependent(by: layers.values)
        }
        let cached = caches.current?.load()
        let launch = LaunchState(cached: cached, layers: shownLayers, bundledDefault: bundledDefault, now: time)
        (mark, needsWhole, partProblem, staged) = (launch.mark, false, nil, nil)
        (lastReadAt, partsAskedAt) = (nil, nil)
        answered.store(false, ordering: .releasing)
        next.snapshot = evaluatedAlone(launch.snapshot, at: time)
        next.status.cacheProblem = caches.problem
        next.status.problem = nil
        next.status.hasStagedChanges = false
        (next.status.origin, next.status.modifiedAt) = (launch.origin, launch.mark.modifiedAt)
    }
}
