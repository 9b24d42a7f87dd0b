// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import ConfigWire
import HubTestSupport
import InMemoryLogging
import Logging
import NIOHTTP1
import TestSupport
import Testing

@testable import ConfigHub
@testable import ConfigServer

/// The streams that OpenFeature's clients find in the response with all flags: opened by a browser's `EventSource`, which sends
/// no fields.
@Suite(.timeLimit(.minutes(5)))
struct FlagStreamTests {
    private static let origin = "https://shop.example"

    private static var settings: ServerSettings {
        var settings = ServerSettings()
        settings.corsOrigins = [origin]
        // Events only.
        settings.limits.heartbeatSeconds = 1_000_000
        return settings
    }

    private let reader = AccessToken.random(name: "reader", role: .read, namespaces: ["default", "shop"])
    private let writer = AccessToken.random(name: "writer", role: .admin, namespaces: nil)

    /// The address that comes with all flags.
    private static func address(
        _ client: WireClient,
        _ namespace: String = "default",
        token: String? = nil
    ) throws -> String {
        let target = "/ns/\(namespace)/ofrep/v1/evaluate/flags"
        let answer = try client.ask("POST", target, body: #"{"context":{}}"#, token: token)
        guard case .object(let members) = try EntryValue(json: answer.body),
            case .array(let streams)? = members["eventStreams"], streams.count == 1,
            case .object(let stream) = streams[0], stream["type"] == "sse", stream["inactivityDelaySec"] == 120,
            stream.map(\.key).sorted() == ["endpoint", "inactivityDelaySec", "type"],
            case .object(let endpoint)? = stream["endpoint"], case .string(let address)? = endpoint["requestUri"]
        else {
            Issue.record("\(answer.text)")
            return ""
        }
        return address
    }

    /// Opens a stream as a browser does, and reads the head and the first event.
    private static func open(_ client: WireClient, _ address: String) throws -> WireConnection {
        let stream = try client.connection()
        stream.send(WireClient.request("GET", address, ["Accept: text/event-stream", "Origin: \(origin)"]))
        let head = try stream.response()
        #expect(head.status == 200 && head["content-type"]?.hasPrefix("text/event-stream") == true)
        #expect(head["access-control-allow-origin"] == origin && head["cache-control"] == "no-store")
        return stream
    }

    /// The next event, without comments; `nil` at the end of the stream.
    private static func event(_ stream: WireConnection) throws -> [String]? {
        while let chunk = try stream.chunk() {
            let lines = String(decoding: chunk, as: UTF8.self).split(separator: "\n").map(String.init)
            if lines.contains(where: { $0.hasPrefix("data:") }) { return lines }
        }
        return nil
    }

    private static func event(_ server: LiveServer, _ namespace: String = "default") throws -> [String] {
        let state = try #require(server.hub.state(of: namespace))
        let seconds = state.updatedAt.milliseconds / 1000
        let data = #"{"type":"refetchEvaluation","etag":"\#(state.tag)","lastModified":\#(seconds)}"#
        return ["event: message", "id: \(state.cursor)", "data: \(data)"]
    }

    private func write(_ client: WireClient, _ method: String, _ target: String, _ body: String) throws {
        let answer = try client.ask(method, target, body: body, token: writer.text)
        #expect([200, 201].contains(answer.status), "\(answer.text)")
    }

    @Test func flagStreamIsLimitedToItsNamespace() async throws {
        let tokens = [reader.token, writer.token]
        try await TestServer(tokens: tokens, settings: Self.settings).script { [self] client, server in
            let address = try Self.address(client, token: reader.text)
            #expect(address.hasPrefix("/ns/default/ofrep/v1/events?token="))
            let stream = try Self.open(client, address)
            #expect(try Self.event(stream) == ["retry: 1000"] + Self.event(server))
            try write(client, "PUT", "/v1/default/entries/a", #"{"value":1}"#)
            #expect(try Self.event(stream) == Self.event(server))
            let rule = #"{"rule":{"variants":{"x":1},"defaultVariant":"x"}}"#
            try write(client, "PUT", "/v1/default/rules/a", rule)
            #expect(try Self.event(stream) == Self.event(server))
            // Each would come first if it came.
            try write(client, "PUT", "/v1/default/schemas/a", #"{"schema":{"type":"integer"}}"#)
            try write(client, "PUT", "/v1/shop/entries/a", #"{"value":1}"#)
            try write(client, "PUT", "/v1/default/entries/a", #"{"value":2}"#)
            #expect(try Self.event(stream) == Self.event(server))
            #expect(server.hub.head?.revision == 5)
        }
    }

    @Test func flagsAfterAnEventHaveItsRevision() async throws {
        try await TestServer(settings: Self.settings).script { client, server in
            let address = try Self.address(client)
            #expect(address == "/ns/default/ofrep/v1/events", "a server without tokens")
            let stream = try Self.open(client, address)
            _ = try Self.event(stream)
            _ = try client.ask("PUT", "/v1/default/entries/a", body: #"{"value":1}"#)
            _ = try Self.event(stream)
            let cursor = try #require(server.hub.state(of: "default")?.cursor)
            let query = "?flagConfigEtag=\(cursor)&flagConfigLastModified=1771622898"
            let target = "/ofrep/v1/evaluate/flags" + query
            let flags = try client.ask("POST", target, body: #"{"context":{}}"#)
            #expect(flags.status == 200 && flags["etag"]?.hasPrefix("\"\(cursor)-") == true)
            let head = try client.ask("HEAD", address)
            #expect(head.status == 200 && head["content-length"] == nil && head["livery-max-size"] != nil)
        }
    }

    @Test func timeInARuleSendsAnEventWhenItIsReached() async throws {
        try await TestServer(settings: Self.settings).script { client, server in
            let address = try Self.address(client)
            let stream = try Self.open(client, address)
            _ = try Self.event(stream)
            let rule = { (targeting: String) in
                let rule = #"{"variants":{"on":1,"off":2},"defaultVariant":"off","targeting":\#(targeting)}"#
                _ = try client.ask("PUT", "/v1/default/rules/a", body: #"{"rule":\#(rule)}"#)
                #expect(try Self.event(stream) == Self.event(server))
            }
            let date = Int.secondsNow + 3
            try rule(#"{"if":[{">=":[{"var":"$flagd.timestamp"},\#(date)]},"on"]}"#)
            _ = try Self.address(client)
            // A new state, though not for the flags.
            _ = try client.ask("PUT", "/v1/default/schemas/b", body: #"{"schema":{"type":"integer"}}"#)
            let event = try Self.event(stream)
            #expect(event?.last?.contains("refetchEvaluation") == true && Int.secondsNow >= date)
            let flags = try client.ask("POST", "/ofrep/v1/evaluate/flags", body: #"{"context":{}}"#)
            #expect(flags.text.contains(#""variant":"on""#), "\(flags.text)")
            // Without the time, the next event is that of the next change.
            try rule(#"{"if":[{"var":"$flagd.flagKey"},"on"]}"#)
            try rule(#"{"if":[{"var":"other"},"on"]}"#)
        }
    }

    @Test func aTagIsOfTheTimeOfItsTicket() throws {
        func tag(at seconds: Int) throws -> String? {
            let epoch = try #require(Epoch("0123456789abcdef"))
            let state = NamespaceState("default", at: RevisionCursor(epoch: epoch, revision: 1))
            let ticket = StreamTicket(for: reader.token, "default", at: seconds)
            let events = StreamTopic.flagsAddress("default", ticket)
            let call = AllFlagsCall(json: [], state: state, seconds: seconds, events: events)
            let lease = try AnswerLease(0, of: MemoryBudget(limit: 1000))
            var work = try AllFlagsWork(call, conditions: ReadConditions([]), lease: lease)
            while true {
                if let reply = try work.step() { return reply.headers.first(name: "etag") }
            }
        }
        let start = 1_000_000 * StreamTicket.period
        #expect(try tag(at: start) == tag(at: start + StreamTicket.period - 1))
        #expect(try tag(at: start) != tag(at: start + StreamTicket.period))
    }

    @Test func otherAddressesAreRefusedAndNoneIsLogged() async throws {
        let log = InMemoryLogHandler()
        let logger = Logger(label: "test") { _ in log }
        let tokens = [reader.token, writer.token]
        try await TestServer(tokens: tokens, settings: Self.settings, logger: logger).script { [self] client in
            let now = Int.secondsNow
            let address = try Self.address(client, token: reader.text)
            let ticket = String(address.drop { $0 != "=" }.dropFirst())
            func made(_ namespace: String = "default", at seconds: Int) -> String {
                StreamTicket(for: reader.token, namespace, at: seconds).text
            }
            let (unknownText, unknown) = AccessToken.random(name: "other", role: .read, namespaces: nil)
            let wrong = [
                "", "x", "1.2.3", String(ticket.dropLast()) + (ticket.hasSuffix("0") ? "1" : "0"),
                ticket + "0", made("shop", at: now), StreamTicket(for: unknown, "default", at: now).text,
                // They have expired, or are for later.
                made(at: now - 3 * StreamTicket.period), made(at: now + 9 * StreamTicket.period),
            ]
            for text in wrong {
                let answer = try client.ask("GET", "/ns/default/ofrep/v1/events?token=\(text)")
                #expect(answer.status == 401, "\(text)")
                #expect(answer["content-type"] == "application/problem+json")
                #expect(text.count < 9 || !answer.text.contains(text))
            }
            #expect(try client.ask("GET", "/ns/shop/ofrep/v1/events?token=\(ticket)").status == 401)
            #expect(try client.ask("GET", "/ns/default/ofrep/v1/events").status == 401)
            #expect(try client.ask("GET", "/v1/default/events?token=\(ticket)").status == 401)
            #expect(try client.ask("GET", "/v1/default/config?token=\(ticket)").status == 401)
            #expect(try client.ask("HEAD", "/ns/default/ofrep/v1/events?token=\(ticket)").status == 200)
            for field in ["Authorization: Bearer \(reader.text)", "X-API-Key: \(reader.text)"] {
                #expect(try client.ask("HEAD", "/ns/default/ofrep/v1/events", [field]).status == 200)
            }
            for _ in 0..<30 {
                let bearer = "Authorization: Bearer \(unknownText)"
                #expect([401, 429].contains(try client.ask("GET", "/v1/default/config", [bearer]).status))
            }
            let foreign = ["Origin: https://evil.example"]
            #expect(try client.ask("GET", address, foreign).status == 403)
            let lines = log.entries.map { "\($0.message) \($0.metadata)" }.joined()
            let refusals = log.entries.count { $0.message.description.contains("access denied") }
            #expect((1...20).contains(refusals), "\(refusals)")
            #expect((wrong + [ticket, unknownText]).allSatisfy { $0.count < 9 || !lines.contains($0) })
        }
    }

    @Test func aTicketLastsMinutesAndIsTheSameForAWhile() {
        let period = StreamTicket.period
        let start = 1_000_000 * period
        func ticket(_ seconds: Int) -> StreamTicket { StreamTicket(for: reader.token, "default", at: seconds) }
        #expect(ticket(start) == ticket(start + period - 1) && ticket(start) != ticket(start + period))
        for made in [start, start + period - 1] {
            #expect(ticket(made).isValid(at: made) && ticket(made).isValid(at: made + period))
            #expect(!ticket(made).isValid(at: made + 2 * period))
        }
        // The clock of the server that made it is ahead.
        #expect(ticket(start).isValid(at: start - period) && !ticket(start).isValid(at: start - 2 * period))
        #expect(StreamTicket(ticket(start).text) == ticket(start))
        #expect(ticket(start).isMade(for: reader.token, "default") && !ticket(start).isMade(for: reader.token, "shop"))
        #expect(!ticket(start).isMade(for: writer.token, "default"))
    }

    @Test func revokedTokenEndsStreamsAndTickets() async throws {
        let (reader, writer) = (reader, writer)
        var moved = AccessToken.random(name: "moved", role: .read, namespaces: ["default"])
        let before = moved
        moved.token.namespaces = ["other"]
        let later = TokenTable(checked: [moved.token, writer.token])
        try await TestServer(tokens: [reader.token, before.token, writer.token]).run { server in
            let holders = [reader, before, writer]
            let open = try await server.script { client in
                try holders.map { holder in
                    let address = try Self.address(client, token: holder.text)
                    let stream = try client.connection()
                    stream.send(WireClient.request("GET", address))
                    #expect(try stream.response().status == 200)
                    _ = try #require(try Self.event(stream))
                    return Unchecked((stream, address))
                }
            }
            #expect(try await server.policy.replace(with: later) == 2)
            try await server.script { client in
                let answer = try client.ask(
                    "PUT",
                    "/v1/default/entries/a",
                    body: #"{"value":1}"#,
                    token: writer.text
                )
                #expect(answer.status == 201)
                _ = try #require(try Self.event(open[2].value.0))
                for (index, status) in [401, 403].enumerated() {
                    let (stream, address) = open[index].value
                    let event = try Self.event(stream)
                    #expect(event == nil && stream.rest().isEmpty && stream.isEnded)
                    #expect(try client.ask("GET", address).status == status)
                }
            }
        }
    }

    @Test func pausedClientGetsOneEventForMissedChanges() async throws {
        try await TestServer(settings: Self.settings).run { server in
            let stream = try await server.script { client in
                let stream = try Self.open(client, try Self.address(client))
                _ = try Self.event(stream)
                return Unchecked(stream)
            }
            for number in 0..<300 { try await server.hub.edit(["a": .integer(number)]) }
            try await server.script { _ in
                var (last, count) = ([String](), 0)
                let newest = try Self.event(server)
                while last != newest, let event = try Self.event(stream.value) { (last, count) = (event, count + 1) }
                #expect(last == newest && count <= 300)
            }
        }
    }
}
