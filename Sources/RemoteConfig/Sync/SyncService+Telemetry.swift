// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import Essentials
internal import HTTPTransport
internal import Logging
internal import Metrics
internal import Tracing

// What others are told about reads and changes; none of it is a secret, a value, or more of an address than its name.
extension SyncService {
    func makeMetrics() -> SyncMetrics? {
        let factory = metricsFactory ?? MetricsSystem.factory
        // Nobody collects them, as in most apps.
        if factory is NOOPMetricsHandler { return nil }
        return SyncMetrics(of: metricsName, factory: factory)
    }

    /// Counts, for the status and for metrics.
    func count(_ change: (inout SyncStatistics) -> Void) {
        let former = statistics
        change(&statistics)
        if statistics != former { metrics?.counted(statistics, after: former) }
    }

    func countRead(_ result: Result<Answer, ConfigError>, since start: Duration) {
        let outcome: RefreshOutcome
        switch result {
        case .success(let answer): outcome = answer.outcome
        case .failure(let error): outcome = .failed(error)
        }
        count { statistics in
            statistics.fetches += 1
            if case .success = result {
                statistics.consecutiveFailures = 0
                statistics.lastSuccessAt = now()
            } else if !Task.isCancelled {
                statistics.consecutiveFailures += 1
            }
        }
        metrics?.fetched(outcome, in: clock.elapsed - start)
    }

    /// Does what a read does within a span, where somebody collects spans.
    ///
    /// The span `livery.fetch` has the attributes `livery.source`, `livery.outcome` and `livery.revision`, and by
    /// OpenTelemetry's conventions `server.address`, `server.port` and, after a failure, `error.type`: the error's code.
    func traced(_ read: () async -> Result<Answer, ConfigError>) async -> Result<Answer, ConfigError> {
        let tracer = tracer ?? InstrumentationSystem.tracer
        if tracer is NoOpTracer { return await read() }
        return await tracer.withAnySpan("livery.fetch", ofKind: .client) { span in
            span.attributes["livery.source"] = source.name
            if let origin = source.origin {
                span.attributes["server.address"] = origin.host
                span.attributes["server.port"] = origin.port
            }
            let result = await read()
            switch result {
            case .success(let answer):
                span.attributes["livery.outcome"] = answer.outcome.name
                if let cursor = mark.cursor { span.attributes["livery.revision"] = Int(clamping: cursor.revision) }
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

// Lines of the log: the message is always the same, and what differs is metadata.
extension SyncService {
    func log(_ problem: ConfigError?, after former: ConfigError?) {
        guard let logger, problem != former else { return }
        guard let problem else {
            logger.info("the source is well again", metadata: ["source": "\(source.name)"])
            return
        }
        logger.warning("the source has a problem", metadata: problem.metadata(of: source.name))
    }

    func log(_ ruleProblems: [ConfigError], after former: [ConfigError]) {
        guard let logger, ruleProblems != former else { return }
        for problem in Set(ruleProblems).subtracting(former).prefix(Self.mostLoggedKeys) {
            logger.warning("a rule cannot be evaluated", metadata: problem.metadata(of: source.name))
        }
    }

    func log(_ changedKeys: [String], in snapshot: EntrySnapshot) {
        logger?.debug("the configuration has changed", metadata: metadata(of: changedKeys, in: snapshot))
    }

    func logCacheProblem(_ error: ConfigError) {
        logger?.warning(
            "the cache cannot be written, so changes may be forgotten at the end",
            metadata: error.metadata(of: source.name)
        )
    }

    private func metadata(of keys: [String], in snapshot: EntrySnapshot) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "source": "\(source.name)", "revision": "\(snapshot.revision)", "keys.count": "\(keys.count)",
            "keys": .array(keys.prefix(Self.mostLoggedKeys).map { "\($0)" }),
        ]
        if let cursor = snapshot.cursor {
            metadata["epoch"] = "\(cursor.epoch)"
            metadata["server.revision"] = "\(cursor.revision)"
        }
        return metadata
    }

    private static let mostLoggedKeys = 20
}

extension ConfigSource {
    /// Host and port of the source, if it is at one address.
    fileprivate var origin: Origin? { address.flatMap { Origin($0) } }

    /// The name of the source in metrics, where no other source has the same.
    var metricsName: String { layers.isEmpty ? origin?.name ?? "local" : SyncMetrics.nameOfLayers }
}
