internal import Synchronization

extension PrometheusRegistry {
    /// Everything in Prometheus's text format, version 0.0.4, sorted.
    ///
    /// - Parameter gauges: values that are measured at this moment, by name.
    package func text(gauges: [(name: String, value: Double)] = []) -> String {
        let contents = contents.withLock { $0 }
        var families: [String: (kind: String, lines: [String])] = [:]
        for (series, cell) in contents.counters {
            families[series.family, default: ("counter", [])].lines.append("\(Self.named(series)) \(cell.value)")
        }
        for (series, cell) in contents.gauges {
            families[series.family, default: ("gauge", [])].lines.append(
                "\(Self.named(series)) \(Self.number(cell.value))"
            )
        }
        for (series, cell) in contents.histograms {
            families[series.family, default: ("histogram", [])].lines += Self.lines(series, cell)
        }
        for gauge in gauges {
            families[gauge.name, default: ("gauge", [])].lines.append("\(gauge.name) \(Self.number(gauge.value))")
        }
        return families.sorted { $0.key < $1.key }.map { name, family in
            let lines = family.kind == "histogram" ? family.lines : family.lines.sorted()
            let help = MetricHelp.texts[name].map { "# HELP \(name) \($0)\n" } ?? ""
            return help + "# TYPE \(name) \(family.kind)\n" + lines.joined(separator: "\n") + "\n"
        }.joined()
    }

    private static func named(_ series: Series, suffix: String = "", _ label: String? = nil) -> String {
        let labels = [series.labels, label ?? ""].filter { !$0.isEmpty }.joined(separator: ",")
        return series.family + suffix + (labels.isEmpty ? "" : "{\(labels)}")
    }

    private static func lines(_ series: Series, _ cell: HistogramCell) -> [String] {
        let values = cell.snapshot
        var total: UInt64 = 0
        var lines: [String] = []
        for (index, count) in values.buckets.enumerated() {
            total += count
            let bound = index < cell.bounds.count ? number(cell.bounds[index]) : "+Inf"
            lines.append("\(named(series, suffix: "_bucket", "le=\"\(bound)\"")) \(total)")
        }
        lines.append("\(named(series, suffix: "_sum")) \(number(values.sum))")
        lines.append("\(named(series, suffix: "_count")) \(total)")
        return lines
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }
}

/// The help texts of the server's metrics. `Documentation/Server.md` has the same list.
enum MetricHelp {
    /// The texts by name.
    static let texts: [String: String] = [
        "livery_commit_batch_size": "Writes that shared one fsync.",
        "livery_commit_duration_seconds": "How long the store took for a batch of writes.",
        "livery_commit_failures_total": "Batches of writes that the store refused.",
        "livery_commits_total": "Writes that the store was asked for.",
        "livery_connections_open": "Connections that are open.",
        "livery_http_request_duration_seconds": "How long answers took.",
        "livery_http_requests_total": "Requests by route and status.",
        "livery_revision": "The revision that the store is at.",
        "livery_streams_dropped_total": "Streams that were ended because their client took nothing.",
        "livery_streams_open": "Streams that are open.",
        "process_resident_memory_bytes": "Memory that the process takes.",
    ]
}
