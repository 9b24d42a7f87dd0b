// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Monitoring of a server, and its description in the documentation.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct OperationsTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: sourceFile(path), encoding: .utf8)
    }

    /// The names and kinds in the table of the documentation.
    private static func documented() throws -> [String: String] {
        let rows = try text("Documentation/Server.md").matches(of: /\| `([a-z_]+)` \| (counter|gauge|histogram) \|/)
        return Dictionary(rows.map { (String($0.1), String($0.2)) }) { $1 }
    }

    /// The names and kinds of an answer of `/metrics`.
    private static func families(_ text: String) -> [String: String] {
        Dictionary(text.matches(of: /# TYPE ([^ ]+) ([a-z]+)\n/).map { (String($0.1), String($0.2)) }) { $1 }
    }

    @Test func metricsMatchTheDocumentationAndCountEvents() throws {
        let begin = Date().timeIntervalSince1970
        let server = try RunningServer()
        #expect(try server.set("a", "1") == 201)
        #expect(try server.set("a", "2") == 200)
        #expect(try server.ask("GET", "/v1/default/config").status == 200)
        let stream = try WireConnection(port: server.port)
        stream.send(WireClient.request("GET", "/v1/default/events"))
        _ = try stream.response()
        _ = try stream.chunk()
        let answer = try server.ask("GET", "/metrics")
        #expect(answer["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        let text = answer.text
        // SQLite has no such tasks, and no namespace has drafts.
        let absent = ["livery_upkeep_failures_total", "livery_drafts"]
        let documented = try Self.documented().filter { !absent.contains($0.key) }
        #expect(Self.families(text) == documented)
        for name in documented.keys {
            #expect(name.hasPrefix("livery_") || name.hasPrefix("process_"))
            #expect(name.hasSuffix("_total") == (documented[name] == "counter"))
            #expect(text.contains("# HELP \(name) "))
        }
        for line in [
            "livery_revision 2", "livery_streams_open 1", "livery_commits_total 2", "livery_commit_failures_total 0",
            "livery_commit_duration_seconds_count 2", "livery_commit_duration_seconds_bucket{le=\"+Inf\"} 2",
            "livery_http_requests_total{route=\"PUT /v1/{ns}/entries/{key}\",status=\"201\"} 1",
            "livery_http_requests_total{route=\"PUT /v1/{ns}/entries/{key}\",status=\"200\"} 1",
            "livery_http_requests_total{route=\"GET /v1/{ns}/config\",status=\"200\"} 1",
            "livery_build_info{version=\"\(try Self.version())\"} 1", "livery_ready 1", "livery_store_lag_revisions 0",
            "livery_namespace_keys{namespace=\"default\"} 1", "livery_namespaces 1",
            "livery_backup_last_success_timestamp_seconds 0",
        ] {
            #expect(text.split(separator: "\n").contains { $0 == line }, "\(line)")
        }
        func value(_ name: String, in text: String) -> Double {
            text.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
                .flatMap { Double($0.dropFirst(name.count + 1)) } ?? -1
        }
        #expect(value("process_resident_memory_bytes", in: text) > 1_000_000)
        #expect(value("process_cpu_seconds_total", in: text) > 0)
        #expect(value("process_open_fds", in: text) > 10)
        #expect(value("process_open_fds", in: text) < value("process_max_fds", in: text))
        let start = value("process_start_time_seconds", in: text)
        #expect(start > begin - 1 && start <= Date().timeIntervalSince1970)
        let backup = ["backup", server.folder["copy"], "--store", server.folder["livery.sqlite"]]
        #expect(try liveryServer(backup).status == .exited(0))
        let second = try server.ask("GET", "/metrics").text
        #expect(value("livery_backup_last_success_timestamp_seconds", in: second) > begin - 1)
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let series = /[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+/
            #expect(line.wholeMatch(of: series) != nil, "\(line)")
        }
    }

    /// The output of `livery-server --version`.
    private static func version() throws -> String {
        try liveryServer(["--version"]).standardOutput.trimmingCharacters(in: .newlines)
    }

    @Test func quotasComeFromFlagsOrVariables() throws {
        let server = try RunningServer(
            arguments: ["--max-namespace-size", "1KiB", "--max-keys", "2"],
            environment: ["LIVERY_MAX_NAMESPACES": "1"]
        )
        #expect(try server.set("a", "1") == 201)
        #expect(try server.ask("GET", "/v1/default/config")["livery-max-size"] == "2048")
        let text = String(repeating: "x", count: 1024)
        for (target, body, flag) in [
            ("default", "{\"set\":{\"b\":\"\(text)\"}}", "limit 1024"),
            ("default", #"{"set":{"b":1,"c":1}}"#, "limit 2"),
            ("other", #"{"set":{"a":1}}"#, "quota is 1"),
        ] {
            let answer = try server.ask("PATCH", "/v1/\(target)/entries", body: body)
            #expect(answer.status == 507 && answer.text.contains(flag), "\(answer.text)")
        }
        #expect(try server.ask("GET", "/v1/default/config").text.contains("{\"a\":1}"))
        for size in ["0", "1x", "-1", "1.5MiB", "2GiB", "99999999999999999999"] {
            let output = try liveryServer(["--max-namespace-size", size])
            #expect(output.status == .exited(64), "\(size): \(output.standardError)")
        }
    }

    @Test func packagedFilesNameExistingVariables() throws {
        let help = try liveryServer(["serve", "--help"]).standardOutput
        let pages = ["Documentation/Server.md", "Sources/ConfigServer/ConfigServer.docc/TheServer.md"]
        let files = ["livery-server.service", "debian/livery-server.default", "Dockerfile"].map { "Packaging/\($0)" }
        for file in pages + files {
            for match in try Self.text(file).matches(of: /LIVERY_([A-Z_]+)/) {
                let flag = "--" + match.1.lowercased().replacing("_", with: "-")
                // Secrets are not flags, since lists of processes show those.
                #expect(help.contains("\(flag) <") || help.contains(match.0), "\(file): \(match.0)")
            }
        }
        for page in pages {
            for flag in try Self.text(page).matches(of: /`(--[a-z-]+)`/) {
                #expect(
                    help.contains("\(flag.1) <")
                        || ["--dry-run", "--namespaces", "--replace", "--subject"].contains(flag.1),
                    "\(flag.1)"
                )
            }
        }
    }
}
