// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import HTTPTransport
internal import Metrics
internal import Tracing

/// The counters and traces of the reads of a source; they contain no secrets and no values, and of an address only its
/// name.
struct Telemetry {
    private(set) var statistics = SourceStatistics()
    private let source: String
    private let origin: Origin?
    private let metricsName: String
    /// Whether it is the preview of a draft, which has no metrics.
    private let isPreview: Bool
    private let metricsFactory: (any MetricsFactory)?
    private let tracer: (any Tracer)?
    // The program may choose a backend after it has made the service.
    private lazy var metrics = makeMetrics()

    init(of source: any ConfigSource, _ settings: ServiceSettings) {
        (self.source, origin, isPreview) = (source.name, source.origin, source.preview != nil)
        metricsName = settings.metricsName ?? source.metricsName
        (metricsFactory, tracer) = (settings.metricsFactory, settings.tracer)
    }

    private func makeMetrics() -> ClientMetrics? {
        let factory = metricsFactory ?? MetricsSystem.factory
        // Most apps collect no metrics.
        if isPreview || factory is NOOPMetricsHandler { return nil }
        return ClientMetrics(of: metricsName, factory: factory)
    }

    /// Counts, for the status and for metrics.
    mutating func count(_ change: (inout SourceStatistics) -> Void) {
        let former = statistics
        change(&statistics)
        if statistics != former { metrics?.counted(statistics, after: former) }
    }

    /// Counts a read, which began at a time and ends now.
    mutating func countRead(_ outcome: RefreshOutcome, since start: Duration, _ settings: ServiceSettings) {
        count { statistics in
            statistics.fetches += 1
            guard case .failed = outcome else {
                (statistics.consecutiveFailures, statistics.lastSuccessAt) = (0, settings.now())
                return
            }
            if !Task.isCancelled { statistics.consecutiveFailures += 1 }
        }
        metrics?.fetched(outcome, in: settings.clock.elapsed - start)
    }

    /// Records the new state after another one.
    mutating func shows(_ next: EntrySnapshot, after current: EntrySnapshot) {
        if current.cursor == next.cursor, current.revision == next.revision { return }
        metrics?.shows(next)
    }

    /// Reads within a span, where spans are collected.
    ///
    /// The span `livery.fetch` has the attributes `livery.source`, `livery.outcome` and `livery.revision`, and by
    /// OpenTelemetry's conventions `server.address`, `server.port` and, after a failure, `error.type`: the error's code.
    func traced(_ read: () async -> Result<ReadAnswer, ConfigError>) async -> Result<ReadAnswer, ConfigError> {
        // By its concrete type: to see that it is not a tracer, the runtime would search the whole program.
        if tracer == nil, InstrumentationSystem.instrument is NoOpInstrument { return await read() }
        let tracer = tracer ?? InstrumentationSystem.tracer
        if tracer is NoOpTracer { return await read() }
        return await tracer.withAnySpan("livery.fetch", ofKind: .client) { span in
            span.attributes["livery.source"] = source
            if let origin {
                span.attributes["server.address"] = origin.host
                span.attributes["server.port"] = origin.port
            }
            let result = await read()
            switch result {
            case .success(let answer):
                span.attributes["livery.outcome"] = answer.outcome.name
                if let cursor = answer.cursor { span.attributes["livery.revision"] = Int(clamping: cursor.revision) }
            case .failure(let error):
                span.attributes["livery.outcome"] = "failed"
                span.attributes["error.type"] = error.code.rawValue
                span.recordError(error)
                span.setStatus(SpanStatus(code: .error, message: error.message))
            }
            return result
        }
    }
}

extension ConfigSource {
    /// Host and port of the source, if it is at one address.
    fileprivate var origin: Origin? { address.flatMap { Origin($0) } }

    /// The name of the source in metrics, where no other source has the same.
    var metricsName: String { layers.isEmpty ? origin?.name ?? "local" : ClientMetrics.nameOfLayers }
}
