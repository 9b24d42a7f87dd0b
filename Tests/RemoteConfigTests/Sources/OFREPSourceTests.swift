// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Foundation
import TestSupport
import Testing

@testable import RemoteConfig

/// A client of any server that supports OpenFeature's protocol.
@Suite(.timeLimit(.minutes(5)))
struct OFREPSourceTests {
    private static let context = EvaluationContext(targetingKey: "user-1", ["team": "blue"])

    /// Reads from a server with a single response.
    private func read(
        _ status: String = "200 OK",
        _ fields: [String: String] = ["Content-Type": "application/json"],
        body: String
    ) async throws -> SourceReading {
        let server = try ScriptedServer { connection, _ in try connection.respond(status, fields, body) }
        defer { server.stop() }
        return try await OFREPSource(url: server.url()).read()
    }

    private func values(_ reading: SourceReading) -> [String: EntryValue] {
        guard case .entries(let entries) = reading.content else { return [:] }
        return entries.mapValues(\.value)
    }

    @Test func flagsAreValues() async throws {
        let body = #"""
            {"flags":[{"key":"a","value":true,"reason":"STATIC","variant":"on","metadata":{}},{"key":"b.c","value":1.0},\#
            {"key":"d","value":{"x":[1,null]}},{"key":"e","reason":"DISABLED"},{"key":"f","value":null,"reason":"DEFAULT"}],\#
            "metadata":{"version":"1"},"eventStreams":[]}
            """#
        let reading = try await read(body: body)
        #expect(values(reading) == ["a": true, "b.c": 1.0, "d": ["x": [1, .null]]])
        #expect(reading.problem == nil)
    }

    @Test func aFlagThatFailsFailsAlone() async throws {
        let body = #"""
            {"flags":[{"key":"a","errorCode":"PARSE_ERROR","errorDetails":"\u001b[2J no rule"},{"key":"a b","value":1},\#
            {"key":"big","value":123456789012345678901},{"key":"good","value":"x"}]}
            """#
        let reading = try await read(body: body)
        #expect(values(reading) == ["good": "x"])
        #expect(reading.problem?.message.contains("the flag 'a' has no value: PARSE_ERROR") == true)
        #expect(reading.problem?.message.hasSuffix("(and 2 more)") == true)
    }

    @Test(arguments: [
        (
            "200 OK", "application/json", #"{"entries":{}}"#, ConfigModel.ConfigError.Code.badResponse,
            "missing member 'flags'"
        ),
        ("200 OK", "application/json", "[]", .syntax, "expected"),
        ("200 OK", "text/html", "<html>", .badResponse, "web page"),
        (
            "400 Bad Request", "application/json", #"{"errorCode":"TARGETING_KEY_MISSING","errorDetails":"who?"}"#,
            .rejected,
            "TARGETING_KEY_MISSING: who?"
        ),
        ("401 Unauthorized", "application/json", "{}", .unauthorized, "missing or invalid token"),
        ("404 Not Found", "text/plain", "", .notFound, "not found on"),
        ("429 Too Many Requests", "text/plain", "", .rateLimited, "too many requests"),
        ("500 Internal Server Error", "application/json", #"{"errorDetails":"x"}"#, .unavailable, "is unavailable"),
    ])
    func invalidAnswerIsReported(
        status: String,
        type: String,
        body: String,
        code: ConfigModel.ConfigError.Code,
        hint: String
    ) async throws {
        let error = await #expect(throws: ConfigModel.ConfigError.self) {
            try await read(status, ["Content-Type": type], body: body)
        }
        #expect(error?.code == code)
        #expect(error?.message.contains(hint) == true, "\(error?.message ?? "")")
        #expect(error?.source?.hasSuffix("/ofrep/v1/evaluate/flags") == true)
    }

    @Test(arguments: ["307 Temporary Redirect", "308 Permanent Redirect"])
    func noOtherOriginGetsTheContext(_ status: String) async throws {
        let other = try ScriptedServer { connection, _ in
            try connection.respond("200 OK", ["Content-Type": "application/json"], #"{"flags":[]}"#)
        }
        defer { other.stop() }
        let target = other.url("/ofrep/v1/evaluate/flags").absoluteString
        let error = await #expect(throws: ConfigModel.ConfigError.self) {
            try await read(status, ["Location": target], body: "")
        }
        #expect(error?.code == .insecure)
        #expect(other.connectionCount == 0)
    }

    @Test func requestContainsOnlyTheUsersContext() async throws {
        let requests = Log<ScriptedRequest>()
        let server = try ScriptedServer { connection, request in
            requests.append(request)
            let user = String(decoding: request.body, as: UTF8.self).contains("user-2") ? 2 : 1
            // A server whose tags do not depend on the context.
            if request["if-none-match"] == "\"rules-7\"" { return try connection.respond("304 Not Modified") }
            let fields = ["Content-Type": "application/json", "ETag": "\"rules-7\""]
            try connection.respond("200 OK", fields, #"{"flags":[{"key":"user","value":\#(user)}]}"#)
        }
        defer { server.stop() }
        let source = try OFREPSource(url: server.url())
        try await running { center in
            RemoteConfigService(source: source, context: Self.context, notificationCenter: center)
        } body: { running in
            try await running.shows(1, for: "user")
            let first = try #require(requests.entries.first)
            #expect(first.method == "POST" && first.target == "/ofrep/v1/evaluate/flags")
            let body = try EntryValue(json: first.body)
            guard case .object(let members) = body, case .object(let sent)? = members["context"] else {
                Issue.record("\(body)")
                return
            }
            #expect(sent["targetingKey"] == "user-1" && sent["team"] == "blue" && sent["platform"] != nil)
            _ = await running.service.refreshOutcome()
            #expect(requests.entries.last?["if-none-match"] == "\"rules-7\"")
            await running.service.setContext(EvaluationContext(targetingKey: "user-2"))
            try await running.shows(2, for: "user")
        }
    }

    @Test func theCacheOfOneUserIsNotThatOfAnother() throws {
        let url = try #require(URL(string: "https://flags.example.com"))
        let identities = try ["user-1", "user-1", "user-2"].map { user in
            let source = try OFREPSource(url: url)
            #expect(source.name == "https://flags.example.com/ofrep/v1/evaluate/flags" && source.dependsOnContext)
            let cache = ConfigCache(app: "test", version: "1", folder: "/c")
            return cache.path(ofSource: source.identity, in: EvaluationContext(targetingKey: user))
        }
        #expect(identities[0] == identities[1] && identities[0] != identities[2])
        for address in ["https://user:secret@flags.example.com", "https://flags.example.com/?a=1", "file:///flags"] {
            let url = try #require(URL(string: address))
            #expect(throws: ConfigModel.ConfigError.self) { try OFREPSource(url: url) }
        }
    }
}
