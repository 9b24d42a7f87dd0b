public import ConfigModel
public import Essentials
internal import HTTPTransport
public import Logging
internal import Observing
public import ServiceLifecycle

/// Keeps a ``ConfigState`` equal to its source, in the background, for as long as it runs.
///
/// ```swift
/// let service = SyncService(source: FileSource(path: "config.json"))
/// try await withThrowingTaskGroup { group in
///     group.addTask { try await service.run() }
///     …
/// }
/// ```
///
/// The state is there at once: what the cache holds, else the bundled default, else nothing. Whatever is wrong with
/// the source, the last good state stays. A change is kept in the cache, then shown, then announced.
///
/// Good news of a file travels at once; bad news waits until the file has settled, because a file that an editor is
/// writing is broken for a moment.
public actor SyncService: Service {
    /// The state that this service keeps.
    public nonisolated let state: ConfigState

    let source: any ConfigSource
    let notificationCenter: NotificationCenter
    let logger: Logger?
    let now: @Sendable () -> Timestamp
    let clock: any SyncClock
    /// Where this actor and everything about it runs. What a program does besides runs best here too: a change then
    /// wakes one thread.
    package nonisolated let executor = QueueExecutor(label: "livery.sync")

    /// When to read and when to open the stream.
    var connection: ConnectionSchedule
    /// Where the connection's next attempt stands in the calendar, so that it is worked out once.
    var nextAttempt: (due: Duration, at: Timestamp)?
    var cacheFile: CacheFile?
    /// `damaged`, or `unreadable` while the cache cannot be written.
    var cacheProblem: ConfigError?
    var mark: CacheMark
    /// Whether changes alone will not do any more.
    var needsWhole = false
    /// The one read under way: two could end in the wrong order and leave the older state.
    var readInFlight: Task<RefreshOutcome, Never>?
    var lastReadAt: Duration?
    /// Those who asked for a read that is still to begin.
    private var askers: [CheckedContinuation<RefreshOutcome, Never>] = []
    /// Whether the read under way shows its failure.
    var showsFailure = false
    /// Those who listen to the source; there may be more than one while one is ending.
    var listeners: [Int: Task<Void, Never>] = [:]
    private var isFollowing = false
    private var timer: Subscription?
    private var alarm: Duration?

    /// Where this actor runs; see ``QueueExecutor``.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates a service that does nothing but load its first state until it is run or asked to refresh.
    ///
    /// - Parameters:
    ///   - source: where the configuration comes from.
    ///   - cache: where the last good state is kept. Without one, the program starts with the bundled default: that
    ///     is enough for a file, which is there at the next start itself.
    ///   - bundledDefault: what the program carries with it, for its first start without a network.
    ///   - notificationCenter: where changes are announced.
    ///   - logger: logs problems with the source and the cache; `nil` for nothing.
    public init(
        source: some ConfigSource,
        cache: ConfigCache? = nil,
        bundledDefault: ConfigDocument? = nil,
        notificationCenter: NotificationCenter = .default,
        logger: Logger? = nil
    ) {
        self.init(
            source: source,
            cache: cache,
            bundledDefault: bundledDefault,
            notificationCenter: notificationCenter,
            logger: logger,
            clock: SystemSyncClock()
        )
    }

    /// Creates a service whose times and chances are a test's.
    package init(
        source: some ConfigSource,
        cache: ConfigCache? = nil,
        bundledDefault: ConfigDocument? = nil,
        notificationCenter: NotificationCenter = .default,
        logger: Logger? = nil,
        clock: any SyncClock,
        jitter: @escaping @Sendable () -> Double = { .random(in: 0..<1) },
        now: @escaping @Sendable () -> Timestamp = { .now }
    ) {
        (self.source, self.notificationCenter, self.logger) = (source, notificationCenter, logger)
        (self.clock, self.now) = (clock, now)
        connection = ConnectionSchedule(for: source.delivery, jitter: jitter)
        cacheFile = cache.map { CacheFile(of: $0, source: source.name, identity: source.identity, logger: logger) }
        let launch = LaunchState(cached: cacheFile?.load(), bundledDefault: bundledDefault, now: now())
        mark = launch.mark
        cacheProblem = cacheFile?.flaw.map { ConfigError(.damaged, $0) }
        var status = SyncStatus(source: source.name)
        status.cacheProblem = cacheProblem
        status.origin = launch.origin
        status.modifiedAt = launch.mark.modifiedAt
        state = ConfigState(ConfigState.Current(snapshot: launch.snapshot, status: status))
        (source as? FileSource)?.deliverHints(on: executor.queue)
    }

    /// Follows the source until the task is cancelled or a graceful shutdown begins.
    public func run() async {
        let following = Task(executorPreference: executor) { await self.follow() }
        await withTaskCancellationOrGracefulShutdownHandler {
            await following.value
        } onCancelOrGracefulShutdown: {
            following.cancel()
        }
    }

    private func follow() async {
        isFollowing = true
        if !isWatched { handle(.started) } else if !state.current.status.isPaused { listen(0) }
        let (untilCancelled, _) = AsyncStream<Never>.makeStream()
        for await _ in untilCancelled {}
        await stop()
    }

    private func stop() async {
        isFollowing = false
        if !isWatched { handle(.stopped) }
        for listener in listeners.values { listener.cancel() }
        readInFlight?.cancel()
        // They are still entered here until they have ended.
        while let (_, listener) = listeners.first { await listener.value }
        _ = await readInFlight?.value
        if cacheFile?.flushDeadline != nil { flushCache() }
        setAlarm()
        showEnd()
    }

    /// Reads the source now. A request that comes while a read is under way joins it.
    ///
    /// Pauses between attempts begin anew with the shortest, and a source that has refused is tried again. What comes
    /// over a network is asked at most once a second: earlier requests wait, and share one read.
    ///
    /// - Returns: what the read brought; a failure is shown in the status as well, once the source has settled. A
    ///   source that has asked to be left alone (`Retry-After`) is not asked, and its wish is the failure. A task that
    ///   was cancelled before reads nothing and gets `cancelled`, as does a request that waits when the service ends.
    @discardableResult
    public func refresh() async -> RefreshOutcome {
        if Task.isCancelled { return .failed(.cancelled) }
        showsFailure = true
        if isWatched {
            if readInFlight == nil { startRead(showingFailure: true) }
        } else {
            if let wish = connection.wishToBeLeftAlone(at: clock.now) { return .failed(wish) }
            handle(.asked)
        }
        if let readInFlight { return await readInFlight.value }
        return await withCheckedContinuation { askers.append($0) }
    }

    /// Reads the source unless that has just been done: for those who ask for one value after another.
    func freshen() async {
        if !isWatched, let lastReadAt, clock.now - lastReadAt < ConnectionSchedule.Timing.askSpacing { return }
        await refresh()
    }

    func answerAskers(_ outcome: RefreshOutcome) {
        for asker in askers { asker.resume(returning: outcome) }
        askers = []
    }

    /// Leaves the source alone until ``resume()``: for a program that nobody sees. ``refresh()`` still reads.
    public func pause() {
        guard !state.current.status.isPaused else { return }
        if isWatched { listeners[0]?.cancel() } else { handle(.paused) }
        showConnection(isPaused: true)
    }

    /// Follows the source again, beginning with a look at what has happened in the meantime.
    public func resume() async {
        guard state.current.status.isPaused else { return }
        showConnection(isPaused: false)
        guard isWatched else {
            handle(.resumed)
            return showConnection()
        }
        // The one that was cancelled may not have ended yet.
        while let listener = listeners[0] { await listener.value }
        if isFollowing, !state.current.status.isPaused { listen(0) }
    }

    var isWatched: Bool { source.delivery == .watched }
}

extension SyncService {
    /// Tells the connection what has happened, does what it says, and shows how it stands.
    func handle(_ input: ConnectionSchedule.Input) {
        for action in connection.handle(input, at: clock.now) {
            switch action {
            case .read: startRead(showingFailure: true)
            case .openStream(let number): listen(number)
            case .closeStream(let number): listeners[number]?.cancel()
            }
        }
        if readInFlight == nil, !connection.isAsked {
            answerAskers(.failed(connection.wishToBeLeftAlone(at: clock.now) ?? .cancelled))
        }
        setAlarm()
    }

    /// Arranges to be woken when something is due. A time that has moved further away is noticed when it comes.
    func setAlarm() {
        let due = [connection.deadline, cacheFile?.flushDeadline].compactMap(\.self).min()
        if let alarm, let due, alarm <= due { return }
        timer = nil
        alarm = due
        guard let due else { return }
        timer = clock.call(at: due, on: executor.queue) { [weak self] in
            self?.assumeIsolated { $0.ring() }
        }
    }

    private func ring() {
        alarm = nil
        let now = clock.now
        if let due = cacheFile?.flushDeadline, due <= now { flushCache() }
        if let due = connection.deadline, due <= now {
            handle(.timePassed)
            showConnection()
        } else {
            setAlarm()
        }
    }
}

/// What a refresh brought.
public enum RefreshOutcome: Hashable, Sendable {
    /// These keys have new values, sorted.
    case changed(keys: [String])
    /// The source holds what is shown already.
    case unchanged
    /// The source could not be read; what is shown stays.
    case failed(ConfigError)
}

extension ConnectionSchedule {
    fileprivate init(for delivery: SourceDelivery, jitter: @escaping @Sendable () -> Double) {
        switch delivery {
        case .watched: self.init(hasStream: false, jitter: jitter)
        case .polled(let interval): self.init(hasStream: false, pollingInterval: interval, jitter: jitter)
        case .streamed(let interval): self.init(hasStream: true, pollingInterval: interval, jitter: jitter)
        }
    }
}
