// SPDX-License-Identifier: Apache-2.0

import ConfigClient
import ConfigModel
import ConfigWire
import Foundation
import TestSupport
import Testing

/// The requests for drafts and for the policy.
@Suite(.timeLimit(.minutes(1)))
struct DraftCallTests {
    /// Returns the request that a call sends, as `METHOD target If-Match body`.
    private static func request(_ call: Call) async throws -> String {
        let server = try ScriptedServer { connection, request in
            var fields = ["Content-Type": "application/json"]
            var body = #"{"id":"a1","version":3,"state":"open","status":"approved","digest":"d","operations":[]}"#
            if request.target.hasSuffix("/policy") {
                fields["ETag"] = #""7""#
                body = #"{"approvals":2}"#
            } else if request.method == "GET", !request.target.contains("/drafts/") {
                body = #"{"drafts":[],"next":null}"#
            }
            try connection.respond("200 OK", fields, body)
        }
        try await call(try ServerClient(server.url("/v1/shop").absoluteString))
        let request = try #require(server.requests.last)
        let parts = [
            "\(request.method) \(request.target)", request["if-match"], String(decoding: request.body, as: UTF8.self),
        ]
        return parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static let request = {
        var request = DraftRequest()
        request.set["k"] = 1
        return request
    }()

    private typealias Call = @Sendable (ServerClient) async throws -> Void

    private static let calls: [(request: String, call: Call)] = [
        ("GET /v1/shop/drafts", { _ = try await $0.drafts() }),
        (
            "GET /v1/shop/drafts?state=in%20review&key=rule:k&mine=true&cursor=c&limit=5",
            { _ = try await $0.drafts(state: "in review", key: "rule:k", isMine: true, cursor: "c", limit: 5) }
        ),
        (#"POST /v1/shop/drafts {"set":{"k":1}}"#, { _ = try await $0.createDraft(request) }),
        ("GET /v1/shop/drafts/a1", { _ = try await $0.draft("a1") }),
        (
            #"PATCH /v1/shop/drafts/a1 "3" {"set":{"k":1}}"#,
            { _ = try await $0.editDraft("a1", request, ifVersion: 3) }
        ),
        (
            #"POST /v1/shop/drafts/a1/rebase "3" {"mine":["k"]}"#,
            { client in
                var choices = RebaseRequest()
                choices.mine = ["k"]
                _ = try await client.rebaseDraft("a1", choices, ifVersion: 3)
            }
        ),
        (
            #"POST /v1/shop/drafts/a1/reviews {"digest":"d","verdict":"reject","comment":"no"}"#,
            { _ = try await $0.reviewDraft("a1", ReviewRequest(digest: "d", verdict: .reject, comment: "no")) }
        ),
        (#"POST /v1/shop/drafts/a1/apply {"digest":"d"}"#, { _ = try await $0.applyDraft("a1", digest: "d") }),
        (#"POST /v1/shop/drafts/a1/close {"reason":"r"}"#, { _ = try await $0.closeDraft("a1", reason: "r") }),
        ("GET /v1/shop/policy", { _ = try await $0.policy() }),
        (
            #"PUT /v1/shop/policy "7" {"approvals":0,"direct":"allow","protected":[],"window":"900s"}"#,
            { _ = try await $0.setPolicy(ReviewPolicy(), ifTag: try await $0.policy().tag) }
        ),
    ]

    @Test(arguments: calls.indices)
    func callSendsTheRequestOfItsRoute(index: Int) async throws {
        let (expected, call) = Self.calls[index]
        let sent = try await Self.request(call)
        #expect(sent == expected)
    }

    @Test(arguments: ["", "A1", "a/1", "..", "a?b", String(repeating: "a", count: 33)])
    func invalidIDSendsNothing(id: String) async throws {
        let client = try ServerClient("http://127.0.0.1:9")
        let error = await #expect(throws: ConfigError.self) { _ = try await client.draft(id) }
        #expect(error?.code == .invalidKey)
    }

    @Test func emergencyGoesWithWritesOnly() async throws {
        let server = try ScriptedServer { connection, _ in
            let fields = ["Content-Type": "application/json"]
            try connection.respond("200 OK", fields, #"{"epoch":"00c0ffee00c0ffee","revision":1,"changed":[]}"#)
        }
        var client = try ServerClient(server.url("/").absoluteString)
        client.emergency = "outage"
        _ = try? await client.publish(PublishRequest(set: ["k": 1]))
        _ = try? await client.info()
        #expect(server.requests.map { $0["livery-emergency"] } == ["outage", nil])
    }
}
