// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import Metrics

/// The swift-metrics of a service, in the units of Prometheus. The instruments are created once.
///
/// Each has the dimension `source`, as in ``SourceStatistics``. They contain no keys, paths or values.
struct ClientMetrics {
    private let fetches: [String: Counter]
    private let duration: Metrics.Timer
    private let bytes: Counter
    private let reconnects: Counter
    private let resyncs: Counter
    private let failures: Gauge
    private let lastSuccess: Gauge
    private let revision: Gauge

    /// The label of several layers together.
    static let nameOfLayers = "layers"
    private static let outcomes = ["changed", "staged", "unchanged", "failed"]

    init(of source: String, factory: any MetricsFactory) {
        let dimensions = [("source", source)]
        func counter(_ name: String) -> Counter { Counter(label: name, dimensions: dimensions, factory: factory) }
        func gauge(_ name: String) -> Gauge { Gauge(label: name, dimensions: dimensions, factory: factory) }
        let counters = Self.outcomes.map { outcome in
            let dimensions = dimensions + [("outcome", outcome)]
            return (outcome, Counter(label: "livery_client_fetches_total", dimensions: dimensions, factory: factory))
        }
        fetches = Dictionary(uniqueKeysWithValues: counters)
        let name = "livery_client_fetch_duration_seconds"
        duration = Metrics.Timer(label: name, dimensions: dimensions, factory: factory)
        bytes = counter("livery_client_received_bytes_total")
        reconnects = counter("livery_client_reconnects_total")
        resyncs = counter("livery_client_resyncs_total")
        failures = gauge("livery_client_consecutive_failures")
        lastSuccess = gauge("livery_client_last_success_timestamp_seconds")
        revision = gauge("livery_client_revision")
    }

    func fetched(_ outcome: RefreshOutcome, in time: Duration) {
        fetches[outcome.name]?.increment()
        duration.recordNanoseconds(Int64(time / .nanoseconds(1)))
    }

    /// - Parameter snapshot: the current snapshot.
    func shows(_ snapshot: EntrySnapshot) {
        // A server may send numbers beyond other integer types.
        revision.record(Double(snapshot.cursor?.revision ?? snapshot.revision))
    }

    func counted(_ next: SourceStatistics, after former: SourceStatistics) {
        if next.bytesReceived > former.bytesReceived { bytes.increment(by: next.bytesReceived - former.bytesReceived) }
        if next.reconnects > former.reconnects { reconnects.increment(by: next.reconnects - former.reconnects) }
        if next.resyncs > former.resyncs { resyncs.increment(by: next.resyncs - former.resyncs) }
        if next.consecutiveFailures != former.consecutiveFailures { failures.record(next.consecutiveFailures) }
        if let time = next.lastSuccessAt, time != former.lastSuccessAt {
            lastSuccess.record(Double(time.milliseconds) / 1000)
        }
    }
}

extension RefreshOutcome {
    /// The name in metrics and spans.
    var name: String {
        switch self {
        case .changed: "changed"
        case .staged: "staged"
        case .unchanged: "unchanged"
        case .failed: "failed"
        }
    }
}
