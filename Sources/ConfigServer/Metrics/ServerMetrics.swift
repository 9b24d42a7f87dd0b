internal import CoreMetrics
internal import Synchronization

/// What the server itself counts. Its handles are made once; counting costs an addition.
final class ServerMetrics: Sendable {
    private struct Key: Hashable {
        var route: String
        var status: UInt
    }

    private let factory: any MetricsFactory
    private let requests = Mutex<[Key: any CounterHandler]>([:])
    private let latencies: any TimerHandler
    private let dropped: any CounterHandler
    /// How many streams are open.
    let streams = Atomic<Int>(0)
    /// How many connections are open.
    let connections = Atomic<Int>(0)

    init(factory: any MetricsFactory) {
        self.factory = factory
        latencies = factory.makeTimer(label: "livery_http_request_duration_seconds", dimensions: [])
        dropped = factory.makeCounter(label: "livery_streams_dropped_total", dimensions: [])
    }

    /// The counter of a route's answers with a status.
    func counter(route: String, status: UInt) -> any CounterHandler {
        let key = Key(route: route, status: status)
        return requests.withLock { requests in
            if let counter = requests[key] { return counter }
            let counter = factory.makeCounter(
                label: "livery_http_requests_total",
                dimensions: [("route", route), ("status", String(status))]
            )
            requests[key] = counter
            return counter
        }
    }

    /// A request has been answered.
    func answered(route: String, status: UInt, nanoseconds: Int64) {
        counter(route: route, status: status).increment(by: 1)
        latencies.recordNanoseconds(nanoseconds)
    }

    /// A client that was too slow has been dropped.
    func droppedStream() { dropped.increment(by: 1) }
}
