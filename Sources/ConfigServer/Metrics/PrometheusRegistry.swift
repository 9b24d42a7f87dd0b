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

    func histogram(_ label: String, _ dimensions: [(String, String)], bounds: [Double]) -> HistogramCell {
        contents.withLock { contents in
            let series = Self.series(label, dimensions)
            let cell = contents.histograms[series] ?? HistogramCell(bounds: bounds)
            contents.histograms[series] = cell
            return cell
        }
    }
}

extension PrometheusRegistry: MetricsFactory {
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        contents.withLock { contents in
            let series = Self.series(label, dimensions)
            let cell = contents.counters[series] ?? CounterCell()
            contents.counters[series] = cell
            return cell
        }
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        if aggregate {
            return histogram(label, dimensions, bounds: HistogramCell.counts)
        }
        return contents.withLock { contents in
            let series = Self.series(label, dimensions)
            let cell = contents.gauges[series] ?? GaugeCell()
            contents.gauges[series] = cell
            return cell
        }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogram(label, dimensions, bounds: HistogramCell.seconds)
    }

    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}
}
