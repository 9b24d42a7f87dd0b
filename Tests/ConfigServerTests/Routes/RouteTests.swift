import ConfigModel
import ConfigStore
import ConfigStoreTesting
import TestSupport
import Testing

@testable import ConfigServer

@Suite(.timeLimit(.minutes(5)))
struct RouteTests {
    /// A request on a server with `a` = 1 at revision 1 and `b.c` = "x" at revision 2.
    struct Case: Sendable, CustomTestStringConvertible {
        var method = "GET"
        var target: String
        var fields: [String] = []
        var body: String?
        var status: Int
        var contains = ""
        var testDescription: String { "\(method) \(target) \(fields) \(body ?? "") → \(status)" }
    }

    private static func check(_ cases: [Case]) async throws {
        try await TestServer.run { server in
            for item in cases {
                try await server.script { client in
                    _ = try client.ask("DELETE", "/v1/default/entries/new")
                    _ = try client.ask("PUT", "/v1/default/entries/a", body: #"{"value":1}"#)
                    _ = try client.ask("PUT", "/v1/default/entries/b.c", body: #"{"value":"x"}"#)
                    let answer = try client.ask(item.method, item.target, item.fields, body: item.body)
                    #expect(answer.status == item.status, "\(item.testDescription): \(answer.text)")
                    #expect(
                        item.contains.isEmpty || answer.text.contains(item.contains),
                        "\(item.testDescription): \(answer.text)"
                    )
                    #expect(answer["x-content-type-options"] == "nosniff")
                    guard answer.status >= 400, item.method != "HEAD" else { return }
                    #expect(answer["content-type"] == "application/problem+json")
                    let problem = try ProblemDetails(json: answer.body)
                    #expect(problem.status == answer.status)
                    #expect(problem.type.hasPrefix("urn:livery:problem:") && !problem.detail.isEmpty)
                }
            }
        }
    }

    @Test func `reads tell what there is`() async throws {
        try await Self.check([
            Case(target: "/v1/default/config", status: 200, contains: #""entries":{"a":1,"b.c":"x"}"#),
            Case(method: "HEAD", target: "/v1/default/config", status: 200),
            Case(target: "/v1/%64efault/config", status: 200, contains: #""a":1"#),
            Case(target: "/v1/other/config", status: 200, contains: #""entries":{}"#),
            Case(target: "/v1/default/entries", status: 200, contains: #""key":"b.c""#),
            Case(target: "/v1/default/entries/a", status: 200, contains: #""revision":1"#),
            Case(target: "/v1/default/entries/b%2Ec", status: 200, contains: #""value":"x""#),
            Case(target: "/v1/default/history?key=a&limit=1", status: 200, contains: #""next":null"#),
            Case(target: "/v1/default/history?limit=1", status: 200, contains: #""next":"#),
            Case(target: "/v1", status: 200, contains: #""name":"default""#),
            Case(target: "/default.json", status: 200, contains: #"{"a":1,"b":{"c":"x"}}"#),
            Case(target: "/", status: 200, contains: #"{"message":"#),
            Case(target: "/health", status: 200), Case(target: "/ready", status: 200),
            Case(target: "/metrics", status: 200, contains: "livery_http_requests_total{route="),
            Case(target: "/openapi.json", status: 200, contains: #""openapi":"3.1.0""#),
        ])
    }

    @Test func `what is wrong with a request is told`() async throws {
        try await Self.check([
            Case(target: "/nowhere", status: 404), Case(target: "/v1/default/entries/none", status: 404),
            Case(method: "POST", target: "/v1/default/config", status: 405, contains: "GET, HEAD"),
            Case(method: "DELETE", target: "/v1", status: 405),
            Case(target: "/v1/Default/config", status: 400, contains: #""field":"ns""#),
            Case(target: "/v1/default/entries/a..b", status: 400, contains: "empty segment"),
            Case(target: "/v1/default/entries/%00", status: 400, contains: #"\\u0000"#),
            Case(target: "/v1/default/entries/..%2Fetc", status: 400),
            Case(target: "/v1/default/config?after=1", status: 400, contains: #""field":"epoch""#),
            Case(target: "/v1/default/config?epoch=0123456789abcdef", status: 400, contains: #""field":"after""#),
            Case(target: "/v1/default/config?epoch=0123456789abcdef&after=-1", status: 400),
            Case(target: "/v1/default/config?after=1&after=2", status: 400, contains: "twice"),
            Case(target: "/v1/default/history?limit=0", status: 400, contains: #""field":"limit""#),
            Case(
                method: "PUT",
                target: "/v1/default/entries/new",
                body: #"{"value":1,"value":2}"#,
                status: 400,
                contains: #""location":"1:12""#
            ),
            Case(
                method: "PUT",
                target: "/v1/default/entries/new",
                body: #"{"valeu":1}"#,
                status: 400,
                contains: "valeu"
            ),
            Case(method: "PUT", target: "/v1/default/entries/new", body: #"{"value":null}"#, status: 400),
            Case(
                method: "PUT",
                target: "/v1/default/entries/new",
                body: #"{"value":{"a":{"b":1}}}"#,
                status: 400,
                contains: "a value is not an object"
            ),
            Case(
                method: "PUT",
                target: "/v1/default/entries/new",
                body: #"{"value":[{}]}"#,
                status: 400,
                contains: "an array may not hold an object"
            ),
            Case(method: "PUT", target: "/v1/default/entries/new", body: "{", status: 400),
            Case(
                method: "PUT",
                target: "/v1/default/entries/new",
                body: "\"\(String(repeating: "x", count: 70_000))\"",
                status: 400
            ),
            Case(
                method: "PUT",
                target: "/v1/default/entries/new",
                body: "{\"value\":\"\(String(repeating: "x", count: 70_000))\"}",
                status: 413
            ),
            Case(
                method: "PUT",
                target: "/v1/default/entries/new",
                fields: ["Content-Type: text/plain"],
                body: "{}",
                status: 415
            ),
            Case(
                method: "PATCH",
                target: "/v1/default/entries",
                body: #"{"set":{"a":1},"unset":["a"]}"#,
                status: 400,
                contains: #""key":"a""#
            ),
            Case(method: "PATCH", target: "/v1/default/entries", body: #"{"set":{"x y":1}}"#, status: 400),
            Case(
                method: "PATCH",
                target: "/v1/default/entries",
                body: #"{"set":{"a":7},"expect":1}"#,
                status: 409,
                contains: #""revision":"#
            ),
            Case(
                method: "POST",
                target: "/v1/default/rollback",
                body: #"{"to":900}"#,
                status: 404,
                contains: #""field":"to""#
            ),
            Case(method: "DELETE", target: "/v1/default/entries/none", status: 404),
        ])
    }

    @Test func `writes say what came of them`() async throws {
        try await Self.check([
            Case(method: "PUT", target: "/v1/default/entries/new", body: #"{"value":true}"#, status: 201),
            Case(
                method: "PUT",
                target: "/v1/default/entries/a",
                body: #"{"value":1}"#,
                status: 200,
                contains: #""revision":1"#
            ),
            Case(
                method: "PUT",
                target: "/v1/default/entries/a",
                fields: ["If-None-Match: *"],
                body: #"{"value":2}"#,
                status: 412
            ),
            Case(
                method: "PUT",
                target: "/v1/default/entries/new",
                fields: ["If-Match: *"],
                body: #"{"value":2}"#,
                status: 412
            ),
            Case(
                method: "PUT",
                target: "/v1/default/entries/a",
                fields: [#"If-Match: "0123456789abcdef:1""#],
                body: #"{"value":2}"#,
                status: 412
            ),
            Case(
                method: "PUT",
                target: "/v1/default/entries/a",
                fields: ["If-Match: nonsense"],
                body: #"{"value":2}"#,
                status: 400
            ),
            // A list without elements: nothing matches it.
            Case(
                method: "PUT",
                target: "/v1/default/entries/a",
                fields: ["If-Match: ,"],
                body: #"{"value":2}"#,
                status: 412
            ),
            Case(
                method: "DELETE",
                target: "/v1/default/entries/a",
                fields: [#"If-Match: "0123456789abcdef:1""#],
                status: 412
            ),
            Case(
                method: "PATCH",
                target: "/v1/default/entries",
                body: #"{"set":{"new":1},"unset":["none"]}"#,
                status: 200,
                contains: #""changed":["new"]"#
            ),
            Case(method: "PATCH", target: "/v1/default/entries", body: "{}", status: 200, contains: #""changed":[]"#),
            Case(method: "POST", target: "/v1/default/rollback", body: #"{"to":1}"#, status: 200, contains: "b.c"),
            Case(method: "DELETE", target: "/v1/default/entries/a", status: 204),
        ])
    }

    @Test func `a state that the client has is not sent again`() async throws {
        try await TestServer.run { server in
            try await server.script { client in
                let long = String(repeating: "long ", count: 200)
                _ = try client.ask("PUT", "/v1/default/entries/a", body: "{\"value\":\"\(long)\"}")
                let first = try client.ask("GET", "/v1/default/config")
                let tag = try #require(first["etag"])
                for list in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
                    let answer = try client.ask("GET", "/v1/default/config", ["If-None-Match: \(list)"])
                    #expect(answer.status == 304 && answer["etag"] == tag && answer["content-length"] == nil)
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
    }

    @Test func `changes since a revision lead to the present, and a reset where they cannot`() async throws {
        try await TestServer.run { server in
            try await server.script { client in
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
    }

    @Test func `the legacy table is served as it was`() async throws {
        try await TestServer.run { server in
            try await server.script { client in
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
                for bad in ["now", "2020-10-17", "'%20OR%201=1", "2020-13-01T00:00:00Z", "2020-10-17T18:43:19+2"] {
                    #expect(try client.ask("GET", "/config/\(bad)").status == 400, "\(bad)")
                }
            }
        }
    }

    @Test func `nothing is written into the namespace whose document is the server's description`() async throws {
        let store = ReferenceStore()
        let old = Publish(namespace: "openapi", change: .edit(["a": .integer(1), "b": .integer(2)]))
        _ = try await store.commit([old])
        try await TestServer.run(store: store) { server in
            try await server.script { client in
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
}
