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
    private let requests = Mutex<[Key: Answers]>([:])
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

    /// The answers of a route with a status.
    final class Answers: Sendable {
        private let count: Counter
        private let latencies: Metrics.Timer

        fileprivate init(count: Counter, latencies: Metrics.Timer) {
            (self.count, self.latencies) = (count, latencies)
        }

        /// Counts one more.
        func add(in time: TimeAmount) {
            count.increment()
            latencies.recordNanoseconds(time.nanoseconds)
        }
    }

    func answers(route: String, status: UInt) -> Answers {
        let key = Key(route: route, status: status)
        return requests.withLock { requests in
            if let answers = requests[key] { return answers }
            let count = Counter(
                label: "livery_http_requests_total",
                dimensions: [("route", route), ("status", String(status))],
                factory: factory
            )
            let answers = Answers(count: count, latencies: latencies)
            requests[key] = answers
            return answers
        }
    }

    func answered(route: String, status: UInt, in time: TimeAmount = .zero) {
        answers(route: route, status: status).add(in: time)
    }

    func droppedStream() { dropped.increment() }

    /// - Parameter status: that of the answer: 401, 403 or 429.
    func refusedToken(_ status: Int) { refusedTokens[status]?.increment() }
}
