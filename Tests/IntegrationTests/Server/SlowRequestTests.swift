// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Requests that come slowly, or not to their end. These tests wait for the server's limits and use no processor.
@Suite(.timeLimit(.minutes(10)))
struct SlowRequestTests {
    @Test func requestsThatTrickleAreCutOff() async throws {
        let server = try await onDedicatedThread { try RunningServer() }
        let put = "PUT /v1/default/entries/a HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json"
        let beginnings = [
            ("GET /v1/default/config HTTP/1.1\r\nHost: localhost\r\nX: ", 30),
            ("GET /", 30),
            ("\(put)\r\nContent-Length: 100000\r\n\r\n", 150),
            ("\(put)\r\nTransfer-Encoding: chunked\r\n\r\n186A0\r\n", 150),
        ]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (beginning, bytes) in beginnings {
                group.addTask {
                    try await onDedicatedThread {
                        let status = try Self.trickle(beginning, bytes: bytes, to: server)
                        #expect(status == 408, "\(beginning)")
                    }
                }
            }
            try await group.waitForAll()
        }
        let status = try await onDedicatedThread { try server.ask("GET", "/v1/default/entries/a").status }
        #expect(status == 404)
    }

    /// Sends a beginning at once and then a byte a second.
    ///
    /// - Returns: the status of the answer that comes before the bytes are over; `nil` if none does.
    private static func trickle(_ beginning: String, bytes: Int, to server: RunningServer) throws -> Int? {
        let connection = try WireConnection(port: server.port)
        connection.send(beginning)
        for _ in 0..<bytes {
            connection.send("G")
            if let answer = try? connection.response(within: 1) { return answer.status }
            if connection.isEnded { return nil }
        }
        return nil
    }

    @Test func anIdleConnectionIsClosedWhenItsTimeIsOver() async throws {
        try await onDedicatedThread {
            let server = try RunningServer(arguments: ["--idle-timeout", "1"])
            let connection = try WireConnection(port: server.port)
            connection.send(WireClient.request("GET", "/health"))
            #expect(try connection.response().status == 200)
            // Less than the 75 s of a server that was not told.
            #expect(connection.rest(within: 40).isEmpty && connection.isEnded)
        }
    }

    @Test func bodiesThatStopAreCutOff() async throws {
        try await onDedicatedThread {
            let server = try RunningServer()
            let begun = try (0..<50).map { _ in try server.beginning() }
            #expect(try server.set("a", "1") == 201)
            for connection in begun { #expect(try connection.response().status == 408) }
            #expect(try server.ask("GET", "/v1/default/entries/late").status == 404)
        }
    }
}
