// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import ConfigStoreTesting
import ConfigWire
import HubTestSupport
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import ConfigServer

/// Requests with the same bytes, or with the same head before another body, are not decoded again, with identical responses.
@Suite(.timeLimit(.minutes(5)))
struct RepeatedRequestTests {
    /// An event between two pieces of a generated conversation.
    private enum Event: CaseIterable {
        case nothing, publish, second, routesAnswer, tokensChange
    }

    private static let (text, token) = AccessToken.random(name: "reader", role: .read, namespaces: nil)
    private static let (_, other) = AccessToken.random(name: "other", role: .read, namespaces: nil)

    private static func requests(tag: String, cursor: RevisionCursor) -> [String] {
        let config = "/v1/default/config"
        let delta = "\(config)?epoch=\(cursor.epoch)&after=\(cursor.revision)"
        func get(_ target: String, _ fields: String..., method: String = "GET", version: String = "1.1") -> String {
            let lines = ["\(method) \(target) HTTP/\(version)", "Host: localhost", "Authorization: Bearer \(text)"]
            return (lines + fields).joined(separator: "\r\n") + "\r\n\r\n"
        }
        return [
            get(config), get(config), get(config, "If-None-Match: \"\(tag)\""), get(delta), get("\(config)?after=x"),
            get(config, "Accept-Encoding: gzip"), get(config, method: "HEAD"), get("/v1/other/config"),
            get(config, "Content-Length: 0"), get(config, "Content-Length: 4") + "\r\n\r\n",
            get(config, "Transfer-Encoding: chunked") + "0\r\n\r\n", "\r\n" + get(config), get(config) + "\r\n\r\n",
            get(config).replacing("\r\n", with: "\n"), get(config, "Expect: 100-continue"), get("/health"),
            get("/v1/default/entries/a", "Content-Length: 3", method: "PUT") + "{}\n",
            get("/v1/default/entries/a", "Content-Length: 4", method: "PUT") + "\r\n\r\n",
            "GET \(config) HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET \(config) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer nobody\r\n\r\n",
        ] + evaluations
    }

    private static let evaluations: [String] = {
        func post(_ path: String, _ fields: String..., body: String) -> String {
            let lines = [
                "POST /ofrep/v1/evaluate/flags\(path) HTTP/1.1", "Host: localhost", "Authorization: Bearer \(text)",
            ]
            return (lines + fields).joined(separator: "\r\n") + "\r\n\r\n" + body
        }
        let json = "Content-Type: application/json"
        return [#"{}"#, #"{"context":{"targetingKey":"ana"}}"#, #"{"context":{"targetingKey":"b"}}"#, "[", "\r\n\r\n"]
            .flatMap { body in
                [
                    post("/a", json, "Content-Length: \(body.utf8.count)", body: body),
                    post("/a", "content-length:  \(body.utf8.count)", json, body: body),
                    post("", json, "Content-Length: \(body.utf8.count)", body: body),
                    post("/none", json, "Content-Length: 0\(body.utf8.count)", body: body),
                    post(
                        "/a",
                        json,
                        "Transfer-Encoding: chunked",
                        body: "\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
                    ),
                ]
            } + [post("/a", json, body: ""), post("/a", "Content-Length: 2", body: "{}")]
    }()

    /// Requests that end a connection.
    private static let lastRequests = [
        "GET /v1/default/config HTTP/1.0\r\n\r\n", "garbage\r\n\r\n", "GET /v1/default/config HTTP/1.1\r\n\r\n",
        "GET /v1/default/config HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    ]

    /// Pieces of a conversation: many requests are equal to the one before, and many pieces end with a request.
    private static func pieces(_ requests: [String], _ random: inout SeededGenerator) -> [[UInt8]] {
        var pieces: [[UInt8]] = [[]]
        var request = requests[0]
        let count = Int.random(in: 10...30, using: &random)
        for number in 1...count {
            if number == count {
                request = lastRequests.randomElement(using: &random) ?? ""
            } else if Int.random(in: 0..<3, using: &random) == 0 {
                request = requests.randomElement(using: &random) ?? ""
            } else {
                // Perhaps the same head with another body.
                request =
                    evaluations.filter { $0.hasPrefix(request.prefix(45)) }.randomElement(using: &random) ?? request
            }
            let isCut = Int.random(in: 0..<5, using: &random) == 0
            for byte in request.utf8 {
                if isCut, Int.random(in: 0..<40, using: &random) == 0 { pieces.append([]) }
                pieces[pieces.count - 1].append(byte)
            }
            if Int.random(in: 0..<4, using: &random) > 0 { pieces.append([]) }
        }
        return pieces.filter { !$0.isEmpty }
    }

    /// Sent byte by byte, no request is recognized; the other responses are compared with these.
    @Test func answersMatchDecodedRequests() async throws {
        try await withHub(ReferenceStore()) { hub in
            try await hub.edit(["a": .string("1"), "long": .string(String(repeating: "x", count: 2000))])
            try await onDedicatedThread {
                let repetitions = try (0..<120).map { try Self.converse(hub, seed: UInt64($0)) }
                #expect(repetitions.map(\.reads).reduce(0, +) > 50)
                #expect(repetitions.map(\.calls).reduce(0, +) > 30)
            }
        }
    }

    /// - Returns: how many requests came again.
    private static func converse(_ hub: NamespaceHub, seed: UInt64) throws -> (reads: Int, calls: Int) {
        var random = SeededGenerator(seed: seed)
        let server = EmbeddedServer(hub, tokens: [token])
        let (quick, plain) = (try server.connection(), try server.connection())
        let state = try #require(hub.state(of: "default"))
        var repetitions = (reads: 0, calls: 0)
        for piece in pieces(requests(tag: state.tag, cursor: state.cursor), &random) {
            var bytes = ByteBuffer(bytes: piece)
            let isFree = quick.connection.machine.mayRepeat
            while isFree, let next = quick.connection.repeated.next(in: &bytes) {
                if case .call = next.0 { repetitions.calls += 1 } else { repetitions.reads += 1 }
            }
            try quick.read(piece)
            for byte in piece { try plain.read([byte]) }
            bytes = ByteBuffer(bytes: piece)
            #expect(plain.connection.repeated.next(in: &bytes) == nil, "seed \(seed)")
            switch Event.allCases.randomElement(using: &random) {
            case .publish:
                let value = EntryValue.string("\(random.next())")
                waiting { try await hub.edit(["a": value]) }
            case .second: server.eventLoop.advanceTime(by: .seconds(1))
            case .routesAnswer:
                quick.answerRoutes()
                plain.answerRoutes()
            case .tokensChange:
                server.replaceTokens(with: Int.random(in: 0..<4, using: &random) > 0 ? token : other)
            case .nothing, nil: break
            }
            let (answers, expected) = (try quick.written(), try plain.written())
            // A request that is refused before all of its body has come ends the connection.
            if answers != expected, plain.connection.machine.isClosing {
                let end = "connection: close\r\n"
                #expect(expected.contains(end) && answers.hasPrefix(expected.replacing(end, with: "")), "seed \(seed)")
                break
            }
            #expect(answers == expected, "seed \(seed)")
            guard answers == expected else { break }
        }
        #expect(!quick.connection.machine.isClosing || plain.connection.machine.isClosing, "seed \(seed)")
        quick.close()
        plain.close()
        server.stop()
        return repetitions
    }

    /// Pieces of bytes, each with what the decoder makes of it: `h` for a head, `b` for a body, `e` for an end and `f` for a
    /// failure; and whether the last piece would be known if it came again.
    private static let courses: [(pieces: [[String]], isKnown: Bool)] = [
        ([["GET\r\n\r\n", "he"]], true),
        ([["GET\n\n", "he"]], false),
        ([["GET\r\n\r\nGE", "he"]], false),
        ([["GET\r\n", ""], ["\r\n", "he"]], false),
        ([["GE", ""], ["T\r\n\r\n", "he"]], false),
        ([["GET\r\n\r\n", "h"], ["1\r\n\r\n", "be"]], false),
        ([["GET\r\n\r\nGET\r\n\r\n", "hehe"]], false),
        ([["GET\r\n\r\n", "he"], ["PUT\r\n\r\n", "h"]], false),
        ([["GET\r\n\r\nGE", "he"], ["T\r\n\r\n", "he"], ["GET\r\n\r\n", "he"]], true),
        ([["GET\r\n\r\n", "he"], ["x\r\n\r\n", "hef"]], false),
        ([["GET" + String(repeating: "x", count: 4096) + "\r\n\r\n", "he"]], false),
        ([["PUT\r\ncontent-length: 2\r\n\r\n{}", "hbe"]], true),
        ([["PUT\r\nContent-Length:2\r\nA: b\r\n\r\n{}", "hbe"]], true),
        ([["PUT\r\nContent-Length: 2\r\n\r\n{}x", "hbe"]], false),
        ([["PUT\r\nContent-Length: 02\r\n\r\n{}", "hbe"]], false),
        ([["PUT\r\nContent-Length: 2 \r\n\r\n{}", "hbe"]], false),
        ([["PUT\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}", "hbe"]], false),
        ([["PUT\nContent-Length: 4\n\n{}\r\n\r\n", "hbe"]], false),
        ([["PUT\r\nX: content-length: 2\r\n\r\n{}", "hbe"]], false),
        ([["PUT\r\nContent-Length: 0\r\n\r\n", "he"]], true),
    ]

    @Test(arguments: courses)
    func onlyAWholeRequestIsKnownAgain(pieces: [[String]], isKnown: Bool) throws {
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/v1/default/config")
        let counter = ServerMetrics(factory: PrometheusRegistry()).counter(route: "config", status: 200)
        let moment = ReadyAnswer.Moment(memory: 1, tokens: 1, second: 1)
        let answer = ReadyAnswer(bytes: ByteBuffer(), counter: counter, moment: moment, expiresAt: nil)
        let target = ImmediateTarget.config(namespace: "default", RequestTarget(head.uri))
        var repeated = RepeatedRequest()
        for piece in pieces {
            let bytes = ByteBuffer(string: piece[0])
            repeated.decodes(bytes)
            for part in piece[1] {
                switch part {
                case "h": repeated.received(.head(head))
                case "b": repeated.received(.body(bytes))
                case "f": repeated.failed()
                default:
                    repeated.received(.end(nil))
                    repeated.answered(head, target, answer)
                }
            }
            repeated.decoded(bytes)
        }
        let last = try #require(pieces.last)[0]
        var (bytes, begun) = (ByteBuffer(string: last + "PUT"), ByteBuffer(string: String(last.dropLast())))
        #expect((repeated.next(in: &bytes) != nil) == isKnown)
        #expect(String(buffer: bytes) == (isKnown ? "PUT" : last + "PUT"))
        #expect(repeated.next(in: &begun) == nil)
    }

    @Test func anIdleConnectionKeepsNoAnswerForLongerThanASecond() async throws {
        try await withHub(ReferenceStore()) { hub in
            try await onDedicatedThread {
                let server = EmbeddedServer(hub, tokens: [Self.token])
                let connection = try server.connection()
                let request = WireClient.request("GET", "/v1/default/config", token: Self.text)
                try connection.read(request.utf8)
                func keepsAnswer() throws -> Bool {
                    var bytes = ByteBuffer(string: request)
                    guard case .read(let read)? = connection.connection.repeated.next(in: &bytes)?.0 else {
                        return false
                    }
                    return read.answer != nil
                }
                #expect(try keepsAnswer())
                server.eventLoop.advanceTime(by: .seconds(1))
                #expect(try !keepsAnswer())
                connection.close()
                server.stop()
            }
        }
    }

    @Test(arguments: ["GET /v1/default/config", "POST /ofrep/v1/evaluate/flags"])
    func anExpiredTokenIsRefusedAtOnce(line: String) async throws {
        try await withHub(ReferenceStore()) { hub in
            try await onDedicatedThread {
                let now = Mutex(Timestamp(milliseconds: 1_000_000))
                var token = Self.token
                token.expiresAt = Timestamp(milliseconds: 1_000_500)
                let server = EmbeddedServer(hub, tokens: [token]) { now.withLock { $0 } }
                let connection = try server.connection()
                let parts = line.split(separator: " ").map { String($0) }
                let request = WireClient.request(parts[0], parts[1], token: Self.text)
                // In the same second, from the answer that is ready.
                for (milliseconds, status) in [(1_000_000, 200), (1_000_499, 200), (1_000_500, 401), (1_000_501, 401)] {
                    now.withLock { $0 = Timestamp(milliseconds: Int64(milliseconds)) }
                    try connection.read(request.utf8)
                    #expect(try connection.written().hasPrefix("HTTP/1.1 \(status) "), "\(milliseconds)")
                }
                connection.close()
                server.stop()
            }
        }
    }

    @Test func aRepeatedRequestIsRefusedWithoutRoomForItsBody() async throws {
        try await withHub(ReferenceStore()) { hub in
            try await hub.edit(["a": .string("1")])
            try await onDedicatedThread {
                let server = EmbeddedServer(hub, tokens: [Self.token])
                let connection = try server.connection()
                let request = try #require(Self.evaluations.first)
                try connection.read(request.utf8)
                #expect(try connection.written().hasPrefix("HTTP/1.1 200 "))
                while server.bodies.take(1024) {}
                while server.bodies.take(1) {}
                try connection.read(request.utf8)
                #expect(try connection.written().hasPrefix("HTTP/1.1 503 "))
                connection.close()
                server.stop()
            }
        }
    }

    /// A connection may be silent for as long as a busy machine makes it.
    private static let patient: ServerSettings = {
        var settings = ServerSettings()
        settings.limits.headSeconds = 200
        settings.limits.idleSeconds = 200
        return settings
    }()

    @Test func eachAnswerIsCounted() async throws {
        try await TestServer(settings: Self.patient).script { client in
            let connection = try client.connection()
            for _ in 0..<50 {
                connection.send(RawExchange.config)
                #expect(try connection.response().status == 200)
            }
            connection.send(RawExchange.request("GET", "/metrics"))
            let metrics = String(decoding: try connection.response().body, as: UTF8.self)
            let line = #"livery_http_requests_total{route="GET /v1/{ns}/config",status="200"} 50"#
            #expect(metrics.contains(line), "\(metrics)")
            #expect(metrics.contains("livery_http_request_duration_seconds_count 50"), "\(metrics)")
        }
    }
}
