internal import ConfigModel
internal import Logging

/// The cache's file of one source, as one process sees it.
struct CacheFile {
    private let cache: ConfigCache
    private let source: String
    private let identity: String
    private let logger: Logger
    private let path: String
    /// What the file holds, as far as this process has looked.
    private var log: CacheLog?
    private var onDisk: CacheFileIdentity?
    /// The hash of the last record that holds what this process shows.
    private var ownChain: [UInt8]?
    private var lastFlush: Duration?
    /// When what was appended has to be flushed, if anything has.
    private(set) var flushDeadline: Duration?

    /// A burst of changes is flushed ten times a second; a change that comes alone, before it is shown.
    static let flushInterval = Duration.milliseconds(100)

    /// - Parameters:
    ///   - source: the source's name, for the entries.
    ///   - identity: the source's identity.
    init(of cache: ConfigCache, source: String, identity: String, logger: Logger) {
        self.cache = cache
        self.source = source
        self.identity = identity
        self.logger = logger
        path = cache.path(ofSource: identity)
    }

    private var disk: any CacheDisk { cache.disk }

    /// The state that was kept last, if there is one to be believed.
    mutating func load() -> CachedState? {
        do {
            try look()
        } catch {
            logger.warning("the cache \(path) cannot be read and is passed over: \(error)")
        }
        ownChain = log?.chain
        return log?.state
    }

    /// Keeps a state, so that it is there at the next start whatever happens now.
    ///
    /// - Parameters:
    ///   - entries: the values.
    ///   - changedKeys: what is different from the state at `base`.
    ///   - base: the state before.
    ///   - mark: how the values stand to the source.
    ///   - now: the time since some beginning.
    mutating func keep(
        _ entries: ConfigEntries,
        changedKeys: [String],
        since base: CacheMark,
        mark: CacheMark,
        at now: Duration
    ) throws(CacheDiskError) {
        try disk.makeFolder(cache.folder)
        // The body may not capture a mutating self.
        var file = self
        let own = ownChain
        // Until this has succeeded, the file does not hold what is shown.
        file.ownChain = nil
        defer { self = file }
        try disk.locked(path + ".lock") { () throws(CacheDiskError) in
            try file.look()
            if file.isAhead(of: mark, since: base) { return }
            if file.canAppend(after: base, orAfter: own) {
                try file.append(CacheChange(to: entries, changedKeys: changedKeys, mark: mark), entries, at: now)
            } else {
                try file.replace(with: entries, mark: mark, at: now)
            }
        }
    }

    /// Returns once everything that was kept would survive a loss of power.
    mutating func flush(at now: Duration) throws(CacheDiskError) {
        flushDeadline = nil
        lastFlush = now
        try disk.flush(path)
    }

    /// Whether another process has kept a later state, or this very one.
    private func isAhead(of mark: CacheMark, since base: CacheMark) -> Bool {
        guard let kept = log?.state.mark, let cursor = mark.cursor, let keptCursor = kept.cursor,
            keptCursor.epoch == cursor.epoch
        else { return false }
        if keptCursor.revision != cursor.revision { return keptCursor.revision > cursor.revision }
        return kept.digest == mark.digest && base.cursor != cursor
    }

    private func canAppend(after base: CacheMark, orAfter own: [UInt8]?) -> Bool {
        guard let log, !log.isOvergrown, log.state.origin == .remote, log.length == onDisk?.length else { return false }
        // The same revision of the same digest is the same state, whoever wrote it.
        let kept = log.state.mark
        if let cursor = base.cursor, kept.cursor == cursor, kept.digest == base.digest { return true }
        return log.chain == own
    }

    private mutating func append(
        _ change: CacheChange,
        _ entries: ConfigEntries,
        at now: Duration
    ) throws(CacheDiskError) {
        guard var next = log, var identity = onDisk else { return }
        let record = next.append(change, leadingTo: entries)
        onDisk = nil
        try disk.append(record, to: path, at: identity.length)
        identity.length += record.count
        (log, onDisk, ownChain) = (next, identity, next.chain)
        if let lastFlush, now < lastFlush + Self.flushInterval {
            flushDeadline = flushDeadline ?? lastFlush + Self.flushInterval
        } else {
            try flush(at: now)
        }
    }

    private mutating func replace(
        with entries: ConfigEntries,
        mark: CacheMark,
        at now: Duration
    ) throws(CacheDiskError) {
        let state = CachedState(
            origin: .remote,
            programVersion: cache.programVersion,
            entries: entries,
            mark: mark
        )
        let (next, bytes) = CacheLog.file(with: state, identity: identity)
        // Only the holder of the lock has a file of this name; one that died left it to be overwritten.
        let temporary = path + ".new"
        (log, onDisk) = (nil, nil)
        try disk.create(temporary)
        try disk.append(bytes, to: temporary, at: 0)
        try disk.flush(temporary)
        try disk.move(temporary, to: path)
        try disk.flushFolder(cache.folder)
        (log, onDisk, ownChain) = (next, try disk.identity(of: path), next.chain)
        (lastFlush, flushDeadline) = (now, nil)
    }
}

extension CacheFile {
    /// Learns what the file holds now: all of it, or what other processes have appended.
    private mutating func look() throws(CacheDiskError) {
        guard let found = try disk.identity(of: path) else {
            (log, onDisk) = (nil, nil)
            return
        }
        if found == onDisk, log != nil { return }
        if try takeTail(of: found) { return }
        (log, onDisk) = (nil, nil)
        let bytes = try disk.read(path, from: 0)
        switch Result(catching: { () throws(CacheLog.Flaw) in try CacheLog(bytes, source: source) }) {
        case .failure(let flaw):
            try setAside(found, because: flaw.description)
        case .success(let read) where read.identity != identity:
            try setAside(found, because: "it belongs to another source")
        case .success(let read):
            log = read
            onDisk = CacheFileIdentity(device: found.device, number: found.number, length: bytes.count)
        }
    }

    /// Reads what was appended to the file that is known, if it is that file still.
    private mutating func takeTail(of found: CacheFileIdentity) throws(CacheDiskError) -> Bool {
        guard var next = log, let known = onDisk, found.device == known.device, found.number == known.number,
            found.length > known.length, next.length == known.length
        else { return false }
        let bytes = try disk.read(path, from: known.length)
        guard (try? next.take(bytes[...], source: source)) != nil else { return false }
        log = next
        onDisk = CacheFileIdentity(device: found.device, number: found.number, length: known.length + bytes.count)
        return true
    }

    private func setAside(_ flawed: CacheFileIdentity, because reason: String) throws(CacheDiskError) {
        let aside = path + ".set-aside"
        logger.warning("the cache \(path) is not believed: \(reason); it is set aside as \(aside)")
        // Another process may have put a good one in its place in the meantime.
        if try disk.identity(of: path) == flawed { try disk.move(path, to: aside) }
    }
}

extension CacheLog.Flaw: CustomStringConvertible {
    var description: String {
        switch self {
        case .damaged: "it is damaged"
        case .newerFormat(let format): "it has the format \(format) of a newer program"
        }
    }
}
