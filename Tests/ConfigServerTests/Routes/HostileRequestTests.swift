// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import TestSupport
import Testing

@testable import ConfigServer

/// Requests that no client means: the server rejects each of them and writes nothing.
@Suite(.timeLimit(.minutes(5)))
struct HostileRequestTests {
    private typealias HostileRequest = (method: String, target: String, fields: [String], body: String?)

    /// Invalid replacements for names, keys, times and numbers.
    private static let injections: [String] = {
        let texts = [
            "' OR '1'='1", "'; DROP TABLE entries; --", "x') UNION SELECT 1,2,3 --", "..", "../../../../etc/passwd",
            "..\\..\\etc\\passwd", "%2e%2e%2f", "livery.sqlite\0.txt", "\0", "a\0b", "a\r\nX-Injected: 1", "\u{1B}[31m",
            "\u{7F}", "\u{202E}txt", "${jndi:ldap://x}", "$(id)", "é", "👩‍👩‍👧", String(repeating: "k", count: 300),
        ]
        let overlong: [[UInt8]] = [
            [0xC0, 0xAE, 0xC0, 0xAE, 0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xF0, 0x80, 0x80, 0xAE], [0xED, 0xA0, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xFF, 0xFE], [0x80],
        ]
        let encoded: [String] = (texts.map { Array($0.utf8) } + overlong).map { bytes in
            bytes.map { "%" + [$0].hexDigits }.joined()
        }
        let plain = ["'--", "..;", "%", "%2", "%zz", "a%00", "%C0%AE%C0%AE%C0%AF", "%u002e", "*", "~", "a..b", ".a"]
        return encoded + encoded.map { $0.replacing("%", with: "%25") } + plain
    }()

    /// The positions of names, keys, times and numbers, as `*`.
    private static let places: [(method: String, target: String, body: String?)] = [
        ("GET", "/v1/*/config", nil), ("GET", "/v1/*/events", nil), ("GET", "/v1/*/entries", nil),
        ("GET", "/v1/*/history", nil), ("GET", "/*%00.json", nil), ("GET", "/v1/*", nil), ("GET", "/config/*", nil),
        ("GET", "/*", nil), ("PATCH", "/v1/*/entries", #"{"set":{"a":1}}"#), ("POST", "/v1/*/rollback", #"{"to":0}"#),
        ("PUT", "/v1/*/entries/kept", #"{"value":1}"#), ("GET", "/v1/default/entries/*", nil),
        ("PUT", "/v1/default/entries/*", #"{"value":1}"#), ("DELETE", "/v1/default/entries/*", nil),
        ("GET", "/v1/default/config?after=*&epoch=0000000000000000", nil),
        ("GET", "/v1/default/config?after=0&epoch=*", nil), ("GET", "/v1/default/history?key=*", nil),
        ("GET", "/v1/default/history?before=*", nil), ("GET", "/v1/default/history?limit=*", nil),
    ]

    @Test func injectionsFindNoName() async throws {
        let requests = Self.injections.flatMap { injection in
            Self.places.map { place -> HostileRequest in
                (place.method, place.target.replacing("*", with: injection), [], place.body)
            }
        }
        try await reject(requests)
    }

    @Test func bodiesOfTheWrongSizeFormAndDepthAreRefused() async throws {
        let (form, key) = (["Content-Type: application/x-www-form-urlencoded"], String(repeating: "k", count: 300))
        let (deep, objects) = (String(repeating: "[", count: 100_000), String(repeating: #"{"a":"#, count: 100_000))
        let values = [
            deep, deep + String(repeating: "]", count: 100_000), objects, "", "{", "null", "[]", "1", "{\"value\":}",
            "{\"value\":1,}", "{\"value\":1}{}", "{\"value\":01}", "{\"value\":NaN}", "{\"value\":\"\u{0}\"}",
            "{\"value\":\"a\nb\"}", #"{"value":"\ud800"}"#, #"{"value":"\x"}"#, #"{"other":1}"#,
            #"{"value":1,"value":2}"#,
            "{\"value\":\(deep)}", "{\"value\":\(objects)}", "{\"value\":\"\(String(repeating: "x", count: 70_000))\"}",
        ]
        let sets = [
            #"{"set":{"\#(key)":1}}"#, #"{"unset":["\#(key)"]}"#, #"{"set":{"\u0000":1}}"#, #"{"set":{"":1}}"#,
            #"{"set":{"a":1,"' OR 1=1 --":1}}"#, #"{"set":{"a":1},"unset":["../a"]}"#, "{\"set\":\(objects)",
            #"{"set":[]}"#, #"{"expect":"'--"}"#,
        ]
        let rows = [
            #"{"key":"\#(key)","value":"1"}"#, #"{"key":"\u0000","value":"1"}"#, #"{"key":"a"}"#, #"{"value":"1"}"#,
            #"{"key":null,"value":null}"#, #"{"key":"'; DROP TABLE entries; --","value":"1"}"#, "{\"key\":\(deep)",
        ]
        let forms = [
            "key=\(key)&value=1", "key=%00&value=1", "key=a%0Db&value=1", "key=a&key=b&value=1", "key=%ff&value=1", "",
            "value=1", "key=a&value=%c0%ae", "key=%27%20OR%201%3D1&value=1", "key=a&value=1&\u{301}x=2",
            "key=a&value=1&%ff=2",
        ]
        let goals = ["'--", "-1", "1e3", "\"1\"", "18446744073709551616", deep]
        var requests: [HostileRequest] = values.map { ("PUT", "/v1/default/entries/a", [], $0) }
        requests += sets.map { ("PATCH", "/v1/default/entries", [], $0) }
        requests += rows.map { ("POST", "/config", [], $0) }
        requests += forms.map { ("POST", "/config", form, $0) }
        requests += goals.map { ("POST", "/v1/default/rollback", [], "{\"to\":\($0)}") }
        try await reject(requests)
    }

    private func reject(_ requests: [HostileRequest]) async throws {
        try await TestServer().script { client, server in
            #expect(try client.ask("PUT", "/v1/default/entries/kept", body: #"{"value":1}"#).status == 201)
            for (method, target, fields, body) in requests {
                let answer = try client.ask(method, target, fields, body: body)
                let request = "\(method) \(target.prefix(120)) \(body?.prefix(60) ?? ""): \(answer.status)"
                #expect((400..<500).contains(answer.status), "\(request)")
                #expect(answer["content-type"] == "application/problem+json", "\(request)")
            }
            #expect(server.hub.namespacesAndHead()?.namespaces.count == 1 && server.hub.head?.revision == 1)
        }
    }
}
