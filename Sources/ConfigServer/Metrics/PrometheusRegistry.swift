package import CoreMetrics
internal import Synchronization

/// The metrics of a program for `GET /metrics`: a factory for swift-metrics.
///
/// A label becomes the name of a family, its dimensions the labels of a series. Timers are in seconds.
package final class PrometheusRegistry: Sendable {
    struct Series: Hashable {
        var family: String
        var labels: String
    }

    struct Contents {
        var counters: [Series: CounterCell] = [:]
        var gauges: [Series: GaugeCell] = [:]
        var histograms: [Series: HistogramCell] = [:]
    }

    let contents = Mutex(Contents())

    package init() {}

    static func series(_ label: String, _ dimensions: [(String, String)]) -> Series {
        let labels = dimensions.map { "\(name($0.0))=\"\(escaped($0.1))\"" }.joined(separator: ",")
        return Series(family: name(label), labels: labels)
    }

    private static func name(_ text: String) -> String {
        String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "_" })
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private func cell<Cell: Sendable>(
        _ cells: WritableKeyPath<Contents, [Series: Cell]>,
        _ label: String,
        _ dimensions: [(String, String)],
        _ make: () -> Cell
    ) -> Cell {
        let series = Self.series(label, dimensions)
        return contents.withLock { contents in
            let cell = contents[keyPath: cells][series] ?? make()
            contents[keyPath: cells][series] = cell
            return cell
        }
    }

    private func histogram(_ label: String, _ dimensions: [(String, String)], _ bounds: [Double]) -> HistogramCell {
        cell(\.histograms, label, dimensions) { HistogramCell(bounds: bounds) }
    }
}

extension PrometheusRegistry: MetricsFactory {
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        cell(\.counters, label, dimensions) { CounterCell() }
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        if aggregate { return histogram(label, dimensions, HistogramCell.counts) }
        return cell(\.gauges, label, dimensions) { GaugeCell() }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogram(label, dimensions, HistogramCell.seconds)
    }

    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}
}
