// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import TestSupport
import Testing

@testable import ConfigServer

@Suite(.timeLimit(.minutes(5)))
struct TrustedProxiesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var peer = "10.0.0.1"
        var forwarded: [String] = []
        var forwardedFor: [String] = []
        var client: String

        var testDescription: String { "\(peer) \(forwarded) \(forwardedFor) → \(client)" }
    }

    /// Values of `X-Forwarded-For`, and the resulting client.
    private static let forwardedFor: [Case] = [
        // The rightmost address that is not a proxy's; the client may have made up those to its left.
        ("203.0.113.7", "203.0.113.7"), ("198.51.100.9, 203.0.113.7", "203.0.113.7"),
        ("198.51.100.9, 203.0.113.7, 10.1.2.3", "203.0.113.7"), ("10.9.9.9, 10.1.2.3", "10.9.9.9"),
        ("203.0.113.7:4711", "203.0.113.7"), ("2001:db8::7", "2001:db8::7"), ("[2001:db8::7]:4711", "2001:db8::7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        // From there on nothing is known.
        ("203.0.113.7, unknown", "10.0.0.1"), ("203.0.113.7, unknown, 10.1.2.3", "10.1.2.3"),
        ("nonsense", "10.0.0.1"), (" , ,", "10.0.0.1"), ("203.0.113.7\u{0}", "10.0.0.1"),
        ("203.0.113.7:", "10.0.0.1"), ("203.0.113.7:+80", "10.0.0.1"), ("203.0.113.7:65536", "10.0.0.1"),
        // A client claims something that would hide what nginx, Envoy or Caddy appends.
        ("8.8.8.8:\", 203.0.113.7", "203.0.113.7"), ("8.8.8.8,\"\\, 203.0.113.7", "203.0.113.7"),
        ("\u{600}, 203.0.113.7", "203.0.113.7"), ("8.8.8.8\u{600},203.0.113.7,10.1.2.3", "203.0.113.7"),
        ("8.8.8.8:\",fe80::1%eth0", "fe80::1"), ("[fe80::1%25eth0]:4711", "fe80::1"), ("fe80::1%", "10.0.0.1"),
        ("203.0.113.7:_port", "10.0.0.1"), ("[2001:db8::7]:_port", "10.0.0.1"), ("fe80::1%eth0 x", "10.0.0.1"),
        ("203.0.113.7%eth0", "10.0.0.1"), ("[2001:db8::7]4711", "10.0.0.1"), ("[2001:db8::7", "10.0.0.1"),
    ].map { Case(forwardedFor: [$0], client: $1) }

    /// The same for `Forwarded`.
    private static let forwarded: [Case] = [
        ("for=203.0.113.7;proto=https;by=10.0.0.1", "203.0.113.7"), ("For=\"203.0.113.7:4711\"", "203.0.113.7"),
        ("for=198.51.100.9, for=\"[2001:db8::7]:4711\"; host=\"a,b;c\"", "2001:db8::7"),
        ("for=198.51.100.9, for=_hidden", "10.0.0.1"), ("for=203.0.113.7, proto=https", "10.0.0.1"),
        ("for=203.0.113.7; for=198.51.100.9", "10.0.0.1"), ("for=\"", "10.0.0.1"),
        ("host=\"x\\\", for=198.51.100.9\"; for=203.0.113.7", "203.0.113.7"),
        ("for=\"8.8.8.8, for=203.0.113.7", "203.0.113.7"), ("for=8.8.8.8;by=\"\\, for=203.0.113.7", "203.0.113.7"),
        ("for=\", for=\"[2001:db8::7]:4711\"", "2001:db8::7"), ("\u{600}, for=203.0.113.7", "203.0.113.7"),
        ("for=8.8.8.8;x=\", for=\"203.0.113.7:_port\";proto=\"a\\\\\"", "203.0.113.7"),
        ("for=\"203.0.113.7\"x", "10.0.0.1"), ("for=203.0.113.7;host=\"", "10.0.0.1"),
        ("for=\"203.0.113.7:\"", "10.0.0.1"), ("for=\"203.0.113.7:_\"", "10.0.0.1"),
        ("for=203.0.113.7:80", "10.0.0.1"), ("for=[2001:db8::7]", "10.0.0.1"), ("for=\"2001:db8::7\"", "10.0.0.1"),
        ("for=203.0.113.7;=x", "10.0.0.1"), ("for=203.0.113.7;x=", "10.0.0.1"), ("for =203.0.113.7", "10.0.0.1"),
        ("for=203.0.113.7;proto=http;proto=https", "10.0.0.1"), ("for=203.0.113.7;;proto=http", "203.0.113.7"),
    ].map { Case(forwarded: [$0], client: $1) }

    private static let others: [Case] = [
        Case(client: "10.0.0.1"), Case(forwardedFor: ["198.51.100.9", "203.0.113.7"], client: "203.0.113.7"),
        Case(forwarded: ["for=198.51.100.9", "proto=http; for=203.0.113.7"], client: "203.0.113.7"),
        Case(forwarded: ["for=\"", "for=203.0.113.7"], client: "203.0.113.7"),
        Case(forwardedFor: ["8.8.8.8:\"", "203.0.113.7, 10.1.2.3"], client: "203.0.113.7"),
        // Both: only if they agree, for a proxy that writes one lets through the other.
        Case(forwarded: ["for=203.0.113.7"], forwardedFor: ["203.0.113.7"], client: "203.0.113.7"),
        Case(forwarded: ["for=198.51.100.9"], forwardedFor: ["203.0.113.7"], client: "10.0.0.1"),
        // Not from untrusted peers.
        Case(peer: "203.0.113.1", forwardedFor: ["198.51.100.9"], client: "203.0.113.1"),
        Case(peer: "203.0.113.1", forwarded: ["for=198.51.100.9"], client: "203.0.113.1"),
        Case(peer: "::1", forwardedFor: ["198.51.100.9"], client: "198.51.100.9"),
        Case(peer: "::ffff:10.2.3.4", forwardedFor: ["198.51.100.9"], client: "198.51.100.9"),
    ]

    @Test(arguments: forwardedFor + forwarded + others)
    func theClientIsTheLastUntrustedAddress(item: Case) throws {
        let proxies = TrustedProxies(try ["10.0.0.0/8", "::1"].map { try #require(AddressRange($0)) })
        let client = proxies.client(
            behind: IPAddress(item.peer),
            forwarded: item.forwarded,
            forwardedFor: item.forwardedFor
        )
        #expect(client?.description == item.client)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.1.2.3", "10.1.2.3", true),
        ("10.1.2.3", "10.1.2.4", false), ("10.1.2.3/31", "10.1.2.2", true), ("0.0.0.0/0", "203.0.113.7", true),
        ("0.0.0.0/0", "2001:db8::1", false), ("2001:db8::/32", "2001:db8:ffff::1", true),
        ("2001:db8::/32", "2001:db9::1", false), ("::/0", "203.0.113.7", true), ("::1", "::1", true),
        ("fe80::/10", "febf::1", true), ("2001:db8::8000:0:0:0/65", "2001:db8::8000:0:0:1", true),
        ("2001:db8::8000:0:0:0/65", "2001:db8::1", false), ("10.0.0.0/8", "::ffff:10.0.0.1", true),
    ])
    func rangesMatchByPrefix(range: String, address: String, isIn: Bool) throws {
        let (range, address) = (try #require(AddressRange(range)), try #require(IPAddress(address)))
        #expect(range.contains(address) == isIn)
        #expect(AddressRange(range.description) == range)
    }

    @Test(arguments: [
        "", "10", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "::/129", "proxy.example",
        "[::1]", "10.0.0.1:80", "::ffff:10.0.0.0/40",
    ])
    func invalidRangesAreRefused(text: String) {
        #expect(AddressRange(text) == nil)
    }

    @Test func failuresBehindAProxyCountPerClient() async throws {
        var settings = ServerSettings()
        settings.trustedProxies = TrustedProxies([try #require(AddressRange("127.0.0.1"))])
        let token = AccessToken.random(name: "t", role: .read, namespaces: nil).token
        try await TestServer(tokens: [token], failedAttemptsPerMinute: 2, settings: settings).script { client in
            for (targets, network) in [
                (["/v1", "/v1/default/config"], 1), (["/v1/default/config", "/v1"], 2),
            ] {
                for index in 0..<4 {
                    let field = ["X-Forwarded-For: 203.0.113.\(network)"]
                    let answer = try client.ask("GET", targets[index % 2], field, token: "no")
                    #expect(answer.status == (index < 2 ? 401 : 429), "\(network) \(index)")
                }
            }
            // By the PROXY protocol, whose client is not a trusted proxy: its own fields are ignored.
            for index in 0..<4 {
                let connection = try client.connection()
                connection.send("PROXY TCP6 2001:db8::\(index) ::1 4711 80\r\n")
                for (claim, number) in [("198.51.100.\(index)", 0), ("198.51.101.\(index)", 1)] {
                    let field = ["X-Forwarded-For: \(claim)"]
                    connection.send(WireClient.request("GET", "/v1", field, token: "no"))
                    let status = try connection.response().status
                    #expect(status == (index * 2 + number < 2 ? 401 : 429), "\(index) \(number)")
                }
            }
        }
    }
}
