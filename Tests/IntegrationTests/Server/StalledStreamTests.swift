// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Streams that start far back and are not read.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct StalledStreamTests {
    @Test func sixtyStalledStreamsCostLittleAndAreDropped() throws {
        let server = try RunningServer()
        let text = String(repeating: "x", count: 60_000)
        for number in 0..<20 {
            let members = (0..<6).map { "\"\(number).\($0)\":\"\(text)\"" }.joined(separator: ",")
            #expect(try server.ask("PATCH", "/v1/default/entries", body: "{\"set\":{\(members)}}").status == 200)
        }
        let snapshot = try server.ask("GET", "/v1/default/config")
        let epoch = try #require(snapshot["etag"]?.dropFirst().prefix { $0 != ":" })
        let before = try #require(try server.usage().peakMemory)
        let streams = try (0..<60).map { _ in
            let connection = try WireConnection(port: server.port)
            connection.shrinkReceiveBuffer()
            connection.send(WireClient.request("GET", "/v1/default/events", ["Last-Event-ID: \(epoch):0"]))
            return connection
        }
        // Each has 7 MB to receive.
        for stream in streams { #expect(stream.isReset(within: 90)) }
        let grown = try #require(try server.usage().peakMemory) - before
        #expect(grown < 32 << 20, "\(grown >> 20) MiB")
        // A client may see the end of its stream a moment before the server has counted it.
        try until("all to be counted as dropped") {
            let metrics = try server.ask("GET", "/metrics").text
            return metrics.contains("livery_streams_dropped_total 60") && metrics.contains("livery_streams_open 0")
        }
        try server.waitForOutput("received no data for 30 s")
    }
}
