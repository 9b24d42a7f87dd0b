// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import ConfigStore
import ConfigWire
import HubTestSupport
import Synchronization
import TestSupport
import Testing

@testable import ConfigServer

/// The metrics of `GET /metrics` besides counters of requests.
@Suite(.timeLimit(.minutes(2)))
struct MetricsTests {
    @Test func onlyReadableNamespacesAreListed() async throws {
        let (text, token) = AccessToken.random(name: "one", role: .write, namespaces: ["one"])
        let (wide, all) = AccessToken.random(name: "all", role: .write, namespaces: nil)
        var limits = NamespaceHub.Limits()
        limits.quotas.keys = 7
        try await TestServer(tokens: [token, all], limits: limits).script { client in
            for name in ["one", "two"] {
                let body = #"{"set":{"a":1,"b":2}}"#
                #expect(try client.ask("PATCH", "/v1/\(name)/entries", body: body, token: wide).status == 200)
            }
            let own = try client.ask("GET", "/metrics", token: text).text
            #expect(own.contains(#"livery_namespace_keys{namespace="one"} 2"#))
            #expect(own.contains("livery_namespace_keys_limit 7") && !own.contains("two"))
            #expect(try client.ask("GET", "/metrics", token: wide).text.contains(#"{namespace="two"} 2"#))
        }
    }

    @Test func clientsCannotCreateSeries() async throws {
        try await TestServer().script { client in
            for number in 0..<20 {
                for target in ["/made/up/\(number)", "/v1/space-\(number)/config", "/v1/space-\(number)/entries/k"] {
                    _ = try client.ask("GET", target)
                }
                _ = try client.ask("VERB\(Character(Unicode.Scalar(UInt8(65 + number))))", "/v1/default/config")
            }
            let text = try client.ask("GET", "/metrics").text
            #expect(1...10 ~= text.matches(of: /\nlivery_http_requests_total\{/).count, "\(text)")
            #expect(!text.contains("space-") && !text.contains("VERB") && !text.contains("made"))
        }
    }

    @Test func refusedTokensAreCountedByStatus() async throws {
        let (text, token) = AccessToken.random(name: "t", role: .read, namespaces: nil)
        try await TestServer(tokens: [token]).script { client in
            #expect(try client.ask("GET", "/v1/default/config").status == 401)
            #expect(try client.ask("GET", "/v1/default/config", token: "wrong").status == 401)
            let write = try client.ask("PUT", "/v1/default/entries/a", body: #"{"value":1}"#, token: text)
            #expect(write.status == 403)
            let metrics = try client.ask("GET", "/metrics", token: text).text
            for line in [#"{status="401"} 2"#, #"{status="403"} 1"#, #"{status="429"} 0"#] {
                #expect(metrics.contains("livery_tokens_refused_total\(line)"), "\(metrics)")
            }
            let line = #"livery_http_requests_total{route="PUT /v1/{ns}/entries/{key}",status="403"} 1"#
            #expect(metrics.contains(line), "\(metrics)")
        }
    }
}
