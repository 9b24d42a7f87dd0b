// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules

/// The cache of a source for the next start, in one context after another, and the mark of the fetched state.
struct SourceCache {
    /// The location of the files; `nil` for a source whose values are not cached, such as one with layers.
    private let cache: ConfigCache?
    private let source: any ConfigSource
    private let log: SyncLog
    private let pauses: RetryDelays
    private var files = ContextCaches()
    /// The mark of the fetched state: its position and validators.
    private(set) var mark = CacheMark()

    init(
        _ cache: ConfigCache?,
        of source: any ConfigSource,
        in context: EvaluationContext?,
        _ pauses: RetryDelays,
        _ log: SyncLog
    ) {
        (self.cache, self.source, self.pauses, self.log) = (cache, source, pauses, log)
        files.current = keeper(in: context)
    }

    private func keeper(in context: EvaluationContext?) -> CacheKeeper? {
        guard let cache else { return nil }
        return CacheKeeper(CacheFile(at: CachePlace(in: cache, for: source, context), logger: log.logger), pauses)
    }

    /// `damaged`, or `unreadable` while a file cannot be written.
    var problem: ConfigError? { files.problem }

    /// When to call ``catchUp(at:isLast:)``; `nil` if everything is on the disk.
    var deadline: Duration? { files.deadline }

    /// Whether loading takes so long that a caller should not wait for it.
    var isLarge: Bool { files.current?.isLarge ?? false }

    /// The state that was kept last in the current context, if there is one to be believed.
    mutating func load() -> CachedState? { files.current?.load() }

    /// Sets the mark of a state that was not fetched.
    mutating func begin(with mark: CacheMark) { self.mark = mark }

    /// Changes to another context.
    mutating func change(to context: EvaluationContext?, at now: Duration) {
        files.change(to: keeper(in: context), at: now)
    }

    /// Keeps a fetched state.
    mutating func keep(_ fetched: FetchedState, at now: Duration) {
        let (snapshot, changedKeys) = fetched.update
        var next = fetched.mark
        (next.cursor, next.digest) = (snapshot.cursor, snapshot.digest)
        defer { mark = next }
        if next == mark, changedKeys.isEmpty { return }
        let former = problem
        files.current?.keep(
            snapshot.heldBySource,
            changedKeys: changedKeys,
            since: mark,
            mark: next,
            isReset: fetched.isReset,
            at: now
        )
        logProblem(after: former)
    }

    /// Writes everything that is due and not in the files yet.
    ///
    /// - Parameter isLast: Whether to write all that they do not have, because there may be no later attempt.
    mutating func catchUp(at now: Duration, isLast: Bool = false) {
        let former = problem
        files.catchUp(at: now, isLast: isLast)
        logProblem(after: former)
    }

    /// Logged once, however often it is tried.
    private func logProblem(after former: ConfigError?) {
        if former?.code != .unreadable, let problem { log.cannotWriteCache(problem) }
    }
}
