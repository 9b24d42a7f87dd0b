// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import Files

/// Writes the states of a service to its cache file, and tries again what could not be written.
struct CacheWriter {
    private var file: CacheFile
    private let pauses: RetryDelays
    /// Called once with the error of a file that cannot be written, however often it is tried.
    private let log: @Sendable (ConfigError) -> Void
    private var retry = Retry()
    /// The state that the file lacks because a write has failed; the next write replaces the file whole.
    private var lag: CacheStep?
    /// `damaged`, or `unreadable` while the cache cannot be written.
    private(set) var problem: ConfigError?

    /// The maximum wait of a change for a process that has locked the file, which needs the lock only during a write. After a
    /// timeout, changes do not wait until a write has succeeded.
    static let patience = Duration.seconds(1)
    /// The maximum wait of a retry: with several busy processes, the lock is seldom free at once.
    private static let patienceOfRetry = Duration.milliseconds(100)

    init(_ file: CacheFile, _ pauses: RetryDelays, log: @escaping @Sendable (ConfigError) -> Void) {
        (self.file, self.pauses, self.log) = (file, pauses, log)
    }

    /// The source and the context that the states are of.
    var key: String { file.key }

    /// Whether loading takes so long that a caller should not wait for it.
    var isLarge: Bool { file.isLarge }

    /// Whether the file lacks the last state.
    var isBehind: Bool { lag != nil }

    /// The state that was kept last, if the file contains a valid one.
    mutating func load() -> CachedState? {
        if let lag { return file.state(of: lag) }
        let state = file.load()
        problem = file.flaw.map { ConfigError(.damaged, $0) }
        do throws(FileError) { try file.checkFolder() } catch { note(error) }
        return state
    }

    /// When to call ``catchUp(at:)``; `nil` if everything is on the disk.
    var deadline: Duration? { retry.due ?? (lag == nil ? file.flushDeadline : nil) }

    /// Keeps a state that follows on another one.
    ///
    /// - Parameter patience: how long to wait for a lock; as long as a change waits if it is `nil`.
    mutating func keep(_ next: CacheStep, patience: Duration? = nil, at now: Duration) {
        let isBehind = isBehind
        var step = next
        if let lag {
            step = next.following(lag)
            step.changedKeys = nil
        }
        attempt(at: now) { (writer) throws(FileError) in
            writer.lag = step
            try writer.file.keep(step, patience: patience ?? (isBehind ? .zero : Self.patience), at: now)
            // Earlier records are possibly not on the disk.
            if isBehind, writer.file.flushDeadline != nil { try writer.file.flush(at: now) }
            writer.lag = nil
        }
    }

    /// Writes everything that is not on the disk yet.
    mutating func catchUp(at now: Duration) {
        retry.attempted()
        if let lag {
            keep(lag, patience: Self.patienceOfRetry, at: now)
        } else if file.flushDeadline != nil {
            attempt(at: now) { (writer) throws(FileError) in try writer.file.flush(at: now) }
        }
    }

    private mutating func attempt(
        at now: Duration,
        _ step: (inout CacheWriter) throws(FileError) -> Void
    ) {
        do throws(FileError) {
            try step(&self)
            retry.succeeded()
            problem = nil
        } catch {
            retry.failed(at: now, pause: pauses.backoff(retry.failures))
            note(error)
        }
    }

    private mutating func note(_ error: FileError) {
        let message = "cannot write the cache \(file.path): \(error); the next start may lack recent changes"
        let next = ConfigError(.unreadable, message, underlying: error)
        if problem?.code != .unreadable { log(next) }
        problem = next
    }
}
