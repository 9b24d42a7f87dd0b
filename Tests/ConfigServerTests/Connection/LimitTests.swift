// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import TestSupport
import Testing

@testable import ConfigServer

@Suite(.timeLimit(.minutes(5)))
struct LimitTests {
    @Test func endlessBodiesAreCutOff() async throws {
        try await TestServer().script { client in
            let connection = try client.connection()
            let type = "Content-Type: application/json"
            connection.send(
                "POST /config HTTP/1.1\r\nHost: localhost\r\n\(type)\r\nTransfer-Encoding: chunked\r\n\r\n"
            )
            let chunk = "10000\r\n" + String(repeating: " ", count: 65_536) + "\r\n"
            for _ in 0..<200 { connection.send(chunk) }
            #expect(try connection.response().status == 413)
        }
    }

    @Test func surplusConnectionsAreAskedToRetry() async throws {
        var settings = ServerSettings()
        settings.limits.connections = 2
        try await TestServer(settings: settings).script { client in
            let held = [try client.connection(), try client.connection()]
            for connection in held {
                connection.send(WireClient.request("GET", "/v1/default/events"))
                #expect(try connection.response().status == 200)
            }
            let third = try client.connection()
            let answer = try third.response()
            #expect(answer.status == 503 && answer["retry-after"] != nil)
        }
    }

    /// The idle connections of one address do not take the place of others.
    @Test func idleConnectionsOfOneAddressAreClosedFirst() async throws {
        var settings = ServerSettings()
        settings.limits.connections = 32
        settings.eventLoops = 1
        settings.trustedProxies = TrustedProxies([try #require(AddressRange("127.0.0.1"))])
        try await TestServer(settings: settings).script { client in
            func connection(from address: String) throws -> WireConnection {
                let connection = try client.connection()
                connection.send("PROXY TCP4 \(address) 127.0.0.1 4711 80\r\n")
                connection.send(WireClient.request("GET", "/health"))
                #expect(try connection.response().status == 200, "\(address)")
                return connection
            }
            let neighbour = try connection(from: "198.51.100.1")
            let many = try (0..<30).map { _ in try connection(from: "203.0.113.7") }
            let others = try (2..<22).map { try connection(from: "192.0.2.\($0)") }
            for kept in [neighbour] + others {
                kept.send(WireClient.request("GET", "/health"))
                #expect(try kept.response().status == 200)
            }
            // Any of the connections that rest since the same second may be the first.
            let hasEnded = many.contains { connection in
                _ = connection.rest(within: 1)
                return connection.isEnded
            }
            #expect(hasEnded)
        }
    }

    @Test func foreignOriginsNeedTheOperatorsConsent() async throws {
        var settings = ServerSettings()
        settings.corsOrigins = ["https://app.example"]
        let open = settings
        try await TestServer(settings: open).script { client in
            let origin = "Origin: https://app.example"
            let preflight = try client.ask(
                "OPTIONS",
                "/v1/default/entries/a",
                [origin, "Access-Control-Request-Method: PUT"]
            )
            #expect(preflight.status == 204 && preflight["access-control-allow-methods"]?.contains("PUT") == true)
            // Fields added by browsers' tracers.
            let fields = "content-type,traceparent,tracestate,baggage,x-request-id,b a d"
            let traced = try client.ask(
                "OPTIONS",
                "/ofrep/v1/evaluate/flags",
                [origin, "Access-Control-Request-Method: POST", "Access-Control-Request-Headers: \(fields)"]
            )
            #expect(
                traced["access-control-allow-headers"]
                    == "content-type, traceparent, tracestate, baggage, x-request-id"
            )
            for target in ["/v1/default/config", "/health"] {
                #expect(
                    try client.ask("GET", target, [origin])["access-control-allow-origin"] == "https://app.example"
                )
                let evil = try client.ask("GET", target, ["Origin: https://evil.example"])
                #expect(evil.status == 403 && evil["access-control-allow-origin"] == nil)
            }
        }
        try await TestServer().script { client in
            let answer = try client.ask("GET", "/v1/default/config", ["Origin: https://app.example"])
            #expect(answer.status == 403)
            #expect(!answer.fields.contains { $0.name.hasPrefix("access-control") })
        }
    }
}
