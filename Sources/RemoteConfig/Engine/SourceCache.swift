// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules

/// The cache of a source for the next start, in one context after another, and the mark of the fetched state.
///
/// It is written when a state was fetched: before it is shown. The state of a watched source, such as a file, is written after
/// that, by ``catchUp(at:isLast:pausing:)``: the source still has it, and no screen waits for the disk. What changes in the
/// meantime is written with it.
struct SourceCache {
    /// The location of the files; `nil` for a source whose values are not cached, such as one with layers.
    private let cache: ConfigCache?
    private let source: any ConfigSource
    /// The identity of the source at the start.
    private let identity: String
    private let log: SyncLog
    private let pauses: RetryDelays
    private let pauseBeforeCaching: Duration
    private let unusableKeys: @Sendable (ConfigState.Snapshot) -> [String]
    /// The file of the current context; `nil` for a source whose values are not cached.
    private var current: CacheFile?
    /// The files of former contexts that lack their last state, the oldest first: a user who returns gets the values that
    /// were shown last, even if the disk does not have them.
    private var former: [CacheFile] = []
    /// The mark of the fetched state: its position and validators.
    private(set) var mark = CacheMark()
    /// The entries that were cached last.
    private var entries = ConfigEntries()
    /// The state of a watched source that has not been written.
    private var unwritten: (step: CacheStep, snapshot: EntrySnapshot, due: Duration)?

    /// The maximum number of former contexts whose values wait for the disk.
    private static let maximumPendingContexts = 8

    init(
        _ cache: ConfigCache?,
        of source: any ConfigSource,
        in context: EvaluationContext?,
        _ settings: ServiceSettings,
        _ log: SyncLog
    ) {
        (self.cache, self.source, self.log) = (cache, source, log)
        identity = source.identity
        (pauses, pauseBeforeCaching) = (settings.pauses, settings.pauseBeforeCaching)
        unusableKeys = settings.unusableKeys
        current = file(in: context)
    }

    private func file(in context: EvaluationContext?) -> CacheFile? {
        guard let cache, !leadsElsewhere else { return nil }
        let context = source.dependsOnContext ? context ?? EvaluationContext() : nil
        return CacheFile(in: cache, ofSource: source.identity, context: context, pauses, log)
    }

    /// Whether the source is a link that leads to another file now, whose values are not cached as those of the former one.
    private var leadsElsewhere: Bool { source.delivery == .watched && source.identity != identity }

    /// `damaged`, or `unreadable` while a file cannot be written.
    var problem: ConfigError? { current?.problem ?? former.first?.problem }

    /// When to call ``catchUp(at:isLast:pausing:)``; `nil` if everything is on the disk.
    var deadline: Duration? {
        ([unwritten?.due, current?.deadline] + former.map(\.deadline)).compactMap(\.self).min()
    }

    /// Whether loading takes so long that a caller should not wait for it.
    var isLarge: Bool { current?.isLarge ?? false }

    /// The state that was kept last in the current context, if the file contains a valid one.
    mutating func load() -> CachedState? {
        let state = current?.load()
        entries = state?.entries ?? ConfigEntries()
        return state
    }

    /// Sets the mark of a state that was not fetched.
    mutating func begin(with mark: CacheMark) { self.mark = mark }

    /// Changes to another context.
    mutating func change(to context: EvaluationContext?, at now: Duration) {
        writeUnwritten(at: now)
        current?.catchUp(at: now)
        if let current, current.isBehind { former.append(current) }
        current = file(in: context)
        if let index = former.firstIndex(where: { $0.key == current?.key }) { current = former.remove(at: index) }
        if former.count > Self.maximumPendingContexts { former.removeFirst() }
    }

    /// Keeps a fetched state.
    mutating func keep(_ fetched: FetchedState, at now: Duration) {
        let (snapshot, changedKeys) = fetched.update
        var next = fetched.mark
        (next.cursor, next.digest) = (snapshot.cursor, snapshot.digest)
        defer { mark = next }
        if next == mark, changedKeys.isEmpty { return }
        let step = CacheStep(
            entries: snapshot.heldBySource,
            changedKeys: changedKeys,
            base: mark,
            mark: next,
            isReset: fetched.isReset
        )
        let due = unwritten?.due ?? now + pauseBeforeCaching
        unwritten = (unwritten.map { step.following($0.step) } ?? step, snapshot, due)
        if source.delivery != .watched { writeUnwritten(at: now) }
    }

    private mutating func writeUnwritten(at now: Duration) {
        guard let next = unwritten.take(), current != nil else { return }
        if leadsElsewhere {
            current = nil
            return
        }
        var step = next.step
        let status = SourceStatus(source: source.name)
        let unusableKeys = unusableKeys(ConfigState.Snapshot(snapshot: next.snapshot, status: status))
        for key in unusableKeys { step.entries[key] = entries[key] }
        // With former values it is no state of the source, so that the next start reads the whole source.
        if !unusableKeys.isEmpty { step.mark = CacheMark(modifiedAt: step.mark.modifiedAt) }
        entries = step.entries
        current?.keep(step, at: now)
    }

    /// Writes everything that is due and not in the files yet.
    ///
    /// - Parameters:
    ///   - isLast: Whether to write all that they do not have, because there may be no later attempt.
    ///   - pausing: Whether the change of a watched source may wait for its time.
    mutating func catchUp(at now: Duration, isLast: Bool = false, pausing: Bool = true) {
        if let unwritten, isLast || !pausing || unwritten.due <= now { writeUnwritten(at: now) }
        if isLast || current?.isDue(at: now) == true { current?.catchUp(at: now) }
        for index in former.indices where isLast || former[index].isDue(at: now) { former[index].catchUp(at: now) }
        former.removeAll { !$0.isBehind }
    }
}

extension CacheFile {
    fileprivate func isDue(at now: Duration) -> Bool { deadline.map { $0 <= now } ?? false }
}
