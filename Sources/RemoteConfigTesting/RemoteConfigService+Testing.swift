// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import ConfigRules
package import Dispatch
public import Essentials
public import Logging
public import Metrics
package import Observing
public import RemoteConfig
public import Tracing

extension RemoteConfigService {
    /// Creates a service on a test's clock: its pauses, time limits and dates are the clock's, whose time
    /// begins with the year 2020. Its pauses have no random part.
    ///
    /// - Parameters:
    ///   - source: where the configuration comes from, such as a ``TestSource``.
    ///   - cache: where the last good state is kept.
    ///   - bundledDefault: the program's bundled values.
    ///   - context: the evaluation context that rules match against.
    ///   - activation: the time at which fetched values become current.
    ///   - policy: how often the source is polled, and how long pauses are.
    ///   - isOffline: whether polling is paused until `setOffline(_:)` resumes it.
    ///   - notificationCenter: where changes are announced; with `nil` they are not.
    ///   - logger: logs problems with the source and the cache.
    ///   - metricsFactory: collects the metrics `livery_client_…`.
    ///   - tracer: collects a span for each read.
    ///   - clock: the clock.
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
        tracer: (any Tracer)? = nil,
        clock: TestClock
    ) {
        var settings = ServiceSettings()
        (settings.cache, settings.bundledDefault, settings.context) = (cache, bundledDefault, context)
        (settings.activation, settings.policy, settings.isOffline) = (activation, policy, isOffline)
        (settings.notificationCenter, settings.logger) = (notificationCenter, logger)
        (settings.metricsFactory, settings.tracer) = (metricsFactory, tracer)
        (settings.clock, settings.jitter, settings.now) = (clock, { 0.5 }, { clock.date })
        self.init(source: source, settings)
    }

    /// Runs the service while the body runs, which begins once the source has been read in this run, or could not be. If no
    /// read is needed, since the program is offline or the last read is recent enough, the body begins once the source is
    /// followed.
    ///
    /// ```swift
    /// let source = TestSource(["app.title": "Hi"])
    /// let service = RemoteConfigService(source: source)
    /// await service.running {
    ///     await source.publish(["app.title": "Hello"])
    ///     #expect(service["app.title"] == "Hello")
    /// }
    /// ```
    public func running<Outcome>(_ body: () async throws -> Outcome) async rethrows -> Outcome {
        let (beginning, continuation) = AsyncStream<Never>.makeStream()
        let run = Task {
            await self.run { continuation.finish() }
            // Also of a run that ended without an outcome.
            continuation.finish()
        }
        defer { run.cancel() }
        for await _ in beginning {}
        let outcome = try await body()
        run.cancel()
        await run.value
        return outcome
    }
}

extension TestClock {
    /// The date that the clock shows; it begins with 2020-01-01T00:00:00Z.
    package var date: Timestamp {
        let (seconds, attoseconds) = elapsed.components
        return Timestamp(milliseconds: 1_577_836_800_000 + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}

extension TestClock: SyncClock {
    package func call(
        at time: Duration,
        on queue: DispatchQueue,
        _ body: @escaping @Sendable () -> Void
    ) -> ObservationToken {
        call(at: instant(at: time)) { queue.async(execute: body) }
    }
}
