// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Metrics
internal import NIOCore
internal import Synchronization

/// The metrics of requests, streams and connections. Handles are made once; counting costs an addition.
final class ServerMetrics: Sendable {
    private struct Key: Hashable {
        var route: String
        var status: UInt
    }

    private let factory: any MetricsFactory
    private let requests = Mutex<[Key: Counter]>([:])
    private let latencies: Metrics.Timer
    private let dropped: Counter
    private let refusedTokens: [Int: Counter]
    /// The start time of the server, in seconds since 1970.
    let startTime = Date().timeIntervalSince1970
    let streams = Atomic<Int>(0)
    let connections = Atomic<Int>(0)
    /// The number of requests that were answered on all connections.
    let answerCount = Atomic<Int>(0)

    init(factory: any MetricsFactory) {
        self.factory = factory
        latencies = Metrics.Timer(label: "livery_http_request_duration_seconds", factory: factory)
        dropped = Counter(label: "livery_streams_dropped_total", factory: factory)
        // From the start, so that the first one is an increase.
        refusedTokens = [401, 403, 429].reduce(into: [:]) { counters, status in
            let dimensions = [("status", "\(status)")]
            counters[status] = Counter(label: "livery_tokens_refused_total", dimensions: dimensions, factory: factory)
        }
    }

    /// The counter of a route's answers with a status.
    func counter(route: String, status: UInt) -> Counter {
        let key = Key(route: route, status: status)
        return requests.withLock { requests in
            if let counter = requests[key] { return counter }
            let counter = Counter(
                label: "livery_http_requests_total",
                dimensions: [("route", route), ("status", String(status))],
                factory: factory
            )
            requests[key] = counter
            return counter
        }
    }

    /// Counts one more answer.
    func answered(_ counter: Counter, in time: TimeAmount) {
        counter.increment()
        latencies.recordNanoseconds(time.nanoseconds)
    }

    func answered(route: String, status: UInt, in time: TimeAmount = .zero) {
        answered(counter(route: route, status: status), in: time)
    }

    func droppedStream() { dropped.increment() }

    /// - Parameter status: that of the answer: 401, 403 or 429.
    func refusedToken(_ status: Int) { refusedTokens[status]?.increment() }
}
