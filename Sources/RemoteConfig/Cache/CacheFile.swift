// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules
internal import Files

/// The cache file of one source, and of one context if the values depend on it, as seen by one process.
///
/// A change is appended to the file, whose whole state is written only now and then (``CacheLog``): with 100,000 keys that are
/// 5 MB, which take over a hundred times as long as a change, and a change is cached before it is shown. A change that comes
/// alone is flushed at once, a burst ten times a second. What cannot be written is tried again after a pause.
struct CacheFile {
    private let cache: ConfigCache
    private let identity: String
    private let dependsOnContext: Bool
    /// The source, and the context if that matters.
    let key: String
    /// The name of the file in the cache.
    private let name: String
    /// The file itself: a symbolic link to it stays and its target is replaced.
    private let path: String
    private let pauses: RetryDelays
    private let log: SyncLog
    /// The contents of the file, as far as this process has read it.
    private var records: CacheLog?
    /// The error found when the file was last read, and what was done with the file.
    private var flaw: String?
    /// The hash of the last record that contains the state of this process.
    private var ownChain: [UInt8]?
    private var lastFlush: Duration?
    /// When the appended records must be flushed; `nil` if everything is on the disk.
    private var flushDue: Duration?
    /// The state that the file lacks because a write has failed; the next write replaces the file whole.
    private var lag: CacheStep?
    private var retry = Retry()
    /// `damaged`, or `unreadable` while the file cannot be written.
    private(set) var problem: ConfigError?

    /// The maximum wait of a change for a process that has locked the file, which needs the lock only during a write. After a
    /// timeout, changes do not wait until a write has succeeded.
    private static let patience = Duration.seconds(1)
    /// The maximum wait of a retry: with several busy processes, the lock is seldom free at once.
    private static let patienceOfRetry = Duration.milliseconds(100)
    /// The minimum time between two flushes.
    private static let flushInterval = Duration.milliseconds(100)
    /// Files up to this many bytes are loaded in a few milliseconds.
    private static let quick = 256 * 1024

    /// - Parameter context: The context, where the values depend on it.
    init(
        in cache: ConfigCache,
        ofSource identity: String,
        context: EvaluationContext? = nil,
        _ pauses: RetryDelays,
        _ log: SyncLog
    ) {
        (self.cache, self.identity, self.pauses, self.log) = (cache, identity, pauses, log)
        dependsOnContext = context != nil
        key = cache.key(ofSource: identity, in: context)
        name = cache.path(ofSource: identity, in: context)
        path = name.resolvingLinks(toNowhere: 40)
    }

    private var disk: any Disk { cache.disk }

    /// Whether loading takes so long that a caller should not wait for it.
    var isLarge: Bool {
        // Loading reports why a file cannot be read.
        (try? disk.length(of: path)) ?? 0 > Self.quick
    }

    /// Whether the file lacks the last state.
    var isBehind: Bool { lag != nil }

    /// When to call ``catchUp(at:)``; `nil` if everything is on the disk.
    var deadline: Duration? { retry.due ?? (lag == nil ? flushDue : nil) }

    /// The state that was kept last, if the file contains a valid one.
    ///
    /// The file only grows or is replaced by another, so that it can be read without the lock, which another process may hold
    /// or which may be inaccessible. But a write in progress looks like damage for a moment, so a damaged file is read again.
    mutating func load() -> CachedState? {
        if let lag { return state(of: lag) }
        do throws(FileError) {
            if let bytes = try disk.read(path, from: 0, atMost: .max), adopt(bytes) != nil {
                try locked(patience: Self.patience) { (file) throws(FileError) in try file.refresh() }
            }
        } catch {
            warn("cannot read \(records == nil ? "" : "all of ")the cache \(path): \(error)")
        }
        ownChain = records?.chain
        problem = flaw.map { ConfigError(.damaged, $0) }
        do throws(FileError) { try Folder.checkIsWritable(path.folderOfPath) } catch { note(error) }
        return records?.state
    }

    /// Keeps a state that follows on another one, so that it survives any crash until the next start.
    mutating func keep(_ next: CacheStep, at now: Duration) {
        guard let lag else { return write(next, patience: Self.patience, at: now) }
        write(next.following(lag), patience: .zero, at: now)
    }

    /// Writes everything that is not on the disk yet.
    mutating func catchUp(at now: Duration) {
        retry.attempted()
        if let lag {
            write(lag, patience: Self.patienceOfRetry, at: now)
        } else if flushDue != nil {
            attempt(at: now) { (file) throws(FileError) in try file.flush(at: now) }
        }
    }

    private mutating func write(_ next: CacheStep, patience: Duration, at now: Duration) {
        let wasBehind = isBehind
        var step = next
        if wasBehind { step.changedKeys = nil }
        lag = step
        attempt(at: now) { (file) throws(FileError) in
            try file.disk.makeFolder(file.cache.folder)
            let own = file.ownChain.take()
            try file.locked(patience: patience) { (file) throws(FileError) in
                try file.refresh()
                try file.store(step, after: own, at: now)
            }
            // Earlier records are possibly not on the disk.
            if wasBehind, file.flushDue != nil { try file.flush(at: now) }
            file.lag = nil
        }
    }

    private mutating func flush(at now: Duration) throws(FileError) {
        // It stays due if it fails.
        flushDue = now
        try disk.flush(path)
        (lastFlush, flushDue) = (now, nil)
    }

    private mutating func attempt(at now: Duration, _ step: (inout CacheFile) throws(FileError) -> Void) {
        do throws(FileError) {
            try step(&self)
            retry.succeeded()
            problem = nil
        } catch {
            retry.failed(at: now, pause: pauses.backoff(retry.failures))
            note(error)
        }
    }

    private mutating func locked(
        patience: Duration,
        _ body: (inout CacheFile) throws(FileError) -> Void
    ) throws(FileError) {
        // The body of the lock cannot capture a mutating self.
        var file = self
        defer { self = file }
        try disk.locked(path + ".lock", patience: patience) { () throws(FileError) in try body(&file) }
    }

    /// Logs the error of a file that cannot be written once, however often it is tried.
    private mutating func note(_ error: FileError) {
        let message = "cannot write the cache \(path): \(error); the next start may lack recent changes"
        let next = ConfigError(.unreadable, message, underlying: error)
        if problem?.code != .unreadable { log.cannotWriteCache(next) }
        problem = next
    }

    private mutating func warn(_ flaw: String) {
        guard flaw != self.flaw else { return }
        self.flaw = flaw
        log.cacheIsDamaged(ConfigError(.damaged, flaw))
    }
}

// Writing, under the lock.
extension CacheFile {
    private func state(of step: CacheStep) -> CachedState {
        CachedState(key: key, programVersion: cache.version, mark: step.mark, entries: step.entries)
    }

    /// - Parameter own: The hash of the last record that contained the state of this process.
    private mutating func store(_ step: CacheStep, after own: [UInt8]?, at now: Duration) throws(FileError) {
        if isAhead(of: step) { return }
        if has(step) {
            ownChain = records?.chain
        } else if let changedKeys = step.changedKeys, canAppend(after: step.base, orAfter: own) {
            try append(step, changedKeys, at: now)
        } else {
            try replace(with: step, at: now)
        }
    }

    /// Whether another process has kept a later state, or this very one.
    private func isAhead(of step: CacheStep) -> Bool {
        let (mark, base) = (step.mark, step.base)
        guard let kept = records?.state.mark, let cursor = mark.cursor, let keptCursor = kept.cursor,
            keptCursor.epoch == cursor.epoch
        else { return false }
        // Revisions of a history that the server has lost are meaningless. A lower one belongs to the new history: another
        // process has seen the reset earlier.
        if step.isReset, let lost = base.cursor, lost.epoch == cursor.epoch, keptCursor.revision >= lost.revision {
            return false
        }
        if keptCursor.revision != cursor.revision { return keptCursor.revision > cursor.revision }
        return kept.digest == mark.digest && base.cursor != cursor
    }

    /// Whether another process has kept this very state of a source without revisions.
    private func has(_ step: CacheStep) -> Bool {
        guard let kept = records?.state, step.mark.cursor == nil, kept.mark == step.mark else { return false }
        return step.entries.keys(differingFrom: kept.entries).isEmpty
    }

    private func canAppend(after base: CacheMark, orAfter own: [UInt8]?) -> Bool {
        guard let records, !records.isOvergrown, records.length == records.fileLength else { return false }
        // The same revision with the same digest is the same state, whoever wrote it.
        let kept = records.state.mark
        if let cursor = base.cursor, kept.cursor == cursor, kept.digest == base.digest { return true }
        return records.chain == own
    }

    private mutating func append(_ step: CacheStep, _ changedKeys: [String], at now: Duration) throws(FileError) {
        guard var next = records.take() else { return }
        let length = next.length
        try disk.append(next.append(state(of: step), changedKeys: changedKeys), to: path, at: length)
        (records, ownChain) = (next, next.chain)
        if let lastFlush, now < lastFlush + Self.flushInterval {
            flushDue = flushDue ?? lastFlush + Self.flushInterval
        } else {
            try flush(at: now)
        }
    }

    private mutating func replace(with step: CacheStep, at now: Duration) throws(FileError) {
        records = nil
        var next = CacheLog()
        let bytes = CacheLog.header + next.append(state(of: step), changedKeys: nil)
        let isNew = try disk.length(of: path) == nil
        try disk.replace(path, with: bytes)
        // Files that cannot be removed now are removed with the next new file.
        if isNew, dependsOnContext { try? cache.removeOldContexts(ofSource: identity, besides: name) }
        (records, ownChain) = (next, next.chain)
        (lastFlush, flushDue) = (now, nil)
    }
}

// Reading.
extension CacheFile {
    /// Reads the current contents of the file: all of it, or the records that other processes have appended. Requires the lock,
    /// since apparent damage may otherwise be a write in progress.
    private mutating func refresh() throws(FileError) {
        if try readTail() { return warnOfTail() }
        records = nil
        guard let bytes = try disk.read(path, from: 0, atMost: .max), let flaw = adopt(bytes) else { return }
        if records != nil { return warnOfTail() }
        let aside = path + ".set-aside"
        try disk.move(path, to: aside)
        warn("ignoring the cache \(path): \(flaw); moved it to \(aside)")
    }

    /// Reads the records appended to the known file, if it is still that file.
    private mutating func readTail() throws(FileError) -> Bool {
        guard var next = records, let length = try disk.length(of: path), length >= next.length,
            try disk.read(path, from: next.chainOffset, atMost: CacheLog.chainLength) == next.chain,
            try disk.read(path, from: 0, atMost: next.beginning.count) == next.beginning
        else { return false }
        if length > next.length || next.isTailDamaged {
            next.readRecords(in: try disk.read(path, from: next.length, atMost: .max)?[...] ?? [], source: log.source)
        }
        next.fileLength = length
        records = next
        return true
    }

    /// Takes over a whole file, as far as it is valid.
    ///
    /// - Returns: the error of the file, if there is one.
    private mutating func adopt(_ bytes: [UInt8]) -> String? {
        do throws(CacheLog.Flaw) {
            let read = try CacheLog(bytes, source: log.source)
            guard read.state.key == key else { return "it was written for another source, program or user" }
            records = read
            return read.isTailDamaged ? "it is truncated or corrupt at the end" : nil
        } catch {
            return error.description
        }
    }

    private mutating func warnOfTail() {
        guard records?.isTailDamaged == true else { return }
        warn("the cache \(path) is truncated or corrupt at the end; using the intact part")
    }
}
