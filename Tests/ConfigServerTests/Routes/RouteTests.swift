// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigStore
import ConfigStoreTesting
import ConfigWire
import TestSupport
import Testing

@testable import ConfigServer

@Suite(.timeLimit(.minutes(5)))
struct RouteTests {
    /// A request on a server with `a` = 1 at revision 1 and `b.c` = "x" at revision 2.
    struct Case: Sendable, CustomTestStringConvertible {
        var method: String
        var target: String
        var fields: [String]
        var body: String?
        var status: Int
        var contains: String
        var testDescription: String { "\(method) \(target) \(fields) \(body ?? "") → \(status)" }

        init(_ line: String, fields: [String] = [], body: String? = nil, _ status: Int, _ contains: String = "") {
            let words = line.split(separator: " ").map(String.init)
            (method, target) = words.count == 1 ? ("GET", line) : (words[0], words[1])
            (self.fields, self.body, self.status, self.contains) = (fields, body, status, contains)
        }
    }

    private static let securityFields = [
        "x-content-type-options": "nosniff", "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "referrer-policy": "no-referrer", "cross-origin-resource-policy": "same-site",
    ]

    private static func check(_ cases: [Case]) async throws {
        try await TestServer().script { client in
            for item in cases {
                _ = try client.ask("DELETE", "/v1/default/entries/new")
                _ = try client.ask("PUT", "/v1/default/entries/a", body: #"{"value":1}"#)
                _ = try client.ask("PUT", "/v1/default/entries/b.c", body: #"{"value":"x"}"#)
                let answer = try client.ask(item.method, item.target, item.fields, body: item.body)
                #expect(answer.status == item.status, "\(item.testDescription): \(answer.text)")
                let isThere = item.contains.isEmpty || answer.text.contains(item.contains)
                #expect(isThere, "\(item.testDescription): \(answer.text)")
                for (name, value) in Self.securityFields { #expect(answer[name] == value, "\(item.testDescription)") }
                let names = answer.fields.map(\.name).filter { $0 != "vary" }
                #expect(Set(names).count == names.count && answer["date"] != nil, "\(names)")
                guard answer.status >= 400, item.method != "HEAD" else { continue }
                #expect(answer["content-type"] == "application/problem+json")
                let problem = try ProblemDetails(json: answer.body)
                #expect(problem.status == answer.status)
                #expect(problem.type.hasPrefix("urn:livery:problem:") && !problem.detail.isEmpty)
            }
        }
    }

    @Test func readsReturnTheState() async throws {
        try await Self.check([
            Case("/v1/default/config", 200, #""entries":{"a":1,"b.c":"x"}"#),
            // A range is not honoured, which is allowed.
            Case("/v1/default/config", fields: ["Range: bytes=0-1"], 200, #""a":1"#),
            Case("/v1/%64efault/config", 200, #""a":1"#),
            Case("/v1/other/config", 200, #""entries":{}"#),
            Case("/v1/default/entries", 200, #""key":"b.c""#),
            Case("/v1/default/entries/a", 200, #""revision":1"#),
            Case("/v1/default/entries/b%2Ec", 200, #""value":"x""#),
            Case("/v1/default/history?key=a&limit=1", 200, #""next":null"#),
            Case("/v1/default/history?limit=1", 200, #""next":"#),
            Case("/v1", 200, #""name":"default""#),
            Case("/default.json", 200, #"{"a":1,"b":{"c":"x"}}"#),
            Case("/", 200, #"{"message":"Livery, live remote configuration"}"#),
            Case("/health", 200, #"{"status":"ok"}"#), Case("/ready", 200, #"{"status":"ready","age_ms":"#),
            Case("/metrics", 200, "livery_http_requests_total{route="),
            Case("/openapi.json", 200, #""openapi":"3.1.0""#),
        ])
    }

    @Test func invalidRequestsAreExplained() async throws {
        let (part, gzip) = (["Content-Range: bytes 0-10/20"], ["Content-Encoding: gzip"])
        try await Self.check([
            Case("/nowhere", 404), Case("/v1/default/entries/none", 404),
            Case("POST /v1/default/config", 405, "GET, HEAD"),
            Case("DELETE /v1", 405),
            Case("/v1/Default/config", 400, #""field":"ns""#),
            Case("/v1/default/entries/a..b", 400, "empty segment"),
            Case("/v1/default/entries/%00", 400, #"\\u0000"#),
            Case("/v1/default/entries/..%2Fetc", 400),
            Case("/v1/default/config?after=1", 400, #""field":"epoch""#),
            Case("/v1/default/config?epoch=0123456789abcdef", 400, #""field":"after""#),
            Case("/v1/default/config?epoch=0123456789abcdef&after=-1", 400),
            Case("/v1/default/config?after=1&after=2", 400, "duplicate parameter"),
            Case("/v1/default/history?limit=0", 400, #""field":"limit""#),
            Case("PUT /v1/default/entries/new", body: #"{"value":1,"value":2}"#, 400, #""location":"1:12""#),
            Case("PUT /v1/default/entries/new", body: #"{"valeu":1}"#, 400, "valeu"),
            Case("PUT /v1/default/entries/new", body: #"{"value":null}"#, 400, "null is not a value"),
            Case("PUT /v1/default/entries/new", body: #"{"value":{"a":1,"a":2}}"#, 400, #""location":"1:17""#),
            Case(
                "PUT /v1/default/entries/new",
                body: #"{"value":[1e999]}"#,
                400,
                "too large for a double; use a string"
            ),
            Case("PUT /v1/default/entries/new", body: #"{"value":0.10000000000000001}"#, 400, "too many digits"),
            Case("PUT /v1/default/entries/new", body: "{", 400),
            Case("PUT /v1/default/entries/new", body: "\"\(String(repeating: "x", count: 70_000))\"", 400),
            Case("PUT /v1/default/entries/new", body: "{\"value\":\"\(String(repeating: "x", count: 70_000))\"}", 413),
            Case("PUT /v1/default/entries/new", fields: ["Content-Type: text/plain"], body: "{}", 415),
            Case("PUT /v1/default/entries/new", fields: part, body: #"{"value":1}"#, 400, #""field":"Content-Range""#),
            Case("PATCH /v1/default/entries", fields: part, body: #"{"set":{"a":1}}"#, 400, "Content-Range"),
            Case("POST /v1/default/evaluate", fields: part, body: #"{"key":"a","contexts":[]}"#, 400, "Content-Range"),
            Case("PUT /v1/default/entries/new", fields: gzip, body: #"{"value":1}"#, 415, "Content-Encoding"),
            Case("POST /ofrep/v1/evaluate/flags", fields: gzip, body: #"{"context":{}}"#, 415, "Content-Encoding"),
            Case("DELETE /v1/default/entries/none", fields: part, 404),
            Case("PATCH /v1/default/entries", body: #"{"set":{"a":1},"unset":["a"]}"#, 400, #""key":"a""#),
            Case("PATCH /v1/default/entries", body: #"{"set":{"x y":1}}"#, 400),
            Case("PATCH /v1/default/entries", body: #"{"set":{"a":7},"expect":1}"#, 409, #""revision":"#),
            Case("POST /v1/default/rollback", body: #"{"to":900}"#, 404, #""field":"to""#),
            Case("POST /v1/default/rollback", body: #"{"to":1,"expect":900}"#, 409, #""field":"expect""#),
            Case("POST /v1/default/rollback", body: #"{"expect":1}"#, 400, "missing member 'to'"),
            Case("DELETE /v1/default/entries/none", 404),
        ])
    }

    @Test func writesReportTheirOutcome() async throws {
        try await Self.check([
            Case("PUT /v1/default/entries/new", body: #"{"value":true}"#, 201),
            Case("PUT /v1/default/entries/new.object", body: #"{"value":{"a":{"b":[null,1]}}}"#, 201),
            Case("PUT /v1/default/entries/a", body: #"{"value":1}"#, 200, #""revision":1"#),
            Case("PUT /v1/default/entries/new", fields: ["If-Match: *"], body: #"{"value":2}"#, 412),
            // A list without elements: nothing matches it.
            Case("PUT /v1/default/entries/a", fields: ["If-Match: ,"], body: #"{"value":2}"#, 412),
            Case("PATCH /v1/default/entries", body: #"{"set":{"new":1},"unset":["none"]}"#, 200, #""changed":["new"]"#),
            Case("PATCH /v1/default/entries", body: "{}", 200, #""changed":[]"#),
            Case("POST /v1/default/rollback", body: #"{"to":1}"#, 200, "b.c"),
            Case("DELETE /v1/default/entries/a", 204),
        ])
    }

    @Test func aKnownStateIsNotSentAgain() async throws {
        try await TestServer().script { client in
            let long = String(repeating: "long ", count: 200)
            _ = try client.ask("PUT", "/v1/default/entries/a", body: "{\"value\":\"\(long)\"}")
            let first = try client.ask("GET", "/v1/default/config")
            let tag = try #require(first["etag"])
            for list in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
                let answer = try client.ask("GET", "/v1/default/config", ["If-None-Match: \(list)"])
                #expect(answer.status == 304 && answer["etag"] == tag && answer["content-length"] == nil)
                for (name, value) in Self.securityFields { #expect(answer[name] == value) }
            }
            let zipped = try client.ask("GET", "/v1/default/config", ["Accept-Encoding: br;q=1, gzip;q=0.5"])
            #expect(zipped["content-encoding"] == "gzip" && zipped.body.starts(with: [0x1F, 0x8B]))
            #expect(zipped["etag"] != tag && zipped["vary"] == "accept-encoding")
            for refusal in ["gzip;q=0", "identity", "*;q=0", "gzip; q=0.000, *"] {
                let plain = try client.ask("GET", "/v1/default/config", ["Accept-Encoding: \(refusal)"])
                #expect(plain["content-encoding"] == nil && plain.body == first.body, "\(refusal)")
            }
        }
    }

    @Test func deltasLeadToTheStateOrReset() async throws {
        try await TestServer().script { client in
            for value in 1...3 { _ = try client.ask("PUT", "/v1/default/entries/a", body: "{\"value\":\(value)}") }
            guard
                case .snapshot(let now, false) = try ConfigAnswer(
                    json: client.ask("GET", "/v1/default/config").body
                )
            else { Issue.record("no snapshot"); return }
            func answer(_ epoch: Epoch, _ after: UInt64) throws -> ConfigAnswer {
                try ConfigAnswer(json: client.ask("GET", "/v1/default/config?epoch=\(epoch)&after=\(after)").body)
            }
            let (epoch, digest) = (now.cursor.epoch, now.digest)
            #expect(try answer(epoch, 3) == .changes(Changeset(from: 3, to: 3, digest: digest), epoch: epoch))
            let change = Changeset(from: 1, to: 3, digest: digest, upserts: ["a": .integer(3)])
            #expect(try answer(epoch, 1) == .changes(change, epoch: epoch))
            #expect(try answer(epoch, 4) == .snapshot(now, isReset: true))
            #expect(try answer(Epoch(rawValue: ~epoch.rawValue), 3) == .snapshot(now, isReset: true))
        }
    }

    @Test func theLegacyTableIsServedUnchanged() async throws {
        try await TestServer().script { client in
            let first = try client.ask("POST", "/config", body: #"{"key":"k","value":"😸"}"#)
            #expect(first.status == 200 && first.text == #"{"id":1,"key":"k","value":"😸"}"#)
            let form = ["Content-Type: application/x-www-form-urlencoded"]
            let second = try client.ask("POST", "/config", form, body: "key=f&value=a+b%21")
            #expect(second.text == #"{"id":2,"key":"f","value":"a b!"}"#)
            let unknown = try client.ask("POST", "/config", form, body: "key=g&value=1&valeu=2")
            #expect(unknown.status == 400 && unknown.text.contains("'valeu'"))
            for (body, status) in [
                (#"{"key":"k","value":"x"}"#, 409), ("{}", 400), (#"{"key":null,"value":"x"}"#, 400),
                (#"{"key":"n"}"#, 400), (#"{"key":"K","value":"case counts"}"#, 200),
                ("{\"key\":\"\(String(repeating: "k", count: 300))\",\"value\":\"x\"}", 400),
            ] {
                #expect(try client.ask("POST", "/config", body: body).status == status, "\(body)")
            }
            let rows = try client.ask("GET", "/config").text
            #expect(rows.hasPrefix(#"[{"id":1,"key":"k","value":"😸","created_at":"20"#) && rows.contains("Z\"}"))
            let stamp = try #require(rows.split(separator: "\"").last { $0.hasSuffix("Z") })
            #expect(try client.ask("GET", "/config/\(stamp)").text == "[]")
            #expect(try client.ask("GET", "/config/2020-10-17T18:43:19.000Z").text == rows)
            #expect(try client.ask("GET", "/config/2020-10-17T20:43:19.000+02:00").text == rows)
            #expect(try client.ask("GET", "/config/2020-10-17T20:43:19.000999+02:00").text == rows)
            for bad in [
                "now", "2020-10-17", "'%20OR%201=1", "2020-13-01T00:00:00Z", "2020-10-17T18:43:19+2",
                "2020-10-17T18:43:19.000+0:000",
            ] {
                #expect(try client.ask("GET", "/config/\(bad)").status == 400, "\(bad)")
            }
        }
    }

    @Test func theNamespaceOpenapiIsReadOnly() async throws {
        let store = ReferenceStore()
        let old = Publish(namespace: "openapi", change: .edit(["a": .integer(1), "b": .integer(2)]))
        _ = try await store.commit([old])
        try await TestServer(store: store).script { client in
            for (method, target, body) in [
                ("PUT", "/v1/openapi/entries/a", #"{"value":2}"#),
                ("PATCH", "/v1/openapi/entries", #"{"set":{"c":1}}"#),
                ("POST", "/v1/openapi/rollback", #"{"to":0}"#), ("PUT", "/v1/%6fpenapi/entries/a", #"{"value":2}"#),
            ] {
                let answer = try client.ask(method, target, body: body)
                #expect(answer.status == 400 && answer.text.contains("'openapi' is reserved"), "\(answer.text)")
            }
            #expect(try client.ask("GET", "/openapi.json").text.contains(#""openapi":"3.1.0""#))
            #expect(try client.ask("GET", "/v1/openapi/config").text.contains(#""entries":{"a":1,"b":2}"#))
            #expect(try client.ask("DELETE", "/v1/openapi/entries/a").status == 204)
        }
    }
}
