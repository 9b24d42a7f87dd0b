// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import ConfigStoreTesting
import ConfigWire
import HubTestSupport
import NIOCore
import TestSupport
import Testing

@testable import ConfigServer

/// The lifetime and number of request bodies in memory.
@Suite(.timeLimit(.minutes(5)))
struct RequestBodyTests {
    private static let target = "/v1/default/entries/a"

    private static func put(bytes: Int) -> String {
        let value = #"{"value":1"#
        return WireClient.request("PUT", target, body: value + String(repeating: " ", count: bytes - 11) + "}")
    }

    /// The bytes that are in memory, as the metrics report them.
    private static func bytes(at client: WireClient) throws -> Double? {
        let metrics = try client.ask("GET", "/metrics").text
        return metrics.firstMatch(of: /\nlivery_body_bytes ([0-9.]+)\n/).flatMap { Double($0.1) }
    }

    @Test func aWriteThatWaitsForTheStoreKeepsNoBody() async throws {
        let store = FaultyStore()
        try await TestServer(store: store).script { client, server in
            store.hold()
            let connections = try [11, 5000, 1_000_000].enumerated().map { number, bytes in
                let connection = try client.connection()
                connection.send(Self.put(bytes: bytes))
                try until("the write") {
                    store.taken + server.hub.waitingPublishes > number
                }
                return connection
            }
            #expect(try Self.bytes(at: client) == 0)
            store.letGo()
            let statuses = try connections.map { try $0.response().status }
            #expect(statuses == [201, 200, 200])
        }
    }

    @Test func bodiesHaveALimitTogether() async throws {
        var settings = ServerSettings()
        settings.limits.bodyBytes = 100_000
        settings.limits.allBodyBytes = 150_000
        try await TestServer(settings: settings).script { client in
            let request = Self.put(bytes: 90_000)
            let (first, second) = (try client.connection(), try client.connection())
            first.send(String(request.dropLast(10)))
            try until("the body") { try Self.bytes(at: client) == 89_990 }
            second.send(request)
            let refusal = try second.response()
            #expect(refusal.status == 503 && refusal["retry-after"] == "1")
            #expect(try ProblemDetails(json: refusal.body).type == "urn:livery:problem:too-many-bodies")
            // Smaller ones have room.
            #expect(try client.ask("PUT", Self.target, body: #"{"value":1}"#).status == 201)
            #expect(try Self.bytes(at: client) == 89_990)
            first.send(String(request.suffix(10)))
            #expect(try first.response().status == 200)
            #expect(try Self.bytes(at: client) == 0)
            let third = try client.connection()
            third.send(request)
            #expect(try third.response().status == 200)
        }
    }

    /// Contexts stay in memory, parsed, until they have been evaluated.
    @Test func parsedContextsCountUntilTheyAreEvaluated() {
        let budget = MemoryBudget(limit: 200)
        let (first, second) = (RequestBody(budget), RequestBody(budget))
        let bytes = ByteBuffer(repeating: 0x20, count: 15)
        #expect(first.append(bytes) && second.append(bytes) && first.expand())
        #expect(budget.used == 165 && !second.expand())
        first.release()
        #expect(budget.used == 15 && second.expand() && budget.used == 150)
        second.release()
        #expect(budget.used == 0)
    }

    /// Long parts are kept as they are, short ones joined: none of them keeps the buffer of a whole read in memory.
    @Test(arguments: [[], [5], [1, 2, 70_000, 3, 40_000, 32_768, 7, 32_761, 8, 9], Array(repeating: 4000, count: 20)])
    func partsBecomeOneBody(sizes: [Int]) {
        let body = RequestBody(MemoryBudget(limit: .max))
        var all: [UInt8] = []
        for size in sizes {
            let part = (0..<size).map { UInt8(truncatingIfNeeded: all.count + $0 &* 7) }
            #expect(body.append(ByteBuffer(bytes: part)))
            all += part
        }
        #expect(body.count == all.count)
        #expect(body.take() == all)
        #expect(body.take().isEmpty)
    }

    enum End: CaseIterable, Sendable {
        case malformed, tooSlow, hangUp, drop
    }

    @Test(arguments: End.allCases)
    func aConnectionThatEndsKeepsNoBody(_ end: End) async throws {
        try await withHub(ReferenceStore()) { hub in
            try await onDedicatedThread {
                let server = EmbeddedServer(hub, tokens: [])
                defer { server.stop() }
                let client = try server.connection()
                defer { client.close() }
                let head = ["PUT \(Self.target) HTTP/1.1", "Host: localhost", "Transfer-Encoding: chunked", "", ""]
                try client.read((head.joined(separator: "\r\n") + "9\r\n{\"value\":\r\n").utf8)
                #expect(server.bodies.used == 9)
                switch end {
                case .malformed: try client.read("no size\r\n".utf8)
                case .tooSlow: client.connection.tick(.now() + .hours(1))
                case .hangUp: client.close()
                case .drop: client.connection.drop()
                }
                #expect(client.connection.machine.isClosing)
                #expect(server.bodies.used == 0)
            }
        }
    }
}
