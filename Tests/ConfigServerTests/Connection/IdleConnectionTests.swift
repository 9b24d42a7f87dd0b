// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ConfigServer

/// Connections on which nothing happens.
@Suite(.timeLimit(.minutes(5)))
struct IdleConnectionTests {
    private static var settings: ServerSettings {
        var settings = ServerSettings()
        (settings.limits.headSeconds, settings.limits.idleSeconds) = (2, 8)
        return settings
    }

    /// Requests with whole answers, after which the connection has nothing to say.
    private static let requests = [
        RawExchange.config, RawExchange.request("GET", "/health"), RawExchange.config + RawExchange.config,
        RawExchange.config + "\r\n",
    ]

    @Test func idleConnectionsAreClosedSilently() async throws {
        try await TestServer.run(settings: Self.settings) { server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for request in Self.requests {
                    group.addTask { try await server.script { try Self.expectSilence(after: request, $0) } }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func expectSilence(after request: String, _ client: WireClient) throws {
        let connection = try client.connection()
        connection.send(request)
        let count = request.split(separator: "GET ").count
        for _ in 0..<count { #expect(try connection.response().status == 200) }
        let answered = ContinuousClock.now
        #expect(connection.rest().isEmpty && connection.isEnded, "\(request)")
        // The clock of the connections ticks once a second.
        #expect(ContinuousClock.now - answered > .seconds(6), "\(request)")
    }

    @Test func anUnfinishedRequestTimesOutWith408() async throws {
        try await TestServer.run(settings: Self.settings) { server in
            try await server.script { client in
                let connection = try client.connection()
                connection.send(RawExchange.config)
                #expect(try connection.response().status == 200)
                connection.send("GET /v1/def")
                #expect(try connection.response().status == 408)
            }
        }
    }

    @Test func silentConnectionsAreClosed() async throws {
        try await TestServer.run(settings: Self.settings) { server in
            try await server.script { client in
                let connection = try client.connection()
                #expect(connection.rest().isEmpty && connection.isEnded)
            }
        }
    }
}
