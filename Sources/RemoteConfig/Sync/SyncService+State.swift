internal import ConfigModel
internal import Essentials
internal import Files
internal import Logging

// Keeping, showing and announcing.
extension SyncService {
    /// Takes over a state: it is kept, then visible, then announced.
    ///
    /// - Parameter marks: how it stands to its source, but for what the snapshot says itself.
    func commit(_ update: EntrySnapshot.Update, _ marks: CacheMark, isReset: Bool = false, at time: Timestamp) {
        var next = state.current
        var mark = marks
        (mark.cursor, mark.digest) = (update.snapshot.cursor, update.snapshot.digest)
        if mark != self.mark || !update.changedKeys.isEmpty { keep(update, mark, isReset: isReset) }
        self.mark = mark
        next.status.cacheProblem = cacheProblem
        next.follow(update)
        next.status.origin = .source
        next.status.modifiedAt = mark.modifiedAt
        if !update.changedKeys.isEmpty { next.status.lastChangeAt = time }
        if isWatched {
            next.status.phase = source.reportsEveryChange() ? .live : .polling
            next.status.problem = nil
        }
        show(next, changedKeys: update.changedKeys)
    }

    private func keep(_ update: EntrySnapshot.Update, _ mark: CacheMark, isReset: Bool) {
        guard cacheFile != nil else { return }
        do throws(FileError) {
            try cacheFile?.keep(
                update.snapshot.entries,
                changedKeys: update.changedKeys,
                since: self.mark,
                mark: mark,
                isReset: isReset,
                at: clock.now
            )
            cacheProblem = nil
        } catch {
            warnOfCache(error)
        }
        setAlarm()
    }

    func flushCache() {
        do throws(FileError) {
            try cacheFile?.flush(at: clock.now)
        } catch {
            warnOfCache(error)
            showStatus { $0.cacheProblem = cacheProblem }
        }
    }

    private func warnOfCache(_ error: FileError) {
        let message = "the cache cannot be written, so changes take effect but are forgotten at the end: \(error)"
        // Said once, however often it is tried.
        if cacheProblem?.code != .unreadable { logger?.warning("\(message)") }
        cacheProblem = ConfigError(.unreadable, message, underlying: error)
    }

    func show(problem: ConfigError) {
        showStatus {
            $0.phase = problem.meansOffline ? .offline : .error
            $0.problem = problem
        }
    }

    func showConnection(isPaused: Bool? = nil) {
        showStatus {
            if let isPaused { $0.isPaused = isPaused }
            if isWatched { return }
            $0.phase = connection.phase
            $0.problem = connection.problem
            $0.nextAttemptAt = nextAttemptAt()
        }
    }

    /// Nothing is followed any more.
    func showEnd() {
        guard isWatched else { return showConnection() }
        showStatus { if $0.phase == .live { $0.phase = .polling } }
    }

    private func showStatus(_ change: (inout SyncStatus) -> Void) {
        var next = state.current
        change(&next.status)
        show(next, changedKeys: [])
    }

    private func nextAttemptAt() -> Timestamp? {
        guard let due = connection.nextAttempt else {
            nextAttempt = nil
            return nil
        }
        if let nextAttempt, nextAttempt.due == due { return nextAttempt.at }
        let (seconds, attoseconds) = (due - clock.now).components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        let time = Timestamp(milliseconds: now().milliseconds + milliseconds)
        nextAttempt = (due, time)
        return time
    }

    /// Makes a state visible, then announces what is new about it.
    private func show(_ next: ConfigState.Current, changedKeys: [String]) {
        let current = state.current
        let previous = current.status
        state.replace(with: next)
        if !changedKeys.isEmpty {
            let update = ConfigDidUpdate(
                revision: next.snapshot.revision,
                changedKeys: changedKeys,
                from: current.snapshot.entries,
                to: next.snapshot.entries
            )
            notificationCenter.post(update, subject: state)
        }
        guard next.status != previous else { return }
        if let problem = next.status.problem, problem != previous.problem { logger?.warning("\(problem)") }
        notificationCenter.post(SyncStatusDidChange(status: next.status), subject: state)
    }
}

/// What a program shows before it has heard from its source.
struct LaunchState {
    var snapshot = EntrySnapshot.empty
    /// How the values stand to the source.
    var mark = CacheMark()
    var origin = SyncStatus.Origin.nothing

    /// Chooses the values to start with. What once came from the source wins over the bundled default, which is never
    /// kept, so that each program starts with its own. Without either, the definitions' defaults count.
    init(cached: CachedState?, bundledDefault: ConfigDocument?, now: Timestamp) {
        if let cached {
            (mark, origin) = (cached.mark, .cache)
            snapshot = EntrySnapshot(kept: cached.entries, cursor: mark.cursor, digest: mark.digest)
        } else if let bundledDefault {
            origin = .bundledDefault
            snapshot = snapshot.updated(with: bundledDefault, from: "bundled default", at: now).snapshot
        }
    }
}
