// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import TestSupport
import Testing

@testable import ConfigServer

/// Names in requests are compared by their bytes: the Kelvin sign, U+212A, is no K, though Swift takes the two for equal.
@Suite(.timeLimit(.minutes(5)))
struct EquivalentNameTests {
    /// The Kelvin sign, percent-encoded.
    private static let kelvin = "%E2%84%AA"

    private static let contents = #"""
        {"set":{"K":1,"K.L":2},"schemas":{"K":{"type":"integer"}},
        "rules":{"K":{"variants":{"x":1},"defaultVariant":"x"}}}
        """#

    private static func body(_ route: WireRoute) -> String? {
        switch route.name {
        case WireRoute.putEntry.name: #"{"value":3}"#
        case WireRoute.putSchema.name: #"{"schema":{"type":"number"}}"#
        case WireRoute.putRule.name: #"{"rule":{"variants":{"x":3},"defaultVariant":"x"}}"#
        default: route.hasBody ? #"{"context":{}}"# : nil
        }
    }

    @Test func noPathLeadsToAnEquivalentName() async throws {
        let named = ["{key}", "{name}", "{rule}"]
        let routes = Route.declarations.filter { route in named.contains { route.path.contains($0) } }
        #expect(routes.count == 11)
        try await TestServer().script { client in
            #expect(try client.ask("PATCH", "/v1/default/entries", body: Self.contents).status == 200)
            let before = try client.ask("GET", "/v1/default/config?schemas=true").text
            for route in routes {
                var path = route.path.replacing("{ns}", with: "default")
                for parameter in named { path = path.replacing(parameter, with: Self.kelvin) }
                let answer = try client.ask(route.method, path, body: Self.body(route))
                #expect([400, 404].contains(answer.status), "\(route.name): \(answer.text)")
                #expect(
                    !answer.text.contains(#""value""#) && answer["etag"] == nil,
                    "\(route.name): \(answer.text)"
                )
                path = path.replacing(Self.kelvin, with: "K")
                guard route.isRead else { continue }
                #expect(try client.ask(route.method, path, body: Self.body(route)).status == 200, "\(path)")
            }
            for field in ["key", "schema", "rule"] {
                #expect(try client.ask("GET", "/v1/default/history?\(field)=\(Self.kelvin)").status == 400)
            }
            #expect(try client.ask("GET", "/v1/default/config?schemas=true").text == before)
        }
    }

    @Test(arguments: [
        ("POST", "/v1/default/evaluate", #"{"key":"\#u{212A}","contexts":[{}]}"#),
        ("PATCH", "/v1/default/entries", #"{"set":{"\#u{212A}":1}}"#),
        ("PATCH", "/v1/default/entries", #"{"unset":["\#u{212A}"]}"#),
        ("PATCH", "/v1/default/entries", #"{"schemas":{"\#u{212A}":null}}"#),
        ("PATCH", "/v1/default/entries", #"{"rules":{"\#u{212A}":null}}"#),
        ("POST", "/config", #"{"key":"\#u{212A}","value":"1"}"#),
    ])
    func bodiesWithAnEquivalentKeyAreRefused(method: String, path: String, body: String) async throws {
        try await TestServer().script { client in
            #expect(try client.ask("PATCH", "/v1/default/entries", body: Self.contents).status == 200)
            let answer = try client.ask(method, path, body: body)
            #expect(answer.status == 400, "\(answer.text)")
        }
    }

    @Test func tokensMayHaveNamesThatOnlyLookTheSame() throws {
        let (first, second) = (
            AccessToken.random(name: "\u{E9}", role: .read, namespaces: nil).token,
            AccessToken.random(name: "e\u{301}", role: .read, namespaces: nil).token
        )
        let file = first.json + Array("\n".utf8) + second.json
        #expect(try TokenTable(file: file, named: "tokens").tokens.count == 2)
        #expect(throws: ConfigError.self) {
            try TokenTable(file: file + Array("\n".utf8) + first.json, named: "tokens")
        }
    }
}
