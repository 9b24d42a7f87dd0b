// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules
internal import Files
internal import Logging

/// The cache file of one source, and of one context if the values depend on it, as seen by one process.
struct CacheFile {
    private let cache: ConfigCache
    /// The name of the source, for entries and messages.
    private let source: String
    private let identity: String
    private let dependsOnContext: Bool
    /// The source, and the context if that matters.
    let key: String
    /// The name of the file in the cache.
    private let name: String
    /// The file itself: a symbolic link to it stays and its target is replaced.
    let path: String
    private let logger: Logger?
    /// The contents of the file, as far as this process has read it.
    private var log: CacheLog?
    /// The length of the whole file, which may end in something other than a record.
    private var fileLength = 0
    /// The error found when the file was last read, and what was done with the file.
    private(set) var flaw: String?
    /// The hash of the last record that contains the state of this process.
    private var ownChain: [UInt8]?
    private var flushes = CacheFlushTimer()

    /// - Parameter context: The context, where the values depend on it.
    init(
        in cache: ConfigCache,
        source: String,
        identity: String,
        context: EvaluationContext? = nil,
        logger: Logger?
    ) {
        (self.cache, self.source, self.identity, self.logger) = (cache, source, identity, logger)
        dependsOnContext = context != nil
        key = cache.key(ofSource: identity, in: context)
        name = cache.path(ofSource: identity, in: context)
        path = name.resolvingLinks(toNowhere: 40)
    }

    /// When to call ``flush(at:)``; `nil` if everything is on the disk.
    var flushDeadline: Duration? { flushes.deadline }

    private var disk: any Disk { cache.disk }

    /// Files up to this many bytes are loaded in a few milliseconds.
    private static let quick = 256 * 1024

    /// Whether loading takes so long that a caller should not wait for it.
    var isLarge: Bool {
        // Loading reports why a file cannot be read.
        (try? disk.length(of: path)) ?? 0 > Self.quick
    }

    /// The state that was kept last, if the file contains a valid one.
    ///
    /// The file only grows or is replaced by another, so that it can be read without the lock, which another process may hold
    /// or which may be inaccessible. But a write in progress looks like damage for a moment, so a damaged file is read again.
    mutating func load() -> CachedState? {
        do throws(FileError) {
            if let bytes = try disk.read(path, from: 0, atMost: .max), adopt(bytes) != nil {
                var file = self
                defer { self = file }
                try disk.locked(path + ".lock", patience: CacheWriter.patience) { () throws(FileError) in
                    try file.refresh()
                }
            }
        } catch {
            warn("cannot read \(log == nil ? "" : "all of ")the cache \(path): \(error)")
        }
        ownChain = log?.chain
        return log?.state
    }

    /// Checks that the file can be made.
    func checkFolder() throws(FileError) { try Folder.checkIsWritable(path.folderOfPath) }

    /// Stores a state, so that it survives any crash until the next start.
    ///
    /// - Parameter patience: how long to wait for a process that has locked the file.
    mutating func keep(
        _ step: CacheStep,
        patience: Duration = CacheWriter.patience,
        at now: Duration
    ) throws(FileError) {
        try disk.makeFolder(cache.folder)
        // The body cannot capture a mutating self.
        var file = self
        let own = ownChain
        // Until this succeeds, the file does not contain the current state.
        file.ownChain = nil
        defer { self = file }
        try disk.locked(path + ".lock", patience: patience) { () throws(FileError) in
            try file.refresh()
            if file.isAhead(of: step) { return }
            if file.has(step) { return file.ownChain = file.log?.chain }
            if let changedKeys = step.changedKeys, file.canAppend(after: step.base, orAfter: own) {
                try file.append(step, changedKeys, at: now)
            } else {
                try file.replace(with: step, at: now)
            }
        }
    }

    /// The state that is kept.
    func state(of step: CacheStep) -> CachedState {
        CachedState(key: key, programVersion: cache.version, mark: step.mark, entries: step.entries)
    }

    /// Returns once everything that was kept would survive a loss of power.
    mutating func flush(at now: Duration) throws(FileError) {
        flushes.attempted(at: now)
        try disk.flush(path)
        flushes.flushed(at: now)
    }

    /// Whether another process has kept a later state, or this very one.
    private func isAhead(of step: CacheStep) -> Bool {
        let (mark, base) = (step.mark, step.base)
        guard let kept = log?.state.mark, let cursor = mark.cursor, let keptCursor = kept.cursor,
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
        guard let kept = log?.state, step.mark.cursor == nil, kept.mark == step.mark else { return false }
        return step.entries.keys(differingFrom: kept.entries).isEmpty
    }

    private func canAppend(after base: CacheMark, orAfter own: [UInt8]?) -> Bool {
        guard let log, !log.isOvergrown, log.length == fileLength else { return false }
        // The same revision with the same digest is the same state, whoever wrote it.
        let kept = log.state.mark
        if let cursor = base.cursor, kept.cursor == cursor, kept.digest == base.digest { return true }
        return log.chain == own
    }

    private mutating func append(_ step: CacheStep, _ changedKeys: [String], at now: Duration) throws(FileError) {
        guard var next = log.take() else { return }
        let length = next.length
        try disk.append(next.append(state(of: step), changedKeys: changedKeys), to: path, at: length)
        (log, fileLength, ownChain) = (next, next.length, next.chain)
        if flushes.appended(at: now) { try flush(at: now) }
    }

    private mutating func replace(with step: CacheStep, at now: Duration) throws(FileError) {
        log = nil
        var next = CacheLog()
        let bytes = CacheLog.header + next.append(state(of: step), changedKeys: nil)
        let isNew = try disk.length(of: path) == nil
        try disk.replace(path, with: bytes)
        // Files that cannot be removed now are removed with the next new file.
        if isNew, dependsOnContext { try? cache.removeOldContexts(ofSource: identity, besides: name) }
        (log, fileLength, ownChain) = (next, next.length, next.chain)
        flushes.flushed(at: now)
    }
}

extension CacheFile {
    /// Reads the current contents of the file: all of it, or the records that other processes have appended. Requires the lock,
    /// since apparent damage may otherwise be a write in progress.
    private mutating func refresh() throws(FileError) {
        if try readTail() { return warnOfTail() }
        log = nil
        guard let bytes = try disk.read(path, from: 0, atMost: .max), let flaw = adopt(bytes) else { return }
        if log != nil { return warnOfTail() }
        let aside = path + ".set-aside"
        try disk.move(path, to: aside)
        warn("ignoring the cache \(path): \(flaw); moved it to \(aside)")
    }

    /// Reads the records appended to the known file, if it is still that file.
    private mutating func readTail() throws(FileError) -> Bool {
        guard var next = log, let length = try disk.length(of: path), length >= next.length,
            try disk.read(path, from: next.chainOffset, atMost: CacheLog.chainLength) == next.chain,
            try disk.read(path, from: 0, atMost: next.beginning.count) == next.beginning
        else { return false }
        if length > next.length || next.isTailDamaged {
            next.readRecords(in: try disk.read(path, from: next.length, atMost: .max)?[...] ?? [], source: source)
        }
        (log, fileLength) = (next, length)
        return true
    }

    /// Takes over a whole file, as far as it is valid.
    ///
    /// - Returns: the error of the file, if there is one.
    private mutating func adopt(_ bytes: [UInt8]) -> String? {
        do throws(CacheLog.Flaw) {
            let read = try CacheLog(bytes, source: source)
            guard read.state.key == key else { return "it was written for another source, program or user" }
            (log, fileLength) = (read, bytes.count)
            return read.isTailDamaged ? "it is truncated or corrupt at the end" : nil
        } catch {
            return error.description
        }
    }

    private mutating func warnOfTail() {
        guard log?.isTailDamaged == true else { return }
        warn("the cache \(path) is truncated or corrupt at the end; using the intact part")
    }

    private mutating func warn(_ flaw: String) {
        guard flaw != self.flaw else { return }
        self.flaw = flaw
        let problem = ConfigError(.damaged, flaw)
        logger?.warning("cache error", metadata: problem.metadata(of: source))
    }
}
