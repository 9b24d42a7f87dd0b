// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import ConfigWire
import TestSupport
import Testing

@testable import ConfigServer

@Suite(.timeLimit(.minutes(5)))
struct StreamTests {
    /// Reads chunks until a number of events has arrived; heartbeats are skipped by default.
    private static func events(
        _ connection: WireConnection,
        _ count: Int,
        heartbeats: Bool = false
    ) throws -> [StreamEvent] {
        var events: [StreamEvent] = []
        while events.count < count {
            guard let chunk = try connection.chunk() else { break }
            for block in String(decoding: chunk, as: UTF8.self).split(separator: "\n\n") {
                let lines = block.split(separator: "\n")
                guard let name = lines.first(where: { $0.hasPrefix("event: ") })?.dropFirst(7),
                    let data = lines.first(where: { $0.hasPrefix("data: ") })?.dropFirst(6),
                    let event = try StreamEvent(name: String(name), data: Array(data.utf8))
                else { continue }
                if name != "head" || heartbeats { events.append(event) }
            }
        }
        return events
    }

    private static func open(
        _ client: WireClient,
        _ fields: [String] = [],
        query: String = ""
    ) throws -> WireConnection {
        let connection = try client.connection()
        connection.send(WireClient.request("GET", "/v1/default/events" + query, fields))
        let head = try connection.response()
        #expect(head.status == 200 && head["content-type"]?.hasPrefix("text/event-stream") == true)
        return connection
    }

    private static func put(_ client: WireClient, _ value: Int) throws {
        _ = try client.ask("PUT", "/v1/default/entries/a", body: "{\"value\":\(value)}")
    }

    @Test func aStreamStartsWithHelloThenChanges() async throws {
        try await TestServer().script { client, server in
            let state = try #require(server.hub.state(of: "default"))
            let stream = try Self.open(client)
            #expect(try Self.events(stream, 1) == [.hello(state.cursor, state.digest)])
            for value in 1...3 { try Self.put(client, value) }
            var (position, digest) = (UInt64(0), ConfigDigest())
            while position < 3 {
                guard case .change(let change, _)? = try Self.events(stream, 1).first else { break }
                #expect(change.from == position)
                (position, digest) = (change.to, change.digest)
            }
            #expect(position == 3)
            #expect(digest == ConfigDigest([(key: "a", value: .integer(3))]))
        }
    }

    /// Both the changes that a stream begins with and the changes that come while it is open.
    @Test func aStreamHasTheSchemasThatItRequests() async throws {
        try await TestServer().script { client, server in
            let epoch = try #require(server.hub.head?.epoch)
            let path = "/v1/default/schemas/a"
            func change(_ connection: WireConnection) throws -> Changeset? {
                guard case .change(let change, _)? = try Self.events(connection, 1).first else { return nil }
                return change
            }
            _ = try client.ask("PUT", path, body: #"{"schema":{"type":"integer"}}"#)
            let start = ["Last-Event-ID: \(RevisionCursor(epoch: epoch, revision: 0))"]
            let plain = try Self.open(client, start, query: "?schemas=false")
            let checking = try Self.open(client, start, query: "?schemas=true")
            let none = ConfigDigest()
            #expect(try Self.events(plain, 1) == [.hello(RevisionCursor(epoch: epoch, revision: 0), none)])
            #expect(
                try Self.events(checking, 1) == [
                    .hello(RevisionCursor(epoch: epoch, revision: 0), none, schemas: none)
                ]
            )
            let first = try #require(try change(checking))
            #expect(first.schemas == EntryChanges(upserts: ["a": ["type": "integer"]]))
            #expect(first.schemaDigest == ConfigDigest([(key: "a", value: ["type": "integer"] as EntryValue)]))
            #expect(try change(plain)?.schemas.isEmpty == true)
            try Self.put(client, 1)
            _ = try client.ask("DELETE", path)
            #expect(try change(checking)?.values == EntryChanges(upserts: ["a": 1]))
            #expect(try change(checking)?.schemas == EntryChanges(deletes: ["a"]))
            for _ in 0..<2 { #expect(try change(plain)?.schemas.isEmpty == true) }
            #expect(try client.ask("GET", "/v1/default/events?schemas=yes").status == 400)
        }
    }

    @Test func aStreamResumesOrResets() async throws {
        try await TestServer().script { client, server in
            let epoch = try #require(server.hub.head?.epoch)
            for value in 1...3 { try Self.put(client, value) }
            let first = try Self.open(client, ["Last-Event-ID: \(RevisionCursor(epoch: epoch, revision: 1))"])
            let events = try Self.events(first, 3)
            #expect(events.map(\.name) == ["hello", "change", "change"])
            #expect(events.first?.cursor.revision == 1 && events.last?.cursor.revision == 3)
            for last in ["\(Epoch(rawValue: ~epoch.rawValue)):1", "\(epoch):9", "nonsense"] {
                let stream = try Self.open(client, ["Last-Event-ID: \(last)"])
                let events = try Self.events(stream, 2)
                #expect(events.map(\.name) == ["hello", "reset"] && events[1].cursor.revision == 3, "\(last)")
            }
        }
    }

    @Test func aStreamSendsHeartbeats() async throws {
        var settings = ServerSettings()
        settings.limits.heartbeatSeconds = 1
        try await TestServer(settings: settings).script { client in
            let stream = try Self.open(client)
            #expect(try Self.events(stream, 3, heartbeats: true).map(\.name) == ["hello", "head", "head"])
        }
    }

    /// Proxies such as nginx use HTTP/1.0 by default, which has no chunks.
    @Test(arguments: ["/v1/default/events", "/ns/default/ofrep/v1/events"])
    func http10StreamsEndWithTheConnection(target: String) async throws {
        try await TestServer().script { client in
            let stream = try client.connection()
            stream.send("GET \(target) HTTP/1.0\r\n\r\n")
            let head = try stream.response()
            #expect(head.status == 200 && head["connection"] == "close" && head["transfer-encoding"] == nil)
            var heard: [UInt8] = []
            func hear(until text: String) throws {
                while heard.firstRange(of: Array(text.utf8)) == nil { heard += try #require(try stream.bytes()) }
            }
            try hear(until: "\n\n")
            #expect(heard.starts(with: "retry: 1000\nevent: ".utf8))
            // More than is copied into one chunk.
            let members = (0..<5).map { "\"k\($0)\":\"\(String(repeating: "x", count: 60_000))\"" }
            let body = "{\"set\":{\(members.joined(separator: ","))}}"
            #expect(try client.ask("PATCH", "/v1/default/entries", body: body).status == 200)
            try hear(until: ":1\ndata: ")
            stream.endSending()
            heard += stream.rest()
            #expect(stream.isEnded && heard.suffix(2).elementsEqual("\n\n".utf8))
            #expect(!heard.contains(UInt8(ascii: "\r")))
        }
    }

    @Test func aTokenRevokedDuringTheBodyPreventsTheWrite() async throws {
        let (old, new) = (
            AccessToken.random(name: "old", role: .write, namespaces: nil),
            AccessToken.random(name: "new", role: .write, namespaces: nil)
        )
        try await TestServer(tokens: [old.token]).run { server in
            let connection = try await server.script { client in
                let connection = try client.connection()
                connection.send(
                    "PUT /v1/default/entries/a HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Authorization: Bearer \(old.text)\r\nExpect: 100-continue\r\nContent-Length: 11\r\n\r\n"
                )
                #expect(try connection.response(hasBody: false).status == 100)
                return Unchecked(connection)
            }
            _ = try await server.policy.replace(with: TokenTable(checked: [new.token]))
            let answer = try await server.script { _ in
                connection.value.send(#"{"value":1}"#)
                return try connection.value.response()
            }
            #expect(answer.status == 401)
            #expect(server.hub.head?.revision == 0)
        }
    }
}
