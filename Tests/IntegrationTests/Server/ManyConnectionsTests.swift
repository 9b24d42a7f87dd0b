// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import Foundation
import TestSupport
import Testing

/// A server that is held by more clients than it has use for, and by slow ones.
@Suite(.timeLimit(.minutes(10)))
struct ManyConnectionsTests {
    private static func metric(_ name: String, of server: RunningServer) throws -> Int {
        let text = try server.ask("GET", "/metrics").text
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return line.flatMap { Double($0.dropFirst(name.count + 1)) }.map { Int($0) } ?? 0
    }

    @Test func tenThousandIdleConnectionsHinderNoOne() async throws {
        try await onDedicatedThread {
            let files = livery_raise_file_limit(1 << 16)
            try #require(files >= 10_500, "this needs a hard limit of 10,500 open files (ulimit -Hn)")
            // However long this machine takes to open them all, the first one stays.
            let server = try RunningServer(arguments: ["--log-level", "notice", "--idle-timeout", "600"])
            let request = WireClient.request("GET", "/health")
            let held = try (0..<10_000).map { _ in
                let connection = try WireConnection(port: server.port)
                connection.send(request)
                return connection
            }
            for connection in held { #expect(try connection.response().status == 200) }
            #expect(try Self.metric("livery_connections_open", of: server) > 10_000)

            for connection in held.suffix(100) {
                connection.send(request)
                #expect(try connection.response().status == 200)
            }
            for number in 0..<100 {
                #expect(try server.set("a", "\(number)") == (number == 0 ? 201 : 200))
                #expect(try server.ask("GET", "/v1/default/entries/a").text.contains("\"value\":\(number)"))
            }
            let memory = try server.usage().peakMemory ?? 0
            #expect(memory < 1 << 30, "\(memory >> 20) MiB")
        }
    }

    @Test func connectionsThatAreGoneAreForgotten() async throws {
        try await onDedicatedThread {
            let server = try RunningServer(arguments: ["--max-connections", "500"])
            for _ in 0..<5 {
                var held: [WireConnection] = []
                try eventually("there to be room again", deadline: .seconds(60)) {
                    try Self.metric("livery_connections_open", of: server) <= 1
                }
                for _ in 0..<499 {
                    held.append(try WireConnection(port: server.port))
                    // At once: the server ends a connection that has not asked for anything after a while.
                    held.last?.send(WireClient.request("GET", "/health"))
                }
                for connection in held { #expect(try connection.response().status == 200) }
            }
        }
    }

    @Test func streamsThatNobodyReadsAreDroppedWhileOthersGoOn() async throws {
        let server = try await onDedicatedThread { try RunningServer(arguments: ["--log-level", "notice"]) }
        async let heard = withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<3 {
                group.addTask { try await onDedicatedThread { try Self.hearsTheEnd(of: server) } }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        try await onDedicatedThread {
            let slow = try (0..<20).map { _ in
                let connection = try WireConnection(port: server.port)
                connection.shrinkReceiveBuffer()
                connection.send(WireClient.request("GET", "/v1/default/events"))
                return connection
            }
            try eventually("all streams to be open", deadline: .seconds(60)) {
                try Self.metric("livery_streams_open", of: server) == 23
            }
            // More than the kernel keeps for a stream, until the last slow one has been given up.
            let text = String(repeating: "x", count: 60_000)
            var number = 0
            try eventually("the slow streams to be dropped", deadline: .seconds(150)) {
                number += 1
                _ = try server.set("a", "\"\(number)\(text)\"")
                return try Self.metric("livery_streams_dropped_total", of: server) >= slow.count
            }
            #expect(try Self.metric("livery_streams_open", of: server) == 3)
            #expect(try server.set("end", "true") == 201)
            let memory = try server.usage().peakMemory ?? 0
            #expect(memory < 512 << 20, "\(memory >> 20) MiB")
            withExtendedLifetime(slow) {}
        }
        let listeners = try await heard
        #expect(listeners == 3)
    }

    /// Follows a stream until it tells of the key `end`.
    private static func hearsTheEnd(of server: RunningServer) throws -> Bool {
        let connection = try WireConnection(port: server.port)
        connection.send(WireClient.request("GET", "/v1/default/events"))
        guard try connection.response().status == 200 else { return false }
        while let chunk = try connection.chunk() {
            if chunk.count < 10_000, String(decoding: chunk, as: UTF8.self).contains("\"end\"") { return true }
        }
        return false
    }
}
