// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import TestSupport
import Testing

@testable import ConfigServer

/// Clients of every pace: clients that read are served to the end, clients that read nothing are dropped.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SlowPeerTests {
    private static let patience = 5

    private static var settings: ServerSettings {
        var settings = ServerSettings()
        settings.limits.stalledSeconds = patience
        return settings
    }

    /// Each takes several times the patience.
    private static let steady = SlowPeer.Kind.allCases.flatMap { kind in
        [SlowPeer(kind: kind, size: .large, rate: 600_000), SlowPeer(kind: kind, size: .small, rate: 110_000)]
    }

    private static let stalled = SlowPeer.Kind.allCases.map { SlowPeer(kind: $0, size: .large, rate: 0) }

    private static func publish(_ client: WireClient) throws {
        for size in [SlowPeer.Size.small, .large] {
            for number in 0..<size.changes {
                let answer = try client.ask("PATCH", "/v1/\(size.namespace)/entries", body: size.patch(number))
                #expect(answer.status == 200)
            }
        }
    }

    /// Runs a closure for each client at the same time.
    private static func forEach(
        _ peers: [SlowPeer],
        of server: LiveServer,
        _ work: @escaping @Sendable (SlowPeer, WireClient) throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for peer in peers { group.addTask { try await server.script { try work(peer, $0) } } }
            try await group.waitForAll()
        }
    }

    @Test func slowReadersAreServedAndStalledOnesDropped() async throws {
        try await TestServer(settings: Self.settings).run { server in
            let epoch = try #require(server.hub.head?.epoch)
            try await server.script { try Self.publish($0) }
            try await Self.forEach(Self.steady + Self.stalled, of: server) { peer, client in
                let connection = try peer.begin(client, epoch)
                let start = ContinuousClock.now
                if peer.rate > 0 {
                    try peer.takeAll(connection)
                } else {
                    #expect(connection.isReset(within: 60), "\(peer.testDescription)")
                }
                // Less would show nothing.
                #expect(
                    ContinuousClock.now - start > .seconds(Self.patience) - .milliseconds(100),
                    "\(peer.testDescription)"
                )
            }
            let metrics = try await server.script { try $0.ask("GET", "/metrics").text }
            let streams = Self.stalled.count { $0.kind.isStream }
            #expect(metrics.contains("livery_streams_dropped_total \(streams)"))
        }
    }

    @Test func shutdownWaitsForSlowReaders() async throws {
        try await TestServer(settings: Self.settings).run { server in
            let epoch = try #require(server.hub.head?.epoch)
            try await server.script { try Self.publish($0) }
            let peers = SlowPeer.Kind.answers.map { SlowPeer(kind: $0, size: .large, rate: 600_000) }
            let (begun, telling) = AsyncStream.makeStream(of: Void.self)
            async let ended: Void = Self.forEach(peers, of: server) { peer, client in
                let connection = try peer.begin(client, epoch)
                connection.bytesPerSecond = peer.rate
                // Its first bytes show that the response has started.
                #expect(try connection.peek() != nil)
                telling.yield()
                try peer.takeAll(connection)
            }
            var iterator = begun.makeAsyncIterator()
            for _ in peers { await iterator.next() }
            await server.shutDown()
            try await ended
        }
    }
}
