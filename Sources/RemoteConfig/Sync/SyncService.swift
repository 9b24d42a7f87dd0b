// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import ConfigRules
public import Essentials
internal import Files
internal import HTTPTransport
public import Logging
public import Metrics
internal import Observing
public import ServiceLifecycle
internal import Synchronization
public import Tracing

/// Keeps a ``ConfigState`` equal to its source, in the background, for as long as it runs.
///
/// ```swift
/// let service = SyncService(source: FileSource(path: "config.json"))
/// await withTaskGroup { group in
///     group.addTask { await service.run() }
///     for await current in service.state.updates() { print(current.snapshot.revision) }
/// }
/// ```
///
/// The state is there at once: what the cache holds, else the bundled default, else nothing; ``firstState(timeout:)``
/// waits for the source's own, for a while. Whatever is wrong with
/// the source, the last good state stays. A change is kept in the cache, then shown, then announced;
/// with another ``SyncActivation``, it is shown later.
///
/// Good news of a file travels at once; bad news waits until the file has settled, because a file that an editor is
/// writing is broken for a moment.
public actor SyncService: Service {
    /// The state that this service keeps.
    public nonisolated let state: ConfigState

    /// What is read: the source, or its layers if it has any.
    let source: any ConfigSource
    let layers: Layers?
    let notificationCenter: NotificationCenter
    let logger: Logger?
    let now: @Sendable () -> Timestamp
    let clock: any SyncClock
    /// Where this actor and everything about it runs. What a program does besides runs best here too: a change then
    /// wakes one thread.
    package nonisolated let executor: QueueExecutor

    let metricsFactory: (any MetricsFactory)?
    /// What metrics tell the service by.
    let metricsName: String
    let tracer: (any Tracer)?
    lazy var metrics = makeMetrics()
    var statistics = SyncStatistics()

    /// Evaluates the rules of what is fetched.
    var evaluator: RuleEvaluator
    /// What rules are told of the program.
    let programVersion: String?

    /// When to read and when to open the stream.
    var connection: ConnectionSchedule
    /// Where the connection's next attempt stands in the calendar, so that it is worked out once.
    var nextAttempt: (due: Duration, at: Timestamp)?
    let cache: ConfigCache?
    let bundledDefault: ConfigDocument?
    var caches: ContextCaches
    /// How what was fetched stands to the source.
    var mark: CacheMark
    let activation: SyncActivation
    /// What was fetched and waits to be shown.
    var staged: StagedChanges?
    /// The layers of the shown values, if the source has layers.
    var shownLayers: [LayerValues] = []
    /// Whether the next values are shown although changes are staged, because they are the first of a new context.
    var showsContext = false
    /// Whether changes alone will not do any more.
    var needsWhole = false
    /// The one read under way: two could end in the wrong order and leave the older state.
    var readInFlight: Task<RefreshOutcome, Never>?
    var lastReadAt: Duration?
    /// When the read in progress began, once it has taken long.
    var readingSince: Timestamp?
    /// Whether the source has answered, for any thread to ask.
    nonisolated let answered = Atomic(false)
    /// What is wrong with a part of what was read last, while the rest counts.
    var partProblem: ConfigError?
    /// When the sources that the source keeps were last asked, if it keeps any.
    var partsAskedAt: Duration?
    /// Those who asked for a read that is still to begin.
    var askers: [CheckedContinuation<RefreshOutcome, Never>] = []
    /// Whether the read under way shows its failure.
    var showsFailure = false
    /// Those who listen to the source; there may be more than one while one is ending.
    var listeners: [Int: Task<Void, Never>] = [:]
    /// When to follow a watched source again that could not be followed, or to read one again that reports nothing.
    var watch = Retry()
    /// The error that ended following a watched source last; `nil` if it was reading that failed.
    var followError: ConfigError?
    /// How many runs there are: the source is followed until the last of them ends.
    private var runCount = 0
    private var hasRun = false
    /// Those who wait until the run that has begun has met its source.
    private var runWaiters: [@Sendable () -> Void] = []
    private(set) var isOffline: Bool
    /// Passes ``setOffline(_:)`` on to the source; `nil` once the source has the latest.
    private(set) var offlinePassing: Task<Void, Never>?
    /// How often the program was set offline: what was begun before does not count any more.
    private(set) var offlineCount = 0
    /// How often the source started again in another context: a read from before does not count any more.
    var contextCount = 0
    /// The number of the last read; an earlier one that has not ended yet is of a former context.
    var lastRead = 0
    /// Those who wait for the first state.
    var firstWaiters: [ObjectIdentifier: Promise<WaitEnd>] = [:]
    private var timer: Subscription?
    private var alarm: Duration?

    /// Where this actor runs: on a queue of its own, not on the shared thread pool.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates a service that does nothing but load its first state until it is run or asked to refresh.
    ///
    /// - Parameters:
    ///   - source: where the configuration comes from.
    ///   - cache: where the last good state is kept. Without one, the program starts with the bundled default: that
    ///     is enough for a file, which is there at the next start itself.
    ///   - bundledDefault: what the program carries with it, below what the source has: for its first start without a
    ///     network, and for keys that the source does not have.
    ///   - context: who the program is used by, for the rules of the configuration; see ``setContext(_:)``.
    ///   - activation: when what was fetched is shown.
    ///   - pace: how often the source is asked, and how long pauses are.
    ///   - isOffline: whether nothing asks the source before ``setOffline(_:)`` permits it.
    ///   - notificationCenter: where changes are announced.
    ///   - logger: logs problems with the source and the cache as warnings, and changes for debugging; `nil` for nothing.
    ///     The metadata is `source`, `error.code`, `error.message`, `revision`, `epoch`, `server.revision`, `keys` (the
    ///     first 20) and `keys.count`. Values are never logged.
    ///   - metricsFactory: collects the metrics `livery_client_…`; the default is swift-metrics' own.
    ///   - tracer: collects a span `livery.fetch` for each read; the default is swift-distributed-tracing's own.
    public init(
        source: some ConfigSource,
        cache: ConfigCache? = nil,
        bundledDefault: ConfigDocument? = nil,
        context: EvaluationContext? = nil,
        activation: SyncActivation = .immediate,
        pace: SyncPace = SyncPace(),
        isOffline: Bool = false,
        notificationCenter: NotificationCenter = .default,
        logger: Logger? = nil,
        metricsFactory: (any MetricsFactory)? = nil,
        tracer: (any Tracer)? = nil
    ) {
        self.init(
            source: source,
            cache: cache,
            bundledDefault: bundledDefault,
            context: context,
            activation: activation,
            pace: pace,
            isOffline: isOffline,
            notificationCenter: notificationCenter,
            logger: logger,
            metricsFactory: metricsFactory,
            tracer: tracer,
            clock: SystemSyncClock()
        )
    }

    /// Creates a service whose times and chances are a test's.
    package init(
        source: some ConfigSource,
        cache: ConfigCache? = nil,
        bundledDefault: ConfigDocument? = nil,
        context: EvaluationContext? = nil,
        activation: SyncActivation = .immediate,
        pace: SyncPace = SyncPace(),
        isOffline: Bool = false,
        notificationCenter: NotificationCenter = .default,
        logger: Logger? = nil,
        metricsFactory: (any MetricsFactory)? = nil,
        metricsName: String? = nil,
        tracer: (any Tracer)? = nil,
        clock: any SyncClock,
        jitter: @escaping @Sendable () -> Double = { .random(in: 0..<1) },
        now: @escaping @Sendable () -> Timestamp = { .now },
        executor: QueueExecutor? = nil
    ) {
        let executor = executor ?? QueueExecutor(label: "livery.sync")
        self.metricsName = metricsName ?? source.metricsName
        let layers =
            source.layers.isEmpty
            ? nil
            : Layers(of: source) { layer, name in
                SyncService(
                    source: layer,
                    cache: cache,
                    // The other layers pass their rules on, and the whole is evaluated once.
                    context: layer.dependsOnContext ? context : nil,
                    pace: pace,
                    // The states of layers are private, so their changes are announced to no observer.
                    notificationCenter: NotificationCenter(),
                    logger: logger,
                    metricsFactory: metricsFactory,
                    metricsName: metricsName.map { "\($0)/\(name)" } ?? name,
                    tracer: tracer,
                    clock: clock,
                    jitter: jitter,
                    now: now,
                    // So that the context of all is set in one step.
                    executor: layer.dependsOnContext ? executor : nil
                )
            }
        let source: any ConfigSource = layers ?? source
        (self.source, self.layers, self.executor) = (source, layers, executor)
        (self.notificationCenter, self.logger) = (notificationCenter, logger)
        (self.metricsFactory, self.tracer) = (metricsFactory, tracer)
        (self.clock, self.now, self.activation, self.isOffline) = (clock, now, activation, isOffline)
        connection = ConnectionSchedule(for: source.delivery, pace, jitter: jitter)
        if isOffline { _ = connection.handle(.wentOffline, at: clock.elapsed) }
        programVersion = cache?.programVersion
        let context = context?.withStandardAttributes(programVersion: programVersion)
        evaluator = RuleEvaluator(in: context)
        let bundledDefault = bundledDefault ?? source.bundled
        // Layers are cached one by one.
        self.cache = layers == nil && source.bundled == nil ? cache : nil
        self.bundledDefault = bundledDefault
        var caches = ContextCaches(self.cache.map { CacheFile(of: $0, for: source, in: context, logger) })
        shownLayers = layers?.values ?? []
        let cached = caches.current?.load()
        let launch = LaunchState(cached: cached, layers: shownLayers, bundledDefault: bundledDefault, now: now())
        self.caches = caches
        let evaluated = evaluator.evaluated(again: launch.snapshot, at: now()).snapshot
        let shown = evaluated.numbered(launch.snapshot.revision)
        mark = launch.mark
        var status = SyncStatus(source: source.name)
        status.cacheProblem = caches.problem
        status.origin = launch.origin
        status.modifiedAt = launch.mark.modifiedAt
        status.isSetOffline = isOffline
        if isOffline { status.phase = .offline }
        var current = ConfigState.Current(snapshot: shown, status: status)
        current.context = evaluator.context
        state = ConfigState(current)
    }

    /// Follows the source until the task is cancelled or a graceful shutdown begins.
    public func run() async { await run {} }

    /// Follows the source as ``run()`` does.
    ///
    /// - Parameter didBegin: called once the source was read in this run, or could not be, or nothing is to be read: the
    ///   program is offline, or what was read before is new enough and changes of it are listened to.
    package func run(_ didBegin: @escaping @Sendable () -> Void) async {
        let following = Task(executorPreference: executor) { await self.follow(didBegin) }
        await withTaskCancellationOrGracefulShutdownHandler {
            await following.value
        } onCancelOrGracefulShutdown: {
            following.cancel()
        }
    }

    private func follow(_ didBegin: @escaping @Sendable () -> Void) async {
        begin(didBegin)
        let (untilCancelled, _) = AsyncStream<Never>.makeStream()
        for await _ in untilCancelled {}
        runCount -= 1
        if !isFollowing { await stop() }
    }

    private func begin(_ didBegin: @escaping @Sendable () -> Void) {
        // A later run waits with those before it.
        var awaitsSource = !runWaiters.isEmpty
        runWaiters.append(didBegin)
        runCount += 1
        if runCount == 1 {
            hasRun = true
            if isWatched { listenAgain() } else { handle(.started) }
            showBeginning()
            awaitsSource = isWatched || readInFlight != nil || connection.streamNumber != nil
        }
        if isOffline || !awaitsSource { endRunWaits() }
    }

    private func stop() async {
        if !isWatched { handle(.stopped) }
        watch = Retry()
        showConnection()
        endRunWaits()
        endFirstWaits(.ended)
        // The next run may begin during the waits below, with its own listeners and reads.
        let (ending, read) = (Array(listeners.values), readInFlight)
        for listener in ending { listener.cancel() }
        read?.cancel()
        for listener in ending { await listener.value }
        _ = await read?.value
        if isFollowing { return }
        if caches.deadline != nil { catchUpCaches(isLast: true) }
        setAlarm()
    }

    var isFollowing: Bool { runCount > 0 }

    /// Whether a run waits for the source before its body begins.
    var hasRunWaiters: Bool { !runWaiters.isEmpty }

    /// Whether the service has run and does not any more.
    var hasEnded: Bool { hasRun && !isFollowing }

    /// Lets the bodies of the runs begin, once the state shows the outcome of a read, of a stream, or of going offline. In a
    /// new context there is none yet.
    func endRunWaits() {
        if state.current.status.phase == .starting { return }
        for didBegin in runWaiters { didBegin() }
        runWaiters = []
    }

    /// Sets the program offline or online again: while it is offline, nothing asks the source, ``refresh()`` included,
    /// which fails at once.
    ///
    /// Going offline closes the stream and gives up the read under way; what is shown stays, and the status says so
    /// (``SyncStatus/isSetOffline``). Coming online begins with a look at what has happened in the meantime. It may be
    /// set before ``run()``, and at the beginning by the initializer. A file is left alone in the same way.
    public func setOffline(_ isOffline: Bool) {
        guard isOffline != self.isOffline else { return }
        self.isOffline = isOffline
        if isOffline { goOffline() } else { comeOnline() }
        passOnOffline()
    }

    /// Passes the current setting to the source, one call at a time, until the source has the latest.
    private func passOnOffline() {
        if offlinePassing != nil { return }
        offlinePassing = Task(executorPreference: executor) { await self.passOnLatestOffline() }
    }

    private func passOnLatestOffline() async {
        var passed: Bool?
        while passed != isOffline {
            passed = isOffline
            await source.setOffline(isOffline)
        }
        offlinePassing = nil
    }

    private func goOffline() {
        offlineCount += 1
        answerAskers(.failed(.setOffline))
        readInFlight?.cancel()
        if isWatched {
            watch.attempted()
            listeners[0]?.cancel()
        } else {
            handle(.wentOffline)
        }
        showConnection()
        endRunWaits()
        endFirstWaits(.offline)
    }

    private func comeOnline() {
        if !isWatched { handle(.cameOnline) }
        showConnection()
        listenAgain()
    }

    /// Listens to a source on this machine, unless the program is offline, or the listener that going offline has
    /// cancelled has not ended yet: its end leads here again.
    func listenAgain() {
        guard isWatched, isFollowing, !isOffline, listeners[0] == nil else { return }
        watch.attempted()
        listen(0)
    }

    var isWatched: Bool { source.delivery == .watched }
}

extension SyncService {
    /// Tells the connection what has happened, does what it says, and shows how it stands.
    func handle(_ input: ConnectionSchedule.Input) {
        for action in connection.handle(input, at: clock.elapsed) {
            switch action {
            case .read: _ = startRead(showingFailure: true)
            case .openStream(let number): listen(number)
            case .closeStream(let number): listeners[number]?.cancel()
            }
        }
        count { statistics in
            statistics.reconnects = max(connection.totals.opened - 1, 0)
            statistics.resyncs = connection.totals.resyncs
        }
        if readInFlight == nil, !connection.isAsked {
            answerAskers(.failed(connection.wishToBeLeftAlone(at: clock.elapsed) ?? .cancelled))
        }
        setAlarm()
    }

    /// Arranges to be woken when something is due. A time that has moved further away is noticed when it comes.
    func setAlarm() {
        let due = [connection.deadline, caches.deadline, watch.due].compactMap(\.self).min()
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
        let now = clock.elapsed
        if let due = caches.deadline, due <= now { catchUpCaches() }
        if let due = watch.due, due <= now {
            watch.attempted()
            listenAgain()
        }
        if let due = connection.deadline, due <= now {
            handle(.timePassed)
            showConnection()
        } else {
            setAlarm()
        }
    }
}

extension ConnectionSchedule {
    fileprivate init(for delivery: SourceDelivery, _ pace: SyncPace, jitter: @escaping @Sendable () -> Double) {
        switch delivery {
        case .watched: self.init(hasStream: false, pace: pace, jitter: jitter)
        case .polled(let interval): self.init(hasStream: false, pollingInterval: interval, pace: pace, jitter: jitter)
        case .streamed(let interval): self.init(hasStream: true, pollingInterval: interval, pace: pace, jitter: jitter)
        }
    }
}
