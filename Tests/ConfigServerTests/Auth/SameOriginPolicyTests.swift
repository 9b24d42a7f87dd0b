// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import ConfigStore
import ConfigWire
import NIOHTTP1
import TestSupport
import Testing

@testable import ConfigServer

@Suite(.timeLimit(.minutes(5)))
struct SameOriginPolicyTests {
    /// A request, and the status with which it is refused.
    struct Case: Sendable, CustomTestStringConvertible {
        var host: String? = "localhost:3000"
        var origin: String?
        var site: String?
        var changes = true
        var hasTokens = false
        var cors: [String] = []
        var hosts: [String] = []
        var status: UInt?

        var testDescription: String {
            "\(host ?? "-") \(origin ?? "-") \(site ?? "-") \(changes) \(hasTokens) \(cors) \(hosts) → \(status ?? 0)"
        }
    }

    private static let local: [Case] = [
        "localhost", "LOCALHOST:1", "localhost.", "app.localhost:3000", "127.0.0.1", "127.9.9.9:3000", "[::1]:3000",
        "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]:80",
    ].map { Case(host: $0) }

    private static let rebound: [Case] = [
        "evil.example", "evil.example:3000", "localhost.evil.example", "evillocalhost", "127.0.0.1.evil.example",
        "0.0.0.0:3000", "[::]:3000", "192.168.1.10", "[2001:db8::1]", "", ":3000", "127.0.0.1@evil.example", "[::1",
        "config.test",
    ].flatMap { host in [true, false].map { Case(host: host, changes: $0, status: 421) } }

    private static let hosts: [Case] = [
        Case(host: nil), Case(host: "config.test", hosts: ["config.test"]),
        Case(host: "Config.Test:3000", hosts: ["config.test"]), Case(host: "config.test", hosts: ["CONFIG.test"]),
        Case(host: "a.config.test", hosts: ["config.test"], status: 421),
        Case(host: "config.test", origin: "http://config.test", hosts: ["config.test"]),
        // The name allows nothing but the name.
        Case(host: "config.test", origin: "http://evil.example", hosts: ["config.test"], status: 403),
        // With tokens any name is accepted: a page has no token.
        Case(host: "config.example", hasTokens: true),
        Case(host: "config.example", origin: "https://config.example", site: "same-origin", hasTokens: true),
        Case(host: "config.example", origin: "https://evil.example", hasTokens: true, status: 403),
    ]

    private static let origins: [Case] = [
        Case(origin: "http://localhost:3000"), Case(origin: "http://LOCALHOST:3000", site: "same-origin"),
        Case(host: "localhost", origin: "http://localhost:80"),
        Case(host: "localhost:443", origin: "https://localhost"),
        Case(host: "localhost:80", origin: "https://localhost", status: 403),
        Case(origin: "http://localhost", status: 403), Case(origin: "http://localhost:3001", status: 403),
        Case(origin: "http://127.0.0.1:3000", status: 403), Case(origin: "http://evil.example", status: 403),
        Case(origin: "http://evil.example", changes: false, status: 403), Case(origin: "null", status: 403),
        Case(origin: "", status: 403), Case(origin: "localhost:3000", status: 403),
        Case(origin: "file://localhost:3000", status: 403), Case(host: nil, origin: "http://localhost", status: 403),
        Case(origin: "http://localhost:3000, http://evil.example", status: 403),
        Case(origin: "https://app.example", cors: ["https://app.example"]),
        Case(origin: "https://app.example", site: "cross-site", cors: ["https://app.example"]),
        Case(origin: "https://app.example:8443", cors: ["https://app.example"], status: 403),
        Case(origin: "http://anything.example", site: "cross-site", cors: ["*"]), Case(origin: "null", cors: ["*"]),
    ]

    private static let sites: [Case] = [
        Case(site: "same-origin"), Case(site: "none"), Case(site: "cross-site", status: 403),
        Case(site: "same-site", status: 403), Case(site: "nonsense", status: 403),
        // A link to here, or an image: nothing of the answer can be read by the page.
        Case(site: "cross-site", changes: false), Case(site: "cross-site", hasTokens: true, status: 403),
        Case(origin: "http://localhost:3000", site: "cross-site", status: 403),
        Case(site: "cross-site", cors: ["https://app.example"], status: 403),
    ]

    @Test(arguments: local + rebound + hosts + origins + sites)
    func originAndHostDecideWhetherARequestIsAnswered(item: Case) {
        let policy = SameOriginPolicy(origins: item.cors, hosts: item.hosts)
        let request = RequestOrigin(host: item.host, origin: item.origin, site: item.site)
        let problem = policy.problem(with: request, changes: item.changes, hasTokens: item.hasTokens)
        #expect(problem?.status.code == item.status)
    }

    @Test(
        arguments: [
            (nil, [.json], nil, nil, 415), ("text/plain", [.json], nil, nil, 415),
            ("application/json", [.json], nil, nil, nil),
            ("application/JSON; charset=utf-8", [.json], nil, nil, nil),
            ("application/x-www-form-urlencoded", [.json], nil, nil, 415),
            ("application/x-www-form-urlencoded", [.json, .form], nil, nil, nil),
            ("application/x-www-form-urlencoded", [.json, .form], "http://localhost", "same-origin", nil),
            ("application/x-www-form-urlencoded", [.json, .form], "http://evil.example", nil, 403),
            ("application/x-www-form-urlencoded", [.json, .form], nil, "cross-site", 403),
            ("application/x-www-form-urlencoded", [.json, .form], nil, "same-site", 403),
            ("application/json, text/plain", [.json, .form], nil, nil, 415), ("", [.json, .form], nil, nil, 415),
        ] as [(String?, [MediaTypeName], String?, String?, UInt?)]
    )
    func bodiesNeedATypeThatRequiresPreflight(
        type: String?,
        accepted: [MediaTypeName],
        origin: String?,
        site: String?,
        status: UInt?
    ) {
        // Origins that may use the server may send no forms either: they can send JSON.
        let policy = SameOriginPolicy(origins: ["*"])
        let request = RequestOrigin(host: "localhost", origin: origin, site: site)
        #expect(policy.problem(with: type, accepted: accepted, from: request)?.status.code == status)
    }

    @Test func everyRouteRefusesForeignOriginsAndHosts() async throws {
        try await TestServer().script { client, server in
            for route in Route.declarations {
                let (target, body) = (route.exampleTarget, route.exampleBody)
                for (fields, status) in [
                    (["Origin: http://evil.example"], 403), (["Host: evil.example"], 421),
                    (["Host: evil.example", "Origin: http://evil.example", "Sec-Fetch-Site: same-origin"], 421),
                ] {
                    let answer = try client.ask(route.method, target, fields, body: body)
                    #expect(answer.status == status, "\(route.name) \(fields)")
                    #expect(answer["content-type"] == "application/problem+json")
                }
                let absolute = "http://evil.example" + target
                #expect(try client.ask(route.method, absolute, body: body).status == 421, "\(route.name)")
                guard route.method != "GET" else { continue }
                let answer = try client.ask(route.method, target, ["Sec-Fetch-Site: cross-site"], body: body)
                #expect(answer.status == 403, "\(route.name)")
            }
            #expect(server.hub.head?.revision == 0)
        }
    }

    @Test func everyRouteWithABodyRequiresItsType() async throws {
        try await TestServer().script { client, server in
            let routes = Route.declarations.filter { !["GET", "DELETE"].contains($0.method) }
            #expect(routes.count == 18)
            for route in routes {
                let body = try #require(route.exampleBody)
                for type in [nil, "text/plain", "multipart/form-data; boundary=x"] {
                    let connection = try client.connection()
                    let line = type.map { "Content-Type: \($0)\r\n" } ?? ""
                    connection.send(
                        "\(route.method) \(route.exampleTarget) HTTP/1.1\r\nHost: localhost\r\n\(line)"
                            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
                    )
                    #expect(try connection.response().status == 415, "\(route.name) \(type ?? "-")")
                }
            }
            #expect(server.hub.head?.revision == 0)
        }
    }
}
