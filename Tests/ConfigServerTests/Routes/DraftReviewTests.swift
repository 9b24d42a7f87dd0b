// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import ConfigWire
import HubTestSupport
import TestSupport
import Testing

@testable import ConfigServer

/// Drafts over HTTP: whose approvals count, and how conflicts are resolved.
@Suite(.timeLimit(.minutes(5)))
struct DraftReviewTests {
    /// A team with tokens; `eve` has two.
    private struct Team: Sendable {
        var texts: [String: String] = [:]
        var tokens: [String: AccessToken] = [:]
        var table: [AccessToken] { tokens.sorted { $0.key < $1.key }.map(\.value) }

        init() {
            add("ann", .approve)
            add("bob", .approve)
            add("cid", .approve)
            add("eve", .approve)
            add("eve-laptop", .approve, subject: "eve")
            add("ada", .admin)
            add("wim", .write)
        }

        private mutating func add(_ name: String, _ role: Role, subject: String? = nil) {
            (texts[name], tokens[name]) = AccessToken.random(name: name, role: role, namespaces: nil, subject: subject)
        }
    }

    /// A member of the team at a server.
    private struct Member {
        let client: WireClient
        let text: String?

        func ask(_ method: String, _ path: String, _ body: String? = nil, ifMatch version: Int? = nil) throws
            -> WireResponse
        {
            let fields = version.map { ["If-Match: \"\($0)\""] } ?? []
            return try client.ask(method, "/v1/shop\(path)", fields, body: body, token: text)
        }

        func propose(_ body: String) throws -> DraftMessage {
            let answer = try ask("POST", "/drafts", body)
            try #require(answer.status == 201, "\(answer.text)")
            return try DraftMessage(json: answer.body)
        }

        func draft(_ id: String) throws -> DraftMessage { try DraftMessage(json: try ask("GET", "/drafts/\(id)").body) }

        func review(_ draft: DraftMessage, _ verdict: String = "approve") throws -> WireResponse {
            let body = #"{"digest":"\#(draft.digest)","verdict":"\#(verdict)"}"#
            return try ask("POST", "/drafts/\(draft.summary.id)/reviews", body)
        }

        func apply(_ draft: DraftMessage) throws -> WireResponse {
            try ask("POST", "/drafts/\(draft.summary.id)/apply", #"{"digest":"\#(draft.digest)"}"#)
        }
    }

    private func withTeam(
        _ policy: String?,
        _ body: @escaping @Sendable ([String: Member], LiveServer, Team) async throws -> Void
    ) async throws {
        let team = Team()
        try await TestServer(tokens: team.table).run { server in
            try await withTaskExecutorPreference(ThreadExecutor()) {
                let client = WireClient(port: server.port)
                let members = team.texts.mapValues { Member(client: client, text: $0) }
                if let policy { #expect(try members["ada"]?.ask("PUT", "/policy", policy).status == 200) }
                try await body(members, server, team)
            }
        }
    }

    private func expect(
        _ answer: WireResponse,
        _ status: Int,
        _ text: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(
            answer.status == status && answer.text.contains(text),
            "\(answer.status) \(answer.text)",
            sourceLocation: sourceLocation
        )
    }

    @Test func onlyOthersApproveWhatTheyHaveRead() async throws {
        try await withTeam(#"{"approvals":1,"direct":"deny"}"#) { members, _, _ in
            let (ann, bob) = (try #require(members["ann"]), try #require(members["bob"]))
            let (eve, laptop) = (try #require(members["eve"]), try #require(members["eve-laptop"]))
            let first = try ann.propose(#"{"title":"t","set":{"k":1}}"#)
            let id = first.summary.id
            expect(try ann.review(first), 403, "another person must approve it")
            expect(try eve.ask("PATCH", "/drafts/\(id)", #"{"set":{"k":2}}"#), 200, #""version":2"#)
            let second = try bob.draft(id)
            #expect(second.editors == ["ann", "eve"] && second.summary.missing == ["1 approval"])
            expect(try eve.review(second), 403, "own-draft")
            expect(try laptop.review(second), 403, "own-draft")
            expect(try bob.review(first), 409, second.digest)
            expect(try bob.apply(first), 409, second.digest)
            expect(try bob.apply(second), 403, "the draft cannot be applied yet: 1 approval")
            expect(try #require(members["wim"]).review(second), 403, "requires the role approve")
            #expect(try bob.draft(id).log.map(\.event) == ["created", "edited"], "no refused review is recorded")

            #expect(try bob.review(second).status == 201)
            #expect(try eve.ask("PATCH", "/drafts/\(id)", #"{"title":"better"}"#, ifMatch: 2).status == 200)
            let third = try bob.draft(id)
            #expect(third.approvers == [] && third.log.last { $0.event == "approved" }?.isSuperseded == true)
            expect(try ann.apply(third), 403, "1 approval")
            expect(try eve.ask("PATCH", "/drafts/\(id)", #"{"title":"worse"}"#, ifMatch: 2), 412, "is at version 3")

            // A rejection blocks until it is withdrawn.
            #expect(try bob.review(third).status == 201)
            #expect(try #require(members["cid"]).review(third, "reject").status == 201)
            expect(try ann.apply(third), 403, "rejected by cid")
            #expect(try #require(members["cid"]).review(third, "withdraw").status == 201)
            let applied = try ann.apply(third)
            expect(applied, 200, #""state":"applied""#)
            #expect(try ann.apply(third).body == applied.body, "a repetition has the same answer")
            expect(try bob.review(third), 409, "it was applied as revision")
            let history = try HistoryMessage(json: try ann.ask("GET", "/history").body).records
            #expect(history.map(\.value) == [2] && history.map(\.author) == ["ann"])
        }
    }

    @Test func anApprovalEndsWithItsToken() async throws {
        try await withTeam(#"{"approvals":1,"direct":"deny"}"#) { members, server, team in
            let (ann, bob) = (try #require(members["ann"]), try #require(members["bob"]))
            let draft = try ann.propose(#"{"title":"t","set":{"k":1}}"#)
            #expect(try bob.review(draft).status == 201)
            var changes: [[AccessToken]] = [team.table.filter { $0.name != "bob" }]
            for change in [
                { (token: inout AccessToken) in token.expiresAt = Timestamp(milliseconds: 1000) },
                { $0.namespaces = ["other"] }, { $0.subject = "ann" },
                { $0 = AccessToken.random(name: "bob", role: .approve, namespaces: nil).token },
            ] {
                var tokens = team.tokens
                if var token = tokens["bob"] {
                    change(&token)
                    tokens["bob"] = token
                }
                changes.append(tokens.sorted { $0.key < $1.key }.map(\.value))
            }
            for tokens in changes {
                try await server.policy.replace(with: try TokenTable(tokens: tokens))
                expect(try ann.apply(draft), 403, "the draft cannot be applied yet: 1 approval")
                #expect(try ann.draft(draft.summary.id).approvers == [])
            }
            try await server.policy.replace(with: try TokenTable(tokens: team.table))
            expect(try ann.apply(draft), 200, #""status":"applied""#)
        }
    }

    @Test func theOldPolicyDecidesAboutANewOne() async throws {
        try await withTeam(#"{"approvals":2,"direct":"deny"}"#) { members, _, _ in
            let (ann, ada) = (try #require(members["ann"]), try #require(members["ada"]))
            let proposal = #"{"title":"t","policy":{"approvals":0,"direct":"allow"}}"#
            expect(try ann.ask("POST", "/drafts", proposal), 403, "a change of the policy requires the role admin")
            let (draft, other) = (try ada.propose(proposal), try ada.propose(proposal))
            for name in ["bob", "cid"] {
                expect(try ann.apply(draft), 403, "approval")
                #expect(try #require(members[name]).review(draft).status == 201)
                #expect(try #require(members[name]).review(other).status == 201)
            }
            expect(try ada.ask("PUT", "/entries/k", #"{"value":1}"#), 403, "review-required")
            expect(try ann.apply(draft), 200, #""state":"applied""#)
            expect(try ann.ask("GET", "/policy"), 200, #""direct":"allow""#)
            #expect(try ada.ask("PUT", "/entries/k", #"{"value":1}"#).status == 201)
            expect(try ann.apply(other), 409, "$policy (revision")
            let rebase = "/drafts/\(other.summary.id)/rebase"
            expect(try ada.ask("POST", rebase, "{}"), 422, "$policy")
            expect(try ada.ask("POST", rebase, #"{"theirs":["$policy"]}"#), 422, "must change at least one key")
            expect(try ada.ask("POST", rebase, #"{"mine":["$policy"]}"#), 200, #""version":2"#)
        }
    }

    @Test func eachConflictIsResolvedByAChoice() async throws {
        try await withTeam(nil) { members, server, _ in
            let (ann, ada) = (try #require(members["ann"]), try #require(members["ada"]))
            func patch(_ body: String) throws {
                #expect(try ada.ask("PATCH", "/entries", body).status == 200, "\(body)")
            }
            try patch(
                #"{"set":{"mine":1,"theirs":1,"new":1,"gone":1,"kept":1},"schemas":{"s":{"maximum":9}},"#
                    + #""rules":{"mine":{"variants":{"a":1}}}}"#
            )
            let draft = try ann.propose(
                #"{"title":"t","set":{"mine":2,"theirs":2,"new":2,"gone":2,"kept":2,"added":2},"#
                    + #""schemas":{"s":{"maximum":8}},"rules":{"mine":{"variants":{"a":2}}}}"#
            )
            let id = draft.summary.id
            try patch(
                #"{"set":{"mine":3,"theirs":3,"new":3,"added":3,"untouched":3},"unset":["gone"],"#
                    + #""schemas":{"s":{"maximum":7}},"rules":{"mine":{"variants":{"a":3}}}}"#
            )
            let seen = try ann.draft(id)
            #expect(seen.summary.status == "conflicted")
            let conflicts = ["added", "gone", "mine", "new", "rule:mine", "schema:s", "theirs"]
            #expect(seen.operations.filter(\.isConflict).map(\.key).sorted() == conflicts)
            let gone = seen.operations.first { $0.key == "gone" }
            #expect(gone?.base != nil && gone?.current == nil && gone?.proposed == 2)
            expect(try ann.apply(seen), 409, "draft-conflict")
            expect(try ann.ask("POST", "/drafts/\(id)/rebase", #"{"mine":["mine"]}"#), 422, "undecided-conflict")
            expect(try ann.ask("POST", "/drafts/\(id)/rebase", #"{"mine":["nothing"]}"#), 422, "")
            let twice = #"{"set":{"new":4},"unset":["new"]}"#
            expect(try ann.ask("POST", "/drafts/\(id)/rebase", twice), 400, "duplicate-key")
            let moving = #"{"set":{"new":4},"discard":["new"]}"#
            expect(try ann.ask("PATCH", "/drafts/\(id)", moving), 400, "duplicate-key")
            expect(try ann.ask("GET", "/drafts?state=in-review"), 400, "in review")
            let choices =
                #"{"mine":["mine","gone","rule:mine"],"theirs":["theirs","added"],"set":{"new":4},"#
                + #""schemas":{"s":{"maximum":6}}}"#
            expect(try ann.ask("POST", "/drafts/\(id)/rebase", choices, ifMatch: 1), 200, #""version":2"#)
            // On the other side: what the draft changes has been removed, and is removed by it.
            let rebased = try ann.draft(id)
            #expect(rebased.summary.status == "approved" && rebased.digest != seen.digest)
            let desk = server.hub.drafts(of: "shop")
            let former = try desk.draft(id)
            #expect(try ann.apply(rebased).status == 200)
            // Its own revision is no conflict for a reader that has read it before.
            #expect(try desk.standing(former).status == .applied)
            #expect(
                try server.hub.values(in: "shop") == [
                    "mine": 2, "theirs": 3, "new": 4, "gone": 2, "kept": 2, "added": 3, "untouched": 3,
                ]
            )

            // A deletion against a change, and a deletion on both sides.
            // A rule is removed with its key, also one that was added since.
            let removal = try ann.propose(#"{"title":"t","unset":["kept","mine"]}"#)
            #expect(removal.summary.keys == ["kept", "mine", "rule:mine"])
            try patch(#"{"unset":["mine"],"rules":{"kept":{"variants":{"a":5}}}}"#)
            let touched = ["mine", "rule:kept", "rule:mine"]
            let conflicted = try ann.draft(removal.summary.id)
            #expect(conflicted.operations.filter(\.isConflict).map(\.key) == touched)
            expect(try ann.apply(conflicted), 409, "rule:kept")
            try patch(#"{"set":{"kept":5}}"#)
            let mine = #"{"mine":["kept","mine","rule:kept","rule:mine"]}"#
            expect(try ann.ask("POST", "/drafts/\(removal.summary.id)/rebase", mine), 200, "")
            #expect(try ann.apply(try ann.draft(removal.summary.id)).status == 200)
            #expect(try ann.ask("GET", "/entries/kept").status == 404)
        }
    }
}
