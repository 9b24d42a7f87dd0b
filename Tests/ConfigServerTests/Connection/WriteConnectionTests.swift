// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import ConfigStore
import ConfigWire
import HashTreeCollections
import HubTestSupport
import Synchronization
import TestSupport
import Testing

@testable import ConfigServer

/// Writes on a connection while the store commits: here it commits when the test lets it.
@Suite(.timeLimit(.minutes(5)))
struct WriteConnectionTests {
    private static let target = "/v1/default/entries/a"

    private static func put(_ value: Int, _ fields: String..., target: String = target) -> String {
        WireClient.request("PUT", target, fields, body: #"{"value":\#(value)}"#)
    }

    private static func wait(for count: Int, in store: FaultyStore) throws {
        try until("the commits") { store.taken >= count }
    }

    @Test func pipelinedAnswersWaitForTheCommitBeforeThem() async throws {
        let store = FaultyStore()
        try await TestServer(store: store).script { client in
            store.hold()
            let connection = try client.connection()
            connection.send(Self.put(1) + RawExchange.config + Self.put(2) + WireClient.request("GET", Self.target))
            try Self.wait(for: 1, in: store)
            #expect(connection.isQuiet(for: 0.2) && store.taken == 1)
            store.letGo()
            #expect(try connection.response().status == 201)
            #expect(try connection.response().text.contains(#""a":1"#))
            #expect(try connection.response().status == 200)
            #expect(try connection.response().text.contains(#""value":2"#))
        }
    }

    /// Writes of others that are committed with it, before its answer, are not in the answer.
    @Test func unchangedWriteReturnsExistingEntry() async throws {
        let store = FaultyStore()
        try await TestServer(store: store).script { client, server in
            let epoch = try #require(server.hub.head?.epoch)
            store.state.withLock { $0.heldCommit = 2 }
            #expect(try client.ask("PUT", Self.target, body: #"{"value":1}"#).status == 201)
            let first = try client.connection()
            first.send(Self.put(0, target: "/v1/default/entries/first"))
            try Self.wait(for: 2, in: store)
            func patch(_ body: String) -> String {
                WireClient.request("PATCH", "/v1/default/entries", body: body)
            }
            let batch: [(request: String, status: Int, revision: Int)] = [
                (Self.put(1), 200, 2), (patch(#"{"set":{"a":1},"unset":["b"]}"#), 200, 2),
                (WireClient.request("DELETE", "/v1/default/entries/b"), 404, 2), (Self.put(2), 200, 3),
                (Self.put(2), 200, 3), (WireClient.request("DELETE", Self.target), 204, 4),
                (WireClient.request("DELETE", Self.target), 404, 4), (patch(#"{"unset":["a"]}"#), 200, 4),
                (Self.put(3), 201, 5),
            ]
            let connections = try batch.enumerated().map { number, item in
                let connection = try client.connection()
                connection.send(item.request)
                try until("its turn") { server.hub.waitingPublishes == number + 1 }
                return connection
            }
            store.letGo()
            let answers = try connections.map { try $0.response() }
            for (item, answer) in zip(batch, answers) {
                #expect(answer.status == item.status, "\(item)")
                if item.status == 404 {
                    #expect(try ProblemDetails(json: answer.body).revision == UInt64(item.revision), "\(item)")
                } else {
                    #expect(answer["livery-revision"] == "\(epoch):\(item.revision)", "\(item)")
                }
            }
            for (number, value, revision) in [(0, 1, 1), (4, 2, 3)] {
                #expect(answers[number].text.contains(#""value":\#(value)"#))
                #expect(answers[number]["etag"]?.hasPrefix("\"\(epoch):\(revision)-") == true)
            }
            #expect(store.state.withLock { $0.batches } == [1, 1, 9])
        }
    }

    @Test func writeIsMadeAfterADisconnect() async throws {
        let store = FaultyStore()
        try await TestServer(store: store).script { client, server in
            store.hold()
            var connection: WireConnection? = try client.connection()
            connection?.send(Self.put(1))
            try Self.wait(for: 1, in: store)
            connection = nil
            // The next request on the loop is answered.
            #expect(try client.ask("GET", "/v1/default/config").status == 200)
            store.letGo()
            try until("the value") {
                server.hub.state(of: "default")?.entries["a"]?.value == .integer(1)
            }
            #expect(try client.ask("GET", Self.target).status == 200)
        }
    }

    @Test func aShutdownWaitsForTheCommitAndTheBody() async throws {
        let store = FaultyStore()
        try await TestServer(store: store).run { server in
            store.hold()
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            async let ended: Void = server.script { client in
                let (committing, sending) = (try client.connection(), try client.connection())
                committing.send(Self.put(1) + Self.put(2))
                sending.send(String(Self.put(3, target: "/v1/default/entries/b").dropLast()))
                try Self.wait(for: 1, in: store)
                // Long enough for the head to be read.
                #expect(sending.isQuiet(for: 0.2))
                begin.yield()
                try until("the shutdown") { (try? client.connection()) == nil }
                #expect(committing.isQuiet(for: 0.2))
                sending.send("}")
                store.letGo()
                #expect(try committing.response().status == 201)
                // No other request begins.
                #expect(committing.rest().isEmpty)
                #expect(try sending.response().status == 201)
            }
            var iterator = begun.makeAsyncIterator()
            await iterator.next()
            await server.shutDown()
            try await ended
        }
    }
}
