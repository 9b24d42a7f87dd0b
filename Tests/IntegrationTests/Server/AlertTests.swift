// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The alert rules and the dashboard in `Packaging`.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct AlertTests {
    private struct Dashboard: Decodable {
        struct Panel: Decodable {
            struct Target: Decodable { var expr: String }

            var targets: [Target]
        }

        var panels: [Panel]

        var expressions: [String] { panels.flatMap(\.targets).map(\.expr) }
    }

    private static let rulesPath = sourceFile("Packaging/prometheus-rules.yaml").path

    private static func dashboard() throws -> Dashboard {
        let file = sourceFile("Packaging/grafana-dashboard.json")
        return try JSONDecoder().decode(Dashboard.self, from: Data(contentsOf: file))
    }

    /// Their names without the endings of histograms' series.
    private static func metrics(in text: String) -> Set<String> {
        let names = text.matches(of: /\b(?:livery|process)_[a-z_]+/).map { String($0.0) }
        return Set(names.map { $0.replacing(/_(bucket|sum|count)$/, with: "") })
    }

    @Test func theServerServesTheMetricsOfRulesAndDashboard() throws {
        let server = try RunningServer()
        #expect(try server.set("a", "1") == 201)
        let metrics = try server.ask("GET", "/metrics").text
        let served = Set(metrics.matches(of: /# TYPE ([a-z_]+)/).map { String($0.1) })
        let rules = try String(contentsOfFile: Self.rulesPath, encoding: .utf8)
        let lines = rules.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let named = Self.metrics(in: lines.joined(separator: "\n"))
        // Of stores that have such tasks, and of namespaces with drafts.
        let others: Set = ["livery_upkeep_failures_total", "livery_drafts"]
        #expect(named.count > 15 && named.subtracting(served).subtracting(others) == [])
        let shown = Self.metrics(in: try Self.dashboard().expressions.joined(separator: "\n"))
        #expect(shown.count > 15 && shown.subtracting(served) == [])
        try server.folder.write(metrics, to: "metrics")
        let check = Command.shell("promtool check metrics <metrics", workingDirectory: server.folder.path)
        let output = try check.run()
        #expect(output.status.isSuccess, "\(output)")
    }

    @Test func promtoolAcceptsRulesAndPanels() throws {
        let folder = try TemporaryDirectory(prefix: "rules")
        let rules = try Self.dashboard().expressions.enumerated().map { number, expression in
            // Grafana replaces its own variable by a duration.
            let expression = expression.replacing("$__rate_interval", with: "5m")
            return #"{"record": "panel:\#(number)", "expr": \#(try Self.json(expression))}"#
        }
        // YAML contains JSON.
        let file = #"{"groups": [{"name": "panels", "rules": [\#(rules.joined(separator: ",\n"))]}]}"#
        for path in [Self.rulesPath, try folder.write(file, to: "panels.yaml")] {
            let output = try Command("promtool", ["check", "rules", path]).run()
            #expect(output.status.isSuccess, "\(output)")
        }
    }

    @Test func rulesFireOnTheirMetrics() throws {
        let series = try [
            (#"up{job="livery", instance="a"}"#, 0), (#"livery_ready{instance="a"}"#, 0),
            (#"livery_store_lag_revisions{instance="a"}"#, 1),
            (#"livery_backup_last_success_timestamp_seconds{instance="a"}"#, -129_600),
            (#"livery_namespace_keys{instance="a", namespace="shop"}"#, 91),
            (#"livery_namespace_keys{instance="a", namespace="other"}"#, 90),
            (#"livery_namespace_keys_limit{instance="a"}"#, 100),
            (#"livery_connections_open{instance="a"}"#, 91), (#"livery_connections_open{instance="b"}"#, 90),
            (#"livery_connections_limit{instance="a"}"#, 100), (#"livery_connections_limit{instance="b"}"#, 100),
            (#"process_open_fds{job="livery", instance="a"}"#, 81),
            (#"process_max_fds{job="livery", instance="a"}"#, 100),
        ].map { series, value in
            try #"{"series": \#(Self.json(series)), "values": "\#(value)+0x60"}"#
        }
        let expected = try [
            "LiveryDown": 1, "LiveryNotReady": 1, "LiveryStoreLag": 1, "LiveryBackupTooOld": 1, "LiveryQuotaOfKeys": 1,
            "LiveryConnections": 1, "LiveryOpenFiles": 1, "LiveryQuotaOfBytes": 0, "LiveryTokensRefused": 0,
        ].map { name, count in
            let firing = #"count(ALERTS{alertname="\#(name)", alertstate="firing"}) or vector(0)"#
            let samples = #"[{"labels": "{}", "value": \#(count)}]"#
            return try #"{"expr": \#(Self.json(firing)), "eval_time": "30m", "exp_samples": \#(samples)}"#
        }
        let file = """
            rule_files: [\(try Self.json(Self.rulesPath))]
            evaluation_interval: 1m
            tests:
              - interval: 1m
                input_series: [\(series.joined(separator: ", "))]
                promql_expr_test: [\(expected.joined(separator: ", "))]
            """
        let folder = try TemporaryDirectory(prefix: "alerts")
        let output = try Command("promtool", ["test", "rules", folder.write(file, to: "tests.yaml")]).run()
        #expect(output.status.isSuccess, "\(output)")
    }

    private static func json(_ text: String) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return String(decoding: try encoder.encode(text), as: UTF8.self)
    }
}
