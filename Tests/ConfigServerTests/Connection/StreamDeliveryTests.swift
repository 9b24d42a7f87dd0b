// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import NIOCore
import TestSupport
import Testing

@testable import ConfigServer

/// Every byte of the events reaches the client in order, whether the kernel accepts it at once or the channel holds it back.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct StreamDeliveryTests {
    private static var settings: ServerSettings {
        var settings = ServerSettings()
        // Changes only.
        settings.limits.heartbeatSeconds = 1_000_000
        // The client reads only after all publishes of a round, however long these take.
        settings.limits.stalledSeconds = 1_000_000
        return settings
    }

    private static func events(_ request: [String] = []) -> String {
        WireClient.request("GET", "/v1/default/events", request)
    }

    /// Opens a stream, and reads its first event.
    private static func open(_ client: WireClient) throws -> WireConnection {
        let stream = try client.connection()
        stream.shrinkReceiveBuffer(to: 64 << 10)
        stream.send(events())
        #expect(try stream.response().status == 200)
        _ = try stream.chunk()
        return stream
    }

    private static func publish(_ client: WireClient, _ key: String, bytes: Int) throws {
        let value = String(repeating: "x", count: min(bytes, 60_000))
        let members = (0..<max(1, bytes / 60_000)).map { "\"\(key).\($0)\":\"\(value)\"" }
        let body = "{\"set\":{\(members.joined(separator: ","))}}"
        #expect(try client.ask("PATCH", "/v1/default/entries", body: body).status == 200)
    }

    /// Reads as many bytes as there are in the events after a revision, and compares them.
    private static func expectEvents(of hub: NamespaceHub, after revision: UInt64, on stream: WireConnection) throws {
        let state = try #require(hub.state(of: "default"))
        let expected = try #require(state.encodedEvents(after: revision)).events
        var received: [UInt8] = []
        while received.count < expected.readableBytes { received += try #require(try stream.chunk()) }
        #expect(received == Array(expected.readableBytesView), "\(received.count) bytes after \(revision)")
    }

    @Test func aClientThatPausesReceivesEveryByteInOrder() async throws {
        try await TestServer(settings: Self.settings).script { client, server in
            let stream = try Self.open(client)
            var revision: UInt64 = 0
            // By turns, so little that the kernel accepts it and more than that, in one piece and in several.
            let rounds = [
                [1], [240_000], Array(repeating: 240_000, count: 24), [1, 9, 1],
                Array(repeating: 50_000, count: 120), [240_000],
            ]
            for (round, sizes) in rounds.enumerated() {
                for (number, bytes) in sizes.enumerated() {
                    try Self.publish(client, "r\(round).\(number)", bytes: bytes)
                }
                try Self.expectEvents(of: server.hub, after: revision, on: stream)
                revision += UInt64(sizes.count)
            }
        }
    }

    @Test func answersBeforeAStreamComeFirst() async throws {
        try await TestServer(settings: Self.settings).script { client, server in
            // One answer of a route, many from memory, and the stream, all requested at once.
            let connection = try client.connection()
            let config = WireClient.request("GET", "/v1/default/config")
            let route = WireClient.request("GET", "/v1/default/entries")
            connection.send(route + String(repeating: config, count: 50) + Self.events())
            for _ in 0..<51 { #expect(try connection.response()["content-length"] != nil) }
            #expect(try connection.response()["content-type"]?.hasPrefix("text/event-stream") == true)
            _ = try connection.chunk()
            try Self.publish(client, "a", bytes: 1)
            try Self.expectEvents(of: server.hub, after: 0, on: connection)
        }
    }

    @Test(arguments: [
        "GARBAGE\r\n\r\n", "GET /v1/default/config HT", "\0\0\0", "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n",
    ])
    func bytesBehindAStreamAreDiscarded(_ bytes: String) async throws {
        try await TestServer(settings: Self.settings).script { client, server in
            // With the request, and later.
            let stream = try client.connection()
            stream.send(Self.events() + bytes)
            #expect(try stream.response().status == 200)
            _ = try stream.chunk()
            stream.send(bytes)
            try Self.publish(client, "a", bytes: 1)
            try Self.expectEvents(of: server.hub, after: 0, on: stream)
            stream.endSending()
            #expect(try stream.chunk() == nil)
        }
    }

    @Test func aClientThatGoesAwayIsFreed() async throws {
        try await TestServer(settings: Self.settings).run { server in
            try await server.script { client in
                // Some with bytes that they have not read, so that the end is a reset.
                for number in 0..<10 {
                    let stream = try Self.open(client)
                    try Self.publish(client, "k\(number)", bytes: number.isMultiple(of: 2) ? 1 : 240_000)
                    #expect(try stream.peek() != nil)
                }
                let kept = try Self.open(client)
                let revision = try #require(server.hub.head?.revision)
                try Self.publish(client, "last", bytes: 1)
                try Self.expectEvents(of: server.hub, after: revision, on: kept)
            }
            try await until("no stream is left") {
                try await server.script { try $0.ask("GET", "/metrics").text }.contains("livery_streams_open 0")
            }
        }
    }
}
