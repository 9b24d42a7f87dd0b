// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import ConfigStore
import ConfigWire
import TestSupport
import Testing

@testable import ConfigServer

/// What else shows drafts: the history, streams, the preview and the metrics.
@Suite(.timeLimit(.minutes(2)))
struct DraftViewTests {
    private static let ann = AccessToken.random(name: "ann", role: .write, namespaces: nil)
    private static let bob = AccessToken.random(name: "bob", role: .approve, namespaces: nil)
    private static let drafts = "/v1/default/drafts"

    private static func server() -> TestServer { TestServer(tokens: [ann.token, bob.token]) }

    /// Proposes a change.
    private static func propose(_ client: WireClient, _ body: String) throws -> DraftMessage {
        let answer = try client.ask("POST", drafts, body: body, token: ann.text)
        #expect(answer.status == 201, "\(answer.text)")
        return try DraftMessage(json: answer.body)
    }

    /// Approves a draft and applies it.
    private static func apply(_ client: WireClient, _ draft: DraftMessage) throws -> DraftMessage {
        let address = "\(drafts)/\(draft.summary.id)"
        let review = ReviewRequest(digest: draft.digest, verdict: .approve).json
        let approved = try client.ask(
            "POST",
            "\(address)/reviews",
            body: String(decoding: review, as: UTF8.self),
            token: bob.text
        )
        #expect(approved.status == 201, "\(approved.text)")
        let body = #"{"digest":"\#(draft.digest)"}"#
        return try DraftMessage(json: try client.ask("POST", "\(address)/apply", body: body, token: bob.text).body)
    }

    @Test func theListKnowsEachStatus() {
        #expect(DraftSummary.states.count == DraftStatus.allCases.count + 1)
        #expect(Set(DraftStatus.allCases.map(\.rawValue)).isSubset(of: DraftSummary.states))
    }

    @Test func theHistoryNamesTheDraftAndItsApprovers() async throws {
        try await Self.server().script { client in
            _ = try client.ask("PUT", "/v1/default/entries/a", body: #"{"value":1}"#, token: Self.ann.text)
            let applied = try Self.apply(client, Self.propose(client, #"{"set":{"a":2,"b":3},"message":"Monday"}"#))
            let answer = try client.ask("GET", "/v1/default/history", token: Self.bob.text)
            let records = try HistoryMessage(json: answer.body).records
            #expect(records.map(\.draft) == [applied.summary.id, applied.summary.id, nil])
            #expect(records.map(\.approvers) == [["bob"], ["bob"], []])
            #expect(records.map(\.author) == ["ann", "ann", "ann"])
            #expect(records.map(\.message) == ["Monday", "Monday", nil])
            #expect(records.map(\.revision) == [applied.summary.revision, applied.summary.revision, 1])
        }
    }

    /// Reads the events `draft` of a stream until one matches.
    private static func marks(_ stream: WireConnection, until matches: (DraftMark) -> Bool) throws -> [DraftMark] {
        var marks: [DraftMark] = []
        while !(marks.last.map(matches) ?? false), let chunk = try stream.chunk() {
            for block in String(decoding: chunk, as: UTF8.self).split(separator: "\n\n") {
                guard block.hasPrefix("event: draft\ndata: ") else { continue }
                marks.append(try DraftMark(json: Array(block.utf8.dropFirst(19))))
            }
        }
        return marks
    }

    @Test func aStreamFollowsTheDerivedStatesOfDrafts() async throws {
        try await Self.server().script { client in
            let draft = try Self.propose(client, #"{"set":{"a":1}}"#)
            let stream = try client.connection()
            stream.send(
                WireClient.request("GET", "/v1/default/events?drafts=1", ["Authorization: Bearer \(Self.bob.text)"])
            )
            #expect(try stream.response().status == 200)
            let id = draft.summary.id
            let mark = { DraftMark(id: id, version: $0, status: $1) }
            #expect(try Self.marks(stream) { $0.id == id } == [mark(1, "approved")])
            _ = try client.ask("PUT", "/v1/default/entries/a", body: #"{"value":2}"#, token: Self.ann.text)
            #expect(try Self.marks(stream) { $0.status == "conflicted" }.last == mark(1, "conflicted"))
            let rebase = try client.ask(
                "POST",
                "\(Self.drafts)/\(id)/rebase",
                body: #"{"mine":["a"]}"#,
                token: Self.ann.text
            )
            #expect(rebase.status == 200, "\(rebase.text)")
            #expect(try Self.marks(stream) { $0.version == 2 }.last == mark(2, "approved"))
            _ = try client.ask("POST", "\(Self.drafts)/\(id)/close", body: "{}", token: Self.ann.text)
            #expect(try Self.marks(stream) { $0.status == "closed" } == [mark(2, "closed")])
        }
    }

    @Test func theMetricsCountOpenDraftsByStatus() async throws {
        try await Self.server().run { server in
            try await server.script { client in
                _ = try Self.propose(client, #"{"set":{"a":1}}"#)
                _ = try Self.propose(client, #"{"set":{"b":1},"apply_at":"2999-01-01T00:00:00Z"}"#)
            }
            try await until("both drafts are counted") {
                server.hub.draftBoard.counts["default"] == ["approved": 1, "scheduled": 1]
            }
            try await server.script { client in
                let text = try client.ask("GET", "/metrics", token: Self.bob.text).text
                #expect(text.contains(#"livery_drafts{namespace="default",status="scheduled"} 1"#))
                #expect(text.contains(#"livery_drafts{namespace="default",status="missed"} 0"#))
            }
        }
    }

    @Test func aPreviewShowsTheDraftOnTheHeadAndEndsWithIt() async throws {
        try await Self.server().script { client, server in
            _ = try client.ask("PATCH", "/v1/default/entries", body: #"{"set":{"a":1,"b":1}}"#, token: Self.ann.text)
            let draft = try Self.propose(client, #"{"set":{"a":2},"unset":["b"]}"#)
            let address = "\(Self.drafts)/\(draft.summary.id)"
            let before = server.hub.state(of: "default")?.tag
            let preview = try client.ask("GET", "\(address)/config", token: Self.bob.text)
            let tag = try #require(preview["etag"])
            #expect(try ConfigAnswer(json: preview.body).snapshot?.entries == KeyedValues(["a": 2]))
            #expect(
                try client.ask("GET", "\(address)/config", ["If-None-Match: \(tag)"], token: Self.bob.text).status
                    == 304
            )
            #expect(server.hub.state(of: "default")?.tag == before)
            _ = try client.ask("PATCH", address, body: #"{"set":{"c":3},"discard":["b"]}"#, token: Self.ann.text)
            _ = try client.ask("PUT", "/v1/default/entries/d", body: #"{"value":4}"#, token: Self.ann.text)
            let edited = try client.ask("GET", "\(address)/config", ["If-None-Match: \(tag)"], token: Self.bob.text)
            #expect(
                try ConfigAnswer(json: edited.body).snapshot?.entries == KeyedValues(["a": 2, "b": 1, "c": 3, "d": 4])
            )
            _ = try client.ask("POST", "\(address)/close", body: #"{"reason":"no"}"#, token: Self.ann.text)
            let ended = try client.ask("GET", "\(address)/config", token: Self.bob.text)
            #expect(ended.status == 410 && ended.text.contains("it was closed: no"))
        }
    }

    @Test func endedDraftsAreRemovedWithTheHistory() async throws {
        var limits = NamespaceHub.Limits()
        (limits.draftRetention.age, limits.draftRetention.revisions) = (.zero, 3)
        let server = TestServer(tokens: [Self.ann.token, Self.bob.token], limits: limits)
        try await server.run { server in
            let open = try await server.script { client in
                let open = try Self.propose(client, #"{"set":{"a":1}}"#)
                let ended = try Self.apply(client, Self.propose(client, #"{"set":{"b":1}}"#))
                #expect(try client.ask("GET", "\(Self.drafts)/\(ended.summary.id)", token: Self.bob.text).status == 200)
                for value in 1...5 {
                    let body = "{\"set\":{\"a\":\(value)}}"
                    let address = "\(Self.drafts)/\(open.summary.id)"
                    #expect(try client.ask("PATCH", address, body: body, token: Self.ann.text).status == 200)
                }
                return open.summary.id
            }
            try await until("the draft that was applied is removed") {
                try server.hub.drafts(of: "default").all().map(\.id) == [open]
            }
        }
    }
}
