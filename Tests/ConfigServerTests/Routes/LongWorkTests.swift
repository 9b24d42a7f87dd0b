// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import ConfigStore
import ConfigStoreTesting
import ConfigWire
import Dispatch
import HubTestSupport
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import ConfigServer

/// Long work delays no other request. Here it lasts until the test ends it.
@Suite(.timeLimit(.minutes(5)))
struct LongWorkTests {
    /// Compresses when it is let.
    private final class Compressor: Sendable {
        let count = Atomic(0)
        private let gate = DispatchSemaphore(value: 0)

        func compress(_ body: ByteBuffer) -> ByteBuffer? {
            count.add(1, ordering: .relaxed)
            gate.wait()
            return Gzip.compress(body)
        }

        func letGo() { gate.signal() }
    }

    private static let large = Dictionary(
        uniqueKeysWithValues: (0..<40).map { number -> (String, EntryValue?) in
            ("k\(number)", .string(String(repeating: "value \(number) ", count: 5000)))
        }
    )

    @Test func compressionHappensOnceWithoutBlocking() async throws {
        let compressor = Compressor()
        var settings = ServerSettings()
        settings.compress = { compressor.compress($0) }
        // One loop, so that no other one can answer.
        settings.eventLoops = 1
        try await TestServer(settings: settings).run { server in
            try await server.hub.edit(Self.large)
            try await server.script { client in
                let request = WireClient.request("GET", "/v1/default/config", ["Accept-Encoding: gzip"])
                let waiting = try (0..<6).map { _ in
                    let connection = try client.connection()
                    connection.send(request)
                    return connection
                }
                try until("the compression") {
                    compressor.count.load(ordering: .relaxed) > 0
                }
                for target in [
                    "/health", "/v1/default/config", "/v1/other/config", "/v1/default/entries/k1", "/default.json",
                ] {
                    #expect(try client.ask("GET", target).status == 200, "\(target)")
                }
                #expect(try client.ask("PUT", "/v1/other/entries/a", body: #"{"value":1}"#).status == 201)
                compressor.letGo()
                let answers = try waiting.map { try $0.response() }
                #expect(answers.allSatisfy { $0.status == 200 && $0["content-encoding"] == "gzip" })
                #expect(Set(answers.map(\.body)).count == 1)
                let again = try client.ask("GET", "/v1/default/config", ["Accept-Encoding: gzip"])
                #expect(again.body == answers[0].body && again["etag"] == answers[0]["etag"])
                let known = ["Accept-Encoding: gzip", "If-None-Match: \(again["etag"] ?? "")"]
                #expect(try client.ask("GET", "/v1/default/config", known).status == 304)
                #expect(compressor.count.load(ordering: .relaxed) == 1)
            }
        }
    }

    @Test func incompressibleSnapshotsAreSentPlain() async throws {
        var settings = ServerSettings()
        settings.compress = { _ in nil }
        try await TestServer(settings: settings).run { server in
            try await server.hub.edit(Self.large)
            try await server.script { client in
                for _ in 0..<2 {
                    let answer = try client.ask("GET", "/v1/default/config", ["Accept-Encoding: gzip"])
                    #expect(answer.status == 200 && answer["content-encoding"] == nil)
                    #expect(answer["etag"]?.contains("gzip") == false)
                    #expect(try ConfigAnswer(json: answer.body).isSnapshot)
                }
            }
        }
    }

    @Test func largeNamespacesAreAnsweredWhole() async throws {
        try await TestServer().run { server in
            try await server.hub.edit(Self.large)
            try await server.hub.edit(["k0": .integer(1)])
            let state = try #require(server.hub.state(of: "default"))
            let epoch = state.cursor.epoch
            try await server.script { client in
                for (target, isSnapshot) in [
                    ("config", true), ("config?epoch=\(epoch)&after=0", false),
                    ("config?epoch=\(epoch)&after=1", false),
                    ("config?epoch=0000000000000000&after=1", true),
                ] {
                    let answer = try client.ask("GET", "/v1/default/\(target)")
                    #expect(try ConfigAnswer(json: answer.body).isSnapshot == isSnapshot, "\(target)")
                    let head = try client.ask("HEAD", "/v1/default/\(target)")
                    #expect(head.status == 200 && head["content-length"] == answer["content-length"], "\(target)")
                }
            }
        }
    }

    @Test func aClosedConnectionCancelsItsWork() async throws {
        try await withHub(ReferenceStore()) { hub in
            try await onDedicatedThread {
                let server = EmbeddedServer(hub, tokens: [])
                defer { server.stop() }
                let client = try server.connection()
                try client.read(WireClient.request("GET", "/v1/default/entries").utf8)
                let work = try #require(client.connection.routeTask)
                #expect(!work.isCancelled)
                client.close()
                #expect(work.isCancelled)
            }
        }
    }

    private struct CountWork: SteppedWork {
        let count: Int

        mutating func step() -> Int? { count }
    }

    @Test(arguments: [false, true], [10_000, 100_000])
    func longBodiesDoNotBlockSharedThreads(isEvaluated: Bool, bytes: Int) async throws {
        var limits = ServerLimits()
        limits.workSeconds = 200
        let workers = Workers(limits) { $0 }
        let gate = DispatchSemaphore(value: 0)
        let caller = Caller(account: Caller.Account(party: .network(nil)), connection: ObjectIdentifier(gate))
        let budget = MemoryBudget(limit: .max)
        func body(_ count: Int) -> RequestBody {
            let body = RequestBody(budget)
            #expect(body.append(ByteBuffer(repeating: 0x20, count: count)))
            return body
        }
        @Sendable func count(_ body: RequestBody, _ parse: @escaping @Sendable ([UInt8]) -> Int) async throws -> Int {
            guard isEvaluated else { return try await workers.parsed(body, for: caller, parse) }
            return try await workers.evaluated(body, for: caller) { CountWork(count: parse($0)) }
        }
        try await withThrowingTaskGroup { group in
            // More than the number of threads.
            for _ in 0..<64 {
                let body = body(bytes)
                group.addTask {
                    try await count(body) { json in
                        gate.wait()
                        return json.count
                    }
                }
            }
            // Each of them would hold one by now.
            for _ in 0..<1000 { await Task.yield() }
            let short = body(3)
            let other = try await Task { try await workers.parsed(short, for: caller) { $0.count } }.value
            #expect(other == 3)
            for _ in 0..<64 { gate.signal() }
            for try await count in group { #expect(count == bytes) }
        }
    }

    @Test(arguments: [
        ("PUT", "/v1/default/entries/a", "{\"value\":["), ("PATCH", "/v1/default/entries", "{\"set\":{\"a\":1,\"b\":["),
        ("POST", "/config", "{\"key\":\"a\",\"value\":["),
    ])
    func valuesOfManyElementsAreRefusedBySize(method: String, target: String, start: String) async throws {
        var settings = ServerSettings()
        settings.limits.bodyPauseSeconds = 100
        try await TestServer(settings: settings).script { client in
            // It does not end: what follows the limit is not looked at.
            let body = start + String(repeating: "1,", count: 500_000)
            let answer = try client.ask(method, target, body: body)
            #expect(answer.status == 413)
            #expect(try ProblemDetails(json: answer.body).detail.contains("larger than 65535 bytes"))
        }
    }
}

extension ConfigAnswer {
    fileprivate var isSnapshot: Bool {
        if case .snapshot = self { true } else { false }
    }
}
