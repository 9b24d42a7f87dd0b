// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import ConfigStore
import ConfigWire
import HubTestSupport
import TestSupport
import Testing

@testable import ConfigServer

/// Each route that writes, under each policy, with each role: made from the declarations of the routes, so that one without a
/// row here fails.
@Suite(.timeLimit(.minutes(5)))
struct ReviewTableTests {
    /// A policy, and whether it requires a review of the key `k`, and whether an administrator may do without one.
    private static let policies: [(name: String, json: EntryValue?, isGated: Bool, hasEmergency: Bool)] = [
        ("none", nil, false, false),
        ("approvals", ReviewPolicy.needing(.deny).stored, true, false),
        ("emergency", ReviewPolicy.needing(.emergency).stored, true, true),
        ("other keys", ReviewPolicy.needing(.deny, protected: ["other.*"]).stored, false, false),
    ]
    private static let holders = ["none"] + Role.allCases.map(\.rawValue)

    /// A request of a route.
    private struct Row {
        enum Kind {
            /// It changes the namespace.
            case direct
            /// It changes what protected keys share with others: the evaluators, or the schema of a pattern.
            case shared
            /// It changes a draft.
            case draft
            /// It applies a draft without approvals.
            case apply
            /// It sets the policy that there is.
            case policy
        }

        let kind: Kind
        let name: String
        let type: String
        let body: @Sendable (Cell) -> String?

        init(
            as kind: Kind = .direct,
            name: String = "k",
            type: String = "application/json",
            _ body: String?
        ) {
            self.init(as: kind, name: name, type: type) { _ in body }
        }

        init(
            as kind: Kind = .direct,
            name: String = "k",
            type: String = "application/json",
            _ body: @escaping @Sendable (Cell) -> String?
        ) {
            (self.kind, self.name, self.type, self.body) = (kind, name, type, body)
        }
    }

    /// What is there when a request is sent.
    private struct Cell {
        /// The revision of the namespace before `k` was set.
        var before: UInt64 = 0
        var draft = ""
        var digest = ""
        var policy = ""
    }

    private static let rows: [String: [Row]] = [
        "PUT /v1/{ns}/entries/{key}": [Row(#"{"value":2}"#)],
        "DELETE /v1/{ns}/entries/{key}": [Row(nil)],
        "PATCH /v1/{ns}/entries": [
            Row(#"{"set":{"k":2,"free":1}}"#), Row(#"{"unset":["k"]}"#),
            Row(#"{"set":{},"schemas":{"k":{"maximum":8}}}"#),
            Row(#"{"set":{},"rules":{"k":{"variants":{"a":2}}}}"#),
            Row(as: .shared, #"{"set":{},"rules":{"$evaluators":{"x":true}}}"#),
        ],
        "PUT /v1/{ns}/schemas/{name}": [
            Row(#"{"schema":{"maximum":8}}"#), Row(as: .shared, name: "*", #"{"schema":{"maximum":8}}"#),
        ],
        "DELETE /v1/{ns}/schemas/{name}": [Row(nil)],
        "PUT /v1/{ns}/rules/{rule}": [
            Row(#"{"rule":{"variants":{"a":2}}}"#), Row(as: .shared, name: "$evaluators", #"{"rule":{"x":true}}"#),
        ],
        "DELETE /v1/{ns}/rules/{rule}": [Row(nil)],
        "POST /v1/{ns}/rollback": [Row { #"{"to":\#($0.before)}"# }],
        "POST /config": [
            Row(#"{"key":"new","value":"1"}"#), Row(type: "application/x-www-form-urlencoded", "key=new&value=1"),
        ],
        "POST /v1/{ns}/drafts": [Row(as: .draft, #"{"title":"t","set":{"k":2}}"#)],
        "PATCH /v1/{ns}/drafts/{id}": [Row(as: .draft, #"{"set":{"k":3}}"#)],
        "POST /v1/{ns}/drafts/{id}/rebase": [Row(as: .draft, "{}")],
        "POST /v1/{ns}/drafts/{id}/reviews": [Row(as: .draft) { #"{"digest":"\#($0.digest)","verdict":"approve"}"# }],
        "POST /v1/{ns}/drafts/{id}/apply": [Row(as: .apply) { #"{"digest":"\#($0.digest)"}"# }],
        "POST /v1/{ns}/drafts/{id}/close": [Row(as: .draft, "{}")],
        "PUT /v1/{ns}/policy": [Row(as: .policy) { $0.policy }],
    ]

    @Test func everyWriteIsAnsweredByThePolicyAndTheRole() async throws {
        var (texts, tokens) = ([String: String](), [AccessToken]())
        for role in Role.allCases {
            let (text, token) = AccessToken.random(name: "\(role)", role: role, namespaces: nil)
            texts[role.rawValue] = text
            tokens.append(token)
        }
        let writing = Route.declarations.filter { !$0.isRead }
        #expect(Set(writing.map(\.name)) == Set(Self.rows.keys), "each route that writes has its row")
        for route in writing {
            for row in Self.rows[route.name] ?? [] {
                // A new one for each, since the store in memory copies all drafts with each write.
                try await TestServer(tokens: tokens, failedAttemptsPerMinute: 10_000).run { [texts] server in
                    for holder in Self.holders {
                        for policy in Self.policies {
                            for reason in Self.reasons(route, row, holder) {
                                let cell = try await Self.prepare(policy.json, server.hub)
                                let target = route.path.replacing("{ns}", with: "default")
                                    .replacing("{key}", with: row.name).replacing("{name}", with: row.name)
                                    .replacing("{rule}", with: row.name).replacing("{id}", with: cell.draft)
                                let fields =
                                    ["Content-Type: \(row.type)"] + (reason.map { ["Livery-Emergency: \($0)"] } ?? [])
                                let answer = try await server.script { client in
                                    try client.ask(
                                        route.method,
                                        target,
                                        row.body(cell) == nil ? Array(fields.dropFirst()) : fields,
                                        body: row.body(cell),
                                        token: texts[holder]
                                    )
                                }
                                let isGated = policy.isGated || row.kind == .shared && policy.json != nil
                                let wanted = Self.expected(route, row, holder, isGated, policy.hasEmergency, reason)
                                let shown =
                                    "\(route.name) \(row.body(cell) ?? "") \(policy.name) \(holder) \(reason ?? "-")"
                                #expect(wanted.matches(answer), "\(shown): \(answer.status) \(answer.text)")
                            }
                        }
                    }
                }
            }
        }
    }

    /// The reasons of an emergency, where they could make a difference.
    private static func reasons(_ route: WireRoute, _ row: Row, _ holder: String) -> [String?] {
        guard let role = Role(rawValue: holder), case .namespace(let needed) = route.access, role >= needed,
            row.kind != .draft, row.kind != .policy
        else {
            return [nil]
        }
        return [nil, "the site is down"]
    }

    private enum Expected {
        case success
        case refusal(Int, String)

        func matches(_ answer: WireResponse) -> Bool {
            switch self {
            case .success: (200..<300).contains(answer.status)
            case .refusal(let status, let text): answer.status == status && answer.text.contains(text)
            }
        }
    }

    private static func expected(
        _ route: WireRoute,
        _ row: Row,
        _ holder: String,
        _ isGated: Bool,
        _ hasEmergency: Bool,
        _ reason: String?
    ) -> Expected {
        guard let role = Role(rawValue: holder) else { return .refusal(401, "") }
        if case .namespace(let needed) = route.access, role < needed {
            return .refusal(403, "urn:livery:problem:forbidden")
        }
        switch row.kind {
        case .draft, .policy: return .success
        // The emergency is for direct changes.
        case .apply: return isGated ? .refusal(403, "approvals-missing") : .success
        case .direct, .shared:
            if reason != nil, role < .admin { return .refusal(403, "an emergency change requires the role admin") }
            if !isGated || hasEmergency && reason != nil { return .success }
            return .refusal(403, "review-required")
        }
    }

    /// Sets everything that the requests change, under a policy.
    private static func prepare(_ policy: EntryValue?, _ hub: NamespaceHub) async throws -> Cell {
        func write(_ edits: [String: EntryValue?], in namespace: String) async throws {
            _ = try await hub.publish(Publish(namespace: namespace, change: .edit(edits)))
        }
        try await write([ReviewPolicy.key: nil], in: "~default")
        let former: EntryValue = ["variants": ["a": 1], "defaultVariant": "a"]
        try await write(["k": 1, "new": nil, "free": nil, "schema:*": nil, "rule:$evaluators": nil], in: "default")
        try await write(["k": 4, "schema:k": ["maximum": 9], "rule:k": former], in: "default")
        let revision = try #require(hub.state(of: "default")?.revision)
        try await write(["k": 5], in: "default")
        try await write([ReviewPolicy.key: policy], in: "~default")
        var edit = DraftEdit()
        (edit.title, edit.operations) = ("t", ["k": 2])
        let author = DraftActor(subject: "author", token: "author", hash: "")
        let draft = try await hub.drafts(of: "default").create(edit, by: author)
        let present = String(decoding: PolicyMessage(try hub.drafts(of: "default").policy().policy).json, as: UTF8.self)
        return Cell(before: revision, draft: draft.id, digest: draft.digest(in: "default"), policy: present)
    }

    @Test(arguments: ["~default", "%7Edefault"]) func draftsAreNoNamespaceOfClients(name: String) async throws {
        try await TestServer().script { client in
            let patch = try client.ask("PATCH", "/v1/\(name)/entries", body: #"{"set":{"policy":1}}"#)
            let rollback = try client.ask("POST", "/v1/\(name)/rollback", body: #"{"to":0}"#)
            let read = try client.ask("GET", "/v1/\(name)/config")
            #expect([patch, rollback, read].map(\.status) == [400, 400, 400])
        }
    }

    @Test func aReviewIsNeededToAskForLess() async throws {
        let (text, token) = AccessToken.random(name: "ada", role: .admin, namespaces: nil)
        try await TestServer(tokens: [token]).script { client in
            func put(_ json: String) throws -> WireResponse {
                try client.ask("PUT", "/v1/shop/policy", ["Livery-Emergency: now"], body: json, token: text)
            }
            #expect(try put(#"{"approvals":1,"direct":"emergency","protected":["app.*"]}"#).status == 200)
            #expect(try put(#"{"approvals":2,"direct":"deny"}"#).status == 200)
            for less in [
                #"{"approvals":1,"direct":"deny"}"#, #"{"approvals":2,"direct":"emergency"}"#,
                #"{"approvals":2,"direct":"deny","protected":["app.*"]}"#, "{}",
            ] {
                let answer = try put(less)
                #expect(answer.status == 403 && answer.text.contains("review-required"), "\(less)")
            }
        }
    }

    @Test func anEmergencyIsInTheHistoryWithItsReason() async throws {
        let (text, token) = AccessToken.random(name: "ada", role: .admin, namespaces: nil)
        try await TestServer(tokens: [token]).script { client in
            let policy = #"{"approvals":1,"direct":"emergency"}"#
            #expect(try client.ask("PUT", "/v1/shop/policy", body: policy, token: text).status == 200)
            func patch(_ reason: String) throws -> WireResponse {
                let body = #"{"set":{"k":1},"message":"stop the sale"}"#
                return try client.ask(
                    "PATCH",
                    "/v1/shop/entries",
                    ["Livery-Emergency: \(reason)"],
                    body: body,
                    token: text
                )
            }
            #expect(try patch(" ").status == 400)
            #expect(try patch("wrong price").status == 200)
            let history = try client.ask("GET", "/v1/shop/history", token: text)
            let record = try #require(try HistoryMessage(json: history.body).records.first)
            #expect(record.author == "ada" && record.message == "emergency: wrong price; stop the sale")
        }
    }
}

extension ReviewPolicy {
    fileprivate static func needing(_ direct: Direct, protected: [String] = []) -> ReviewPolicy {
        var policy = ReviewPolicy()
        (policy.approvals, policy.direct, policy.protected) = (1, direct, protected)
        return policy
    }
}
