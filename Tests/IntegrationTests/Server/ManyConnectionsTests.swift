// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import Foundation
import TestSupport
import Testing

/// A server with more connections than its limit, and with slow clients.
@Suite(.dedicatedThread, .timeLimit(.minutes(10)))
struct ManyConnectionsTests {
    private static func metric(_ name: String, of server: RunningServer) throws -> Int {
        let text = try server.ask("GET", "/metrics").text
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return line.flatMap { Double($0.dropFirst(name.count + 1)) }.map { Int($0) } ?? 0
    }

    @Test func thousandsOfIdleConnectionsHinderNoOne() throws {
        let files = livery_raise_file_limit(1 << 14)
        try #require(files >= 2500, "this needs a hard limit of 2,500 open files (ulimit -Hn)")
        // However long this machine takes to open them all, the first one stays.
        let server = try RunningServer(arguments: ["--log-level", "notice", "--idle-timeout", "600"])
        let request = WireClient.request("GET", "/health")
        let held = try (0..<2000).map { _ in
            let connection = try WireConnection(port: server.port)
            connection.send(request)
            return connection
        }
        for connection in held { #expect(try connection.response().status == 200) }
        #expect(try Self.metric("livery_connections_open", of: server) > 2000)

        for connection in held.suffix(100) {
            connection.send(request)
            #expect(try connection.response().status == 200)
        }
        for number in 0..<100 {
            #expect(try server.set("a", "\(number)") == (number == 0 ? 201 : 200))
            #expect(try server.ask("GET", "/v1/default/entries/a").text.contains("\"value\":\(number)"))
        }
        let memory = try server.usage().peakMemory ?? 0
        #expect(memory < (1 << 30) / 5, "\(memory >> 20) MiB")
    }
}
