// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport
import Testing

@testable import ConfigServer

@Suite(.timeLimit(.minutes(5)))
struct StreamTests {
    /// Reads chunks until so many events have come; heartbeats are passed over unless asked for.
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

    private static func open(_ client: WireClient, _ fields: [String] = []) throws -> WireConnection {
        let connection = try client.connection()
        connection.send(WireClient.request("GET", "/v1/default/events", fields))
        let head = try connection.response()
        #expect(head.status == 200 && head["content-type"]?.hasPrefix("text/event-stream") == true)
        return connection
    }

    private static func put(_ client: WireClient, _ value: Int) throws {
        _ = try client.ask("PUT", "/v1/default/entries/a", body: "{\"value\":\(value)}")
    }

    @Test func aStreamStartsWithHelloThenChanges() async throws {
        try await TestServer.run { server in
            let state = try #require(server.hub.state(of: "default"))
            try await server.script { client in
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
    }

    @Test func aStreamResumesOrResets() async throws {
        try await TestServer.run { server in
            let epoch = try #require(server.hub.head?.epoch)
            try await server.script { client in
                for value in 1...3 { try Self.put(client, value) }
                let first = try Self.open(client, ["Last-Event-ID: \(Cursor(epoch: epoch, revision: 1))"])
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
    }

    @Test func aStreamSendsHeartbeats() async throws {
        var settings = ServerSettings()
        settings.limits.heartbeatSeconds = 1
        try await TestServer.run(settings: settings) { server in
            try await server.script { client in
                let stream = try Self.open(client)
                #expect(try Self.events(stream, 3, heartbeats: true).map(\.name) == ["hello", "head", "head"])
            }
        }
    }

    /// Proxies such as nginx speak HTTP/1.0 by default, which has no chunks.
    @Test(arguments: ["/v1/default/events", "/ns/default/ofrep/v1/events"])
    func http10StreamsEndWithTheConnection(target: String) async throws {
        try await TestServer.run { server in
            try await server.script { client in
                let stream = try client.connection()
                stream.send("GET \(target) HTTP/1.0\r\n\r\n")
                let head = try stream.response()
                #expect(head.status == 200 && head["connection"] == "close" && head["transfer-encoding"] == nil)
                var heard: [UInt8] = []
                func hear(until text: String) throws {
                    while heard.firstRange(of: Array(text.utf8)) == nil { heard += try #require(try stream.bytes()) }
                }
                try hear(until: "\n\n")
                #expect(heard.starts(with: "retry: 2000\nevent: ".utf8))
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
    }

    @Test func shutdownEndsStreamsWithALastChunk() async throws {
        try await TestServer.run { server in
            async let ended = server.script { client in
                let stream = try Self.open(client)
                _ = try Self.events(stream, 1)
                while let _ = try stream.chunk() {}
                return true
            }
            try await eventually("the stream is open", deadline: .seconds(60)) {
                try await server.script { try $0.ask("GET", "/metrics").text }.contains("livery_streams_open 1")
            }
            await server.shutDown()
            #expect(try await ended)
        }
    }

    @Test func aStalledClientIsDroppedAndOthersReceiveAll() async throws {
        var settings = ServerSettings()
        settings.limits.stalledSeconds = 1
        try await TestServer.run(settings: settings) { server in
            try await server.script { client in
                let slow = try client.connection()
                slow.shrinkReceiveBuffer()
                slow.send(WireClient.request("GET", "/v1/default/events"))
                let healthy = try Self.open(client)
                let text = String(repeating: "x", count: 60_000)
                var (revision, isDropped) = (UInt64(0), false)
                for number in 0..<400 where !isDropped {
                    _ = try client.ask("PUT", "/v1/default/entries/a", body: "{\"value\":\"\(number)\(text)\"}")
                    while revision < UInt64(number + 1) {
                        revision = try #require(try Self.events(healthy, 1).first).cursor.revision
                    }
                    let metrics = try client.ask("GET", "/metrics").text
                    isDropped = metrics.contains("livery_streams_dropped_total 1")
                }
                let deadline = ContinuousClock.now + .seconds(60)
                while !isDropped, .now < deadline {
                    isDropped = try client.ask("GET", "/metrics").text.contains("livery_streams_dropped_total 1")
                }
                #expect(isDropped)
            }
        }
    }

    @Test func revokedTokensEndTheirStreams() async throws {
        func token(_ name: String) -> (text: String, token: AccessToken) {
            AccessToken.random(name: name, role: .read, namespaces: ["default", "other"])
        }
        let (kept, gone, moved) = (token("kept"), token("gone"), token("moved"))
        let writer = AccessToken.random(name: "writer", role: .admin, namespaces: nil)
        var later = [kept.token, moved.token, writer.token]
        // The name is nothing that a stream goes by.
        later[0].name = "renamed"
        later[1].namespaces = ["other"]
        let tokens = TokenTable(tokens: later)
        try await TestServer.run(tokens: [kept, gone, moved, writer].map(\.token)) { server in
            let open = try await server.script { client in
                try [kept, gone, moved].map { holder in
                    let connection = try client.connection()
                    connection.send(WireClient.request("GET", "/v1/default/events", token: holder.text))
                    #expect(try connection.response().status == 200)
                    #expect(try Self.events(connection, 1).count == 1)
                    return Unchecked(connection)
                }
            }
            #expect(try await server.policy.replace(with: tokens) == 2)
            try await server.script { client in
                let body = #"{"value":"secret.after"}"#
                #expect(try client.ask("PUT", "/v1/default/entries/a", body: body, token: writer.text).status == 201)
                let event = try Self.events(open[0].value, 1)
                #expect(event.count == 1)
                for stream in open[1...] {
                    // The end of the body, in good order, and nothing before it but heartbeats.
                    #expect(try Self.events(stream.value, 1).isEmpty)
                    #expect(stream.value.rest().isEmpty && stream.value.isEnded)
                }
                for text in [gone.text, moved.text] {
                    let answer = try client.ask("GET", "/v1/default/events", token: text)
                    #expect([401, 403].contains(answer.status))
                }
            }
        }
    }

    @Test func aReloadWithoutTokensIsRefused() async throws {
        let holder = AccessToken.random(name: "t", role: .write, namespaces: nil)
        try await TestServer.run(tokens: [holder.token]) { server in
            await #expect(throws: ConfigError.self) { try await server.policy.replace(with: TokenTable(tokens: [])) }
            let answer = try await server.script { client in try client.ask("GET", "/v1", token: holder.text) }
            #expect(answer.status == 200)
        }
    }

    @Test func aTokenRevokedDuringTheBodyPreventsTheWrite() async throws {
        let (old, new) = (
            AccessToken.random(name: "old", role: .write, namespaces: nil),
            AccessToken.random(name: "new", role: .write, namespaces: nil)
        )
        try await TestServer.run(tokens: [old.token]) { server in
            let connection = try await server.script { client in
                let connection = try client.connection()
                connection.send(
                    "PUT /v1/default/entries/a HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Authorization: Bearer \(old.text)\r\nExpect: 100-continue\r\nContent-Length: 11\r\n\r\n"
                )
                #expect(try connection.response(hasBody: false).status == 100)
                return Unchecked(connection)
            }
            _ = try await server.policy.replace(with: TokenTable(tokens: [new.token]))
            let answer = try await server.script { _ in
                connection.value.send(#"{"value":1}"#)
                return try connection.value.response()
            }
            #expect(answer.status == 401)
            #expect(server.hub.head?.revision == 0)
        }
    }
}
