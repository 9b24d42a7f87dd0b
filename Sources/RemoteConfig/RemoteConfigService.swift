// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import ConfigRules
public import Essentials
public import Logging
public import Metrics
internal import Observing
public import Tracing

#if ServiceLifecycle
    public import ServiceLifecycle

    /// In a `ServiceGroup`, a graceful shutdown ends the run. Needs the trait `ServiceLifecycle`.
    extension RemoteConfigService: Service {}
#endif

/// Keeps a ``ConfigState`` equal to its source, in the background, for as long as it runs.
///
/// ```swift
/// let service = RemoteConfigService(source: FileSource(path: "config.json"))
/// await withTaskGroup { group in
///     group.addTask { await service.run() }
///     for await current in service.state.observe() { print(current.revision) }
/// }
/// ```
///
/// The state is available at once: the contents of the cache, over the bundled default. A cache of more than 256 KiB is
/// loaded a moment later, so that no caller waits for it. ``waitUntilReady(timeout:)`` waits for the source. If the
/// source fails, the last good state stays. A change is kept in the cache, then shown, then announced; with another
/// ``ActivationPolicy``, it is shown later. A change of a file is shown first, since the file still has it.
///
/// A valid state of a file applies at once; an error is reported once the file has settled, because a file that an
/// editor is writing may be invalid for a moment.
public final class RemoteConfigService: Sendable {
    let engine: SyncEngine

    /// The state that this service keeps.
    public var state: ConfigState { engine.state }

    /// The executor of the service. Other work of a program runs best here too: a change then wakes one thread.
    package var executor: QueueExecutor { engine.settings.executor }

    /// Creates a service that only loads its first state until it is run or refreshed.
    ///
    /// - Parameters:
    ///   - source: where the configuration comes from.
    ///   - cache: where the last good state is kept. Without one, the program starts with the bundled default.
    ///   - bundledDefault: the program's bundled values, below those of the source: for its first start without a network, and
    ///     for keys that the source does not have.
    ///   - context: the evaluation context (user, device, …) that rules match against; see ``setContext(_:)``.
    ///   - activation: when fetched values are shown.
    ///   - policy: how often the source is polled, and how long pauses are.
    ///   - isOffline: whether polling is paused until ``setOffline(_:)`` resumes it.
    ///   - notificationCenter: where changes are announced as ``ConfigDidUpdate``; with `nil` they are not.
    ///   - logger: logs problems with the source and the cache as warnings, and changes for debugging; `nil` for nothing.
    ///     The metadata is `source`, `error.code`, `error.message`, `revision`, `epoch`, `server.revision`, `keys` (the
    ///     first 20) and `keys.count`. Values are never logged.
    ///   - metricsFactory: collects the metrics `livery_client_…`; the default is swift-metrics' own.
    ///   - tracer: collects a span `livery.fetch` for each read; the default is swift-distributed-tracing's own.
    public convenience init(
        source: some ConfigSource,
        cache: ConfigCache? = nil,
        bundledDefault: ConfigDocument? = nil,
        context: EvaluationContext? = nil,
        activation: ActivationPolicy = .immediate,
        policy: ConnectionPolicy = ConnectionPolicy(),
        isOffline: Bool = false,
        notificationCenter: NotificationCenter? = .default,
        logger: Logger? = nil,
        metricsFactory: (any MetricsFactory)? = nil,
        tracer: (any Tracer)? = nil
    ) {
        var settings = ServiceSettings()
        (settings.cache, settings.bundledDefault, settings.context) = (cache, bundledDefault, context)
        (settings.activation, settings.policy, settings.isOffline) = (activation, policy, isOffline)
        (settings.notificationCenter, settings.logger) = (notificationCenter, logger)
        (settings.metricsFactory, settings.tracer) = (metricsFactory, tracer)
        self.init(source: source, settings)
    }

    /// Creates a service with all settings, such as the clock and the random numbers of a test.
    package init(source: some ConfigSource, _ settings: ServiceSettings) {
        engine = SyncEngine(source: source, settings)
    }

    // A read may last longer than the last caller needs it.
    deinit {
        let engine = engine
        Task(executorPreference: engine.settings.executor) { await engine.abandon() }
    }

    /// Follows the source until the task is cancelled or a graceful shutdown begins.
    public func run() async { await engine.run {} }

    /// Loads a large cache, as every run and every read does first.
    package func loadCache() async { await engine.loadCache() }

    /// Follows the source as ``run()`` does.
    ///
    /// - Parameter didBegin: called once the source has been read in this run, or could not be, or no read is needed: the
    ///   program is offline, or the last read is recent enough and its stream is open. Not called in a run that ends before.
    package func run(_ didBegin: @escaping @Sendable () -> Void) async { await engine.run(didBegin) }

    /// Sets the program offline or online again: while it is offline, it makes no request, and
    /// ``refresh(timeout:)`` fails at once.
    ///
    /// Going offline closes the stream and cancels a read in progress; the current values stay, and the status shows it
    /// (``SourceStatus/isSetOffline``). Coming online starts with a check for changes made in the meantime. It may be set
    /// before ``run()``, and initially by the initializer. It applies to files too.
    public func setOffline(_ isOffline: Bool) async { await engine.setOffline(isOffline) }
}

// The life of an app.
extension RemoteConfigService {
    /// Follows the source as ``run()`` does, and pauses, resumes and reconnects by events of the app.
    ///
    /// ```swift
    /// let (events, app) = AsyncStream.makeStream(of: AppEvent.self)
    /// let running = Task { await service.run(following: events) }
    /// app.yield(.enteredBackground)
    /// ```
    ///
    /// - Parameter events: The events, such as `AppEvent.ofThisApp` on Apple's platforms. After their end, the service runs
    ///   on as the last of them left it. A pause by an event ends with the run.
    public func run(following events: some AsyncSequence<AppEvent, Never> & Sendable) async {
        let (isInBackground, hasEnded) = (Observed(false), Observed(false))
        let following = Task(executorPreference: executor) { [weak self] in
            for await event in events where !Task.isCancelled {
                if event != .networkReturned { isInBackground.replace(with: event == .enteredBackground) }
                await self?.handle(event, unless: hasEnded)
            }
        }
        await run()
        following.cancel()
        // The pause was that of this run. One that comes late does nothing.
        hasEnded.replace(with: true)
        if isInBackground.value { await resume() }
    }

    private func handle(_ event: AppEvent, unless hasEnded: Observed<Bool>) async {
        switch event.kind {
        case .enteredBackground: await engine.pause { !hasEnded.value }
        case .enteredForeground: await resume()
        case .networkReturned: await reconnect()
        }
    }

    /// Pauses the service, as an app does in the background: nothing follows the source, no timer runs, and everything
    /// fetched is in the cache once this returns.
    ///
    /// It closes the stream and cancels a read in progress. The current values stay, and the status is `stopped`. As for a
    /// service that does not run, ``refresh(timeout:)`` reads the source, for example in a background task.
    /// ``waitUntilReady(timeout:)`` waits until the service is resumed. It may be called before ``run()``.
    public func pause() async { await engine.pause() }

    /// Ends a pause: follows the source again and reads it at once, unless the last read is recent enough
    /// (``ConnectionPolicy/minimumFetchInterval``) or the source has asked to be left alone (`Retry-After`). Without a pause
    /// it does nothing.
    public func resume() async { await engine.resume() }

    /// Connects again at once, for example when the network has returned or is another one: closes the stream, repeats a read
    /// in progress, and does not wait for the end of a pause between attempts.
    ///
    /// A `Retry-After` of the source is respected, and requests are at least a second apart. While the service is paused,
    /// offline or does not run, it does nothing.
    public func reconnect() async { await engine.reconnect() }
}

// Asking.
extension RemoteConfigService {
    /// Reads the source now. A request during a read joins it.
    ///
    /// Pauses between attempts restart with the shortest, and a source that has refused access is tried again. Sources on a
    /// network are read at most once a second: requests before that wait, and share one read. With a longer
    /// ``ConnectionPolicy/minimumFetchInterval``, the last read within it is recent enough, and no request is sent.
    ///
    /// ```swift
    /// do {
    ///     print("changed:", try await service.refresh(timeout: .seconds(2)))
    /// } catch {
    ///     print("the last good values stay:", error)
    /// }
    /// ```
    ///
    /// - Parameter timeout: The maximum wait, at most a day; zero or less does not wait. The read goes on after it. `nil`
    ///   waits for the end of the read.
    /// - Returns: The keys with new values, sorted. Staged values (``ActivationPolicy``) are not among them;
    ///   ``SourceStatus/hasStagedChanges`` reports those.
    /// - Throws: `ConfigError` if the source cannot be read, which the status shows as well once the source has settled;
    ///   `unreachable` at the end of the timeout; the error of the last read while the source asks not to be contacted
    ///   (`Retry-After`); `offline` while the program is set offline; `cancelled` if the service ends or is paused.
    ///   `CancellationError` as soon as the task is cancelled.
    @discardableResult
    public func refresh(timeout: Duration? = nil) async throws -> [String] {
        try await refreshOutcome(timeout: timeout).changedKeys()
    }

    /// The outcome of ``refresh(timeout:)``.
    package func refreshOutcome(timeout: Duration? = nil) async -> RefreshOutcome {
        let timeout = timeout?.asPatience
        let late = RefreshOutcome.failed(.late(timeout ?? .zero))
        let outcome = await engine.refresh(within: timeout, ifLate: late)
        return outcome == late && state.current.status.isSetOffline ? .failed(.setOffline) : outcome
    }

    /// Reads the source unless that has just been done, for callers that request one value after another. If that fails,
    /// the status has the problem.
    func refreshIfStale() async { await engine.refreshIfStale() }

    /// Waits until the source has answered in this process.
    ///
    /// A failure does not end the wait, since the source is tried again in the meantime. Before ``run()`` has begun, the
    /// source is read once. Where changes are staged (``ActivationPolicy``), the answer may still wait for its activation.
    ///
    /// ```swift
    /// do {
    ///     try await service.waitUntilReady(timeout: .seconds(2))
    /// } catch {
    ///     print("values from \(service.state.current.status.origin):", error)
    /// }
    /// ```
    ///
    /// - Parameter timeout: The maximum wait, at most a day; zero or less does not wait.
    /// - Throws: `ConfigError` if the source has not answered: its last error, else `unreachable`, at the end of the
    ///   timeout; `offline` as soon as the program is set offline; `cancelled` as soon as the service ends, or if it
    ///   has ended. `CancellationError` as soon as the task is cancelled.
    public func waitUntilReady(timeout: Duration) async throws {
        try Task.checkCancellation()
        if engine.publisher.hasAnswered { return }
        let (firsts, timeout) = (engine.callers.firsts, timeout.asPatience)
        let end = await engine.answer(from: firsts, within: timeout, ifLate: .late, ifCancelled: .cancelled) {
            $0.awaitFirst = true
        }
        switch end {
        case .answered: return
        case .late where state.current.status.isSetOffline: throw ConfigError.setOffline
        case .late: throw state.current.status.problem ?? .late(timeout)
        case .offline: throw ConfigError.setOffline
        case .ended: throw ConfigError.cancelled
        case .cancelled: throw CancellationError()
        }
    }
}

// Staged changes and the context.
extension RemoteConfigService {
    /// Makes all staged values current at once, and announces the change (``ConfigDidUpdate``).
    ///
    /// - Returns: The keys with new values, sorted. See ``ActivationPolicy`` for an example.
    @discardableResult
    public func activate() async -> [String] { await engine.activate() }

    /// The user of the program, by which the rules of the configuration are evaluated.
    ///
    /// The standard attributes are filled in; see `EvaluationContext.withStandardAttributes(programVersion:)`.
    public var context: EvaluationContext? { get async { await engine.context } }

    /// Sets the evaluation context, for example when a user signs in or chooses another language. Once it has returned, no
    /// value of the former context is current: offline as well, with any ``ActivationPolicy``, and in every layer.
    ///
    /// Rules are evaluated in the program, at once. A source that evaluates itself, such as an ``OFREPSource`` or one that
    /// has such layers (``ConfigSource/dependsOnContext``), starts again as at a launch:
    ///
    /// - Until it answers, the service shows the values that were cached for the new context, else the bundled default,
    ///   else no values, so that the program's own defaults count. Layers that do not depend on the context keep theirs.
    /// - A read in flight is cancelled and its result dropped; callers that wait for it (``refresh(timeout:)``) get the
    ///   result of the next one. A running service reads at once and opens a new stream, unless the source has asked to
    ///   be left alone (`Retry-After`).
    /// - The first answer is shown even where changes are staged, unless nothing was activated before. Changes that other
    ///   layers have staged stay staged.
    ///
    /// - Parameter context: `nil` for no user: then the default values of rules apply.
    /// - Returns: The keys with new values, sorted.
    @discardableResult
    public func setContext(_ context: EvaluationContext?) async -> [String] {
        await engine.setContext(context)
    }
}

extension ConfigError {
    fileprivate static func late(_ timeout: Duration) -> ConfigError {
        let tenths = Int((timeout / .milliseconds(100)).rounded())
        let seconds = tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
        return ConfigError(.unreachable, "no complete response within \(seconds) s")
    }
}

extension Duration {
    /// The limited wait for a timeout.
    fileprivate var asPatience: Duration { min(max(self, .zero), .seconds(86_400)) }
}
