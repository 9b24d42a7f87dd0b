internal import CoreMetrics
internal import Synchronization

/// A counter.
final class CounterCell: CounterHandler {
    private let count = Atomic<Int64>(0)

    var value: Int64 { count.load(ordering: .relaxed) }

    func increment(by amount: Int64) { count.wrappingAdd(amount, ordering: .relaxed) }

    func reset() { count.store(0, ordering: .relaxed) }
}

/// A gauge.
final class GaugeCell: RecorderHandler {
    private let bits = Atomic<UInt64>(0)

    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }
}

/// A histogram.
final class HistogramCell: RecorderHandler, TimerHandler {
    /// Upper bounds for durations, in seconds: 50 µs to 10 s.
    static let seconds = [
        0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    /// Upper bounds for counts.
    static let counts = [1.0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]

    struct Values {
        /// One for each bound, and one for values above the last.
        var buckets: [UInt64]
        var sum = 0.0
    }

    let bounds: [Double]
    private let values: Mutex<Values>

    init(bounds: [Double]) {
        self.bounds = bounds
        values = Mutex(Values(buckets: Array(repeating: 0, count: bounds.count + 1)))
    }

    var snapshot: Values { values.withLock { $0 } }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        let index = bounds.firstIndex { value <= $0 } ?? bounds.count
        values.withLock { values in
            values.buckets[index] += 1
            values.sum += value
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
}
