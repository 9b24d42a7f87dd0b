// SPDX-License-Identifier: Apache-2.0

public import CoreMetrics
internal import Synchronization

/// The metrics of a program for `GET /metrics`: a factory for swift-metrics.
///
/// A label becomes the name of a family, its dimensions the labels of a series. Timers are in seconds. If a program bootstraps
/// swift-metrics with the registry that it passes to the server, `GET /metrics` also has its own metrics, and those of the
/// store and the hub.
public final class PrometheusRegistry: Sendable {
    /// The cells by the name of their family and by their labels.
    private let families = Mutex<[String: [String: any MetricCell]]>([:])

    /// Creates a registry without metrics.
    public init() {}

    private func cell<Cell: MetricCell>(
        _ label: String,
        _ dimensions: [(String, String)],
        _ make: @autoclosure () -> Cell
    ) -> Cell {
        let labels = Self.labels(dimensions)
        return families.withLock { families in
            let cell = families[Self.name(label)]?[labels] as? Cell ?? make()
            families[Self.name(label), default: [:]][labels] = cell
            return cell
        }
    }

    private static func labels(_ dimensions: [(String, String)]) -> String {
        dimensions.map { "\(name($0.0))=\"\(escaped($0.1))\"" }.joined(separator: ",")
    }

    private static func name(_ text: String) -> String {
        String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "_" })
    }

    private static let escapes: [Unicode.Scalar: String] = ["\\": "\\\\", "\"": "\\\"", "\n": "\\n"]

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
    }

    /// A value that is measured when the metrics are read. A name that ends in `_total` is that of a counter.
    package struct Measurement {
        var name: String
        var labels: [(String, String)] = []
        var value: Double
    }

    /// All metrics in Prometheus's text format, version 0.0.4, sorted.
    ///
    /// - Parameter measurements: values of this moment.
    package func text(measurements: [Measurement] = []) -> String {
        var families = families.withLock { $0 }
        for measurement in measurements {
            let cell = GaugeCell()
            cell.record(measurement.value)
            families[measurement.name, default: [:]][Self.labels(measurement.labels)] = cell
        }
        return families.sorted { $0.key < $1.key }.map { name, series in
            let kind = name.hasSuffix("_total") ? "counter" : series.values.first.map { type(of: $0).kind } ?? "untyped"
            let lines = series.sorted { $0.key < $1.key }.flatMap { labels, cell in
                cell.samples.map { sample in
                    let labels = [labels, sample.label].filter { !$0.isEmpty }.joined(separator: ",")
                    return name + sample.suffix + (labels.isEmpty ? "" : "{\(labels)}") + " \(sample.value)\n"
                }
            }
            let help = Self.help[name].map { "# HELP \(name) \($0)\n" } ?? ""
            return help + "# TYPE \(name) \(kind)\n" + lines.joined()
        }.joined()
    }
}

extension PrometheusRegistry: MetricsFactory {
    /// A counter of a family and its labels, the same for the same ones.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        cell(label, dimensions, CounterCell())
    }

    /// A histogram of counts, or a gauge if it does not aggregate.
    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        if aggregate { return cell(label, dimensions, HistogramCell(bounds: HistogramCell.counts)) }
        return cell(label, dimensions, GaugeCell())
    }

    /// A histogram of seconds.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        cell(label, dimensions, HistogramCell(bounds: HistogramCell.seconds))
    }

    /// Does nothing: a family stays.
    public func destroyCounter(_ handler: any CounterHandler) {}
    /// Does nothing: a family stays.
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Does nothing: a family stays.
    public func destroyTimer(_ handler: any TimerHandler) {}
}

/// A line of a series: what follows the name of the family, one more label, and the value.
private typealias Sample = (suffix: String, label: String, value: String)

private protocol MetricCell: AnyObject, Sendable {
    static var kind: String { get }
    var samples: [Sample] { get }
}

private final class CounterCell: MetricCell, CounterHandler {
    static let kind = "counter"
    private let count = Atomic<Int64>(0)

    var samples: [Sample] { [("", "", "\(count.load(ordering: .relaxed))")] }
    func increment(by amount: Int64) { count.wrappingAdd(amount, ordering: .relaxed) }
    func reset() { count.store(0, ordering: .relaxed) }
}

private final class GaugeCell: MetricCell, RecorderHandler {
    static let kind = "gauge"
    private let bits = Atomic<UInt64>(0)

    var samples: [Sample] { [("", "", Double(bitPattern: bits.load(ordering: .relaxed)).sampleText)] }
    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }
}

private final class HistogramCell: MetricCell, RecorderHandler, TimerHandler {
    static let kind = "histogram"
    /// Upper bounds for durations, in seconds: 50 µs to 10 s.
    static let seconds = [
        0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    static let counts = [1.0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]

    private let bounds: [Double]
    /// The number of values in each bucket, the last for values above all bounds, and their sum.
    private let values: Mutex<(buckets: [UInt64], sum: Double)>

    init(bounds: [Double]) {
        self.bounds = bounds
        values = Mutex((Array(repeating: 0, count: bounds.count + 1), 0))
    }

    var samples: [Sample] {
        let values = values.withLock { $0 }
        var total: UInt64 = 0
        let buckets = zip(bounds.map(\.sampleText) + ["+Inf"], values.buckets).map { bound, count -> Sample in
            total += count
            return ("_bucket", "le=\"\(bound)\"", "\(total)")
        }
        return buckets + [("_sum", "", values.sum.sampleText), ("_count", "", "\(total)")]
    }

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

extension Double {
    fileprivate var sampleText: String {
        self == rounded() && abs(self) < 1e15 ? String(Int64(self)) : String(self)
    }
}
