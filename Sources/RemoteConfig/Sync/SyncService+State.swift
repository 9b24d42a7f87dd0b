// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import Essentials
internal import Files
internal import Logging
internal import Synchronization

// Keeping, showing and announcing.
extension SyncService {
    /// Takes over a state: it is kept, then visible, then announced; or it waits, where changes are staged.
    ///
    /// - Returns: the keys whose values that are shown changed.
    @discardableResult
    func commit(_ fetched: FetchedState) -> [String] {
        var next = draft
        let changedKeys = take(fetched, in: &next)
        show(next, changedKeys: changedKeys)
        return changedKeys
    }

    /// Takes over a state: it is cached, and becomes part of the next state or is staged.
    ///
    /// - Returns: the keys whose values change.
    func take(_ fetched: FetchedState, in next: inout ConfigState.Current) -> [String] {
        let (update, time) = (fetched.update, fetched.time)
        let evaluated = evaluator.evaluated(update, after: staged?.snapshot ?? next.snapshot, at: time)
        var mark = fetched.mark
        (mark.cursor, mark.digest) = (update.snapshot.cursor, update.snapshot.digest)
        if mark != self.mark || !update.changedKeys.isEmpty { keep(update, mark, isReset: fetched.isReset) }
        self.mark = mark
        next.status.cacheProblem = caches.problem
        if isWatched {
            // A read does not show that the source can be followed.
            if watchProblem == nil { watch.attempted() }
            next.status.phase = watchProblem == nil && source.reportsEveryChange() ? .live : .polling
            next.status.problem = watchProblem ?? partProblem
            next.status.nextAttemptAt = nextAttemptAt()
        }
        if activation != .immediate { return stage(fetched, evaluated, in: &next) }
        shownLayers = fetched.layers
        next.show(evaluated, from: fetched.origin, modifiedAt: mark.modifiedAt, at: time)
        return evaluated.changedKeys
    }

    /// What is shown, to be changed.
    var draft: ConfigState.Current {
        var next = state.current
        next.status.statistics = statistics
        next.status.readingSince = readingSince
        return next
    }

    private func keep(_ update: EntrySnapshot.Update, _ mark: CacheMark, isReset: Bool) {
        // Before the keeper is changed: it is read for the pause.
        let (former, pause) = (caches.problem, connection.backoff(caches.current?.failures ?? 0))
        caches.current?.keep(
            update.snapshot.heldBySource,
            changedKeys: update.changedKeys,
            since: self.mark,
            mark: mark,
            isReset: isReset,
            at: clock.elapsed,
            pause: pause
        )
        logCacheProblem(after: former)
        setAlarm()
    }

    /// Writes what is due and the caches do not have yet.
    ///
    /// - Parameter isLast: Whether to write all that they do not have, because there may be no later attempt.
    func catchUpCaches(isLast: Bool = false) {
        let former = caches.problem
        caches.catchUp(at: clock.elapsed, isLast: isLast) { connection.backoff($0) }
        logCacheProblem(after: former)
        if caches.problem != former { showStatus { $0.cacheProblem = caches.problem } }
    }

    /// Logged once, however often it is tried.
    private func logCacheProblem(after former: ConfigError?) {
        if former?.code != .unreadable, let problem = caches.problem { logCacheProblem(problem) }
    }

    func show(problem: ConfigError) {
        showStatus {
            $0.show(problem)
            $0.nextAttemptAt = nextAttemptAt()
        }
    }

    func showConnection() { showStatus { setConnection(&$0) } }

    func setConnection(_ status: inout SyncStatus) {
        if status.isSetOffline != isOffline, isWatched {
            // What follows says more once it is read.
            status.phase = isOffline ? .offline : phaseBeforeReading
            status.problem = nil
        }
        status.isSetOffline = isOffline
        status.nextAttemptAt = nextAttemptAt()
        if isWatched { return }
        status.phase = connection.phase
        status.problem = connection.problem ?? partProblem
    }

    /// Shows that a run has begun, whose source is still to be read.
    func showBeginning() {
        guard isWatched else { return showConnection() }
        if state.current.status.phase == .stopped { showStatus { $0.phase = phaseBeforeReading } }
    }

    var phaseBeforeReading: SyncStatus.Phase { answered.load(ordering: .acquiring) ? .polling : .starting }

    /// Why a watched source is not followed until the next attempt.
    private var watchProblem: ConfigError? { watch.due == nil ? nil : followError }

    private func showStatus(_ change: (inout SyncStatus) -> Void) {
        var next = draft
        change(&next.status)
        show(next, changedKeys: [])
    }

    private func nextAttemptAt() -> Timestamp? {
        guard let due = isWatched ? watch.due : connection.nextAttempt else {
            nextAttempt = nil
            return nil
        }
        if let nextAttempt, nextAttempt.due == due { return nextAttempt.at }
        let (seconds, attoseconds) = (due - clock.elapsed).components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        let time = Timestamp(milliseconds: now().milliseconds + milliseconds)
        nextAttempt = (due, time)
        return time
    }

    /// Makes a state visible, then announces what is new about it.
    ///
    /// - Returns: what was announced of the values.
    @discardableResult
    func show(_ next: ConfigState.Current, changedKeys: [String]) -> ConfigDidUpdate? {
        let current = state.current
        var next = next
        // Whatever a read has found, nothing follows the source.
        if hasEnded, !isOffline { next.status.phase = .stopped }
        state.replace(with: next)
        if current.snapshot.cursor != next.snapshot.cursor || current.snapshot.revision != next.snapshot.revision {
            metrics?.shows(next.snapshot)
        }
        let update = announce(changedKeys, from: current.snapshot, to: next.snapshot)
        announce(next.status, after: current.status)
        log(next.snapshot.ruleProblems, after: current.snapshot.ruleProblems)
        return update
    }

    private func announce(
        _ changedKeys: [String],
        from previous: EntrySnapshot,
        to next: EntrySnapshot
    ) -> ConfigDidUpdate? {
        if changedKeys.isEmpty { return nil }
        let update = ConfigDidUpdate(
            revision: next.revision,
            changedKeys: changedKeys,
            from: previous.entries,
            to: next.entries
        )
        notificationCenter.post(update, subject: state)
        log(changedKeys, in: next)
        return update
    }

    private func announce(_ status: SyncStatus, after previous: SyncStatus) {
        guard status != previous else { return }
        log(status.problem, after: previous.problem)
        notificationCenter.post(SyncStatusDidChange(status: status), subject: state)
    }
}

/// A state of the source that was read, or that changes lead to.
struct FetchedState {
    /// The state and its changed keys, before rules are evaluated.
    let update: EntrySnapshot.Update
    /// The validators and the date of the state; its cursor and digest are those of the snapshot.
    let mark: CacheMark
    let time: Timestamp
    /// Whether the former state is no longer part of the server's history.
    var isReset = false
    /// Where the values come from while a part of the source has not answered yet.
    var preliminaryOrigin: ValueOrigin?
    /// The layers that the values are from, if there are any.
    var layers: [LayerValues] = []

    var origin: ValueOrigin { preliminaryOrigin ?? .source }

    init(_ update: EntrySnapshot.Update, _ mark: CacheMark, at time: Timestamp) {
        (self.update, self.mark, self.time) = (update, mark, time)
    }
}

/// What a program shows before it has heard from its source.
struct LaunchState {
    var snapshot = EntrySnapshot.empty
    /// How the values stand to the source.
    var mark = CacheMark()
    var origin = SyncStatus.Origin.nothing

    /// Chooses the values to start with: what once came from the source, over the bundled default, which is never kept, so
    /// that each program has its own. Without either, the definitions' defaults count.
    ///
    /// - Parameter layers: What the layers of the source have, if it has layers: then each has cached its own values.
    init(
        cached: CachedState? = nil,
        layers: [LayerValues] = [],
        bundledDefault: ConfigDocument?,
        now: Timestamp
    ) {
        if let cached {
            (mark, origin) = (cached.mark, .cache)
            snapshot = EntrySnapshot(kept: cached.entries, cursor: mark.cursor, digest: mark.digest)
        } else if !layers.isEmpty {
            (mark.modifiedAt, origin) = (layers.modifiedAt, layers.origin)
            snapshot = EntrySnapshot(kept: ConfigEntries(layers: layers))
        }
        guard let bundledDefault else { return }
        if origin == .nothing { origin = .bundledDefault }
        snapshot = snapshot.over(bundledDefault, from: "bundled default", at: now)
    }
}

extension SyncStatus {
    /// Takes over why the source cannot be read.
    mutating func show(_ problem: ConfigError) {
        phase = problem.meansOffline ? .offline : .error
        self.problem = problem
    }
}
