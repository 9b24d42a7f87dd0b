// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import ConfigStore
import ConfigStoreTesting
import ConfigWire
import HubTestSupport
import Synchronization
import TestSupport
import Testing

@testable import ConfigServer

/// A server among several on one store, which possibly has not received a revision that a client has seen elsewhere.
@Suite(.timeLimit(.minutes(5)))
struct SeenRevisionTests {
    /// A way to send the seen revision; `{seen}` and similar placeholders are filled in.
    struct Asking: Sendable, CustomTestStringConvertible {
        var target: String
        var field: String?
        /// For a `POST`.
        var body: String?
        /// The status once it is known.
        var status = 200

        var testDescription: String { "\(target) \(field ?? "")" }

        func filled(_ cursor: RevisionCursor) -> (target: String, fields: [String]) {
            func fill(_ text: String) -> String {
                text.replacing("{tag}", with: SeenRevisionTests.tag(of: cursor))
                    .replacing("{seen}", with: "\(cursor)").replacing("{epoch}", with: "\(cursor.epoch)")
                    .replacing("{revision}", with: "\(cursor.revision)")
            }
            return (fill(target), field.map { [fill($0)] } ?? [])
        }
    }

    /// A commit may arrive after the state was read. The client has seen it, and is not given the state before it.
    @Test func olderStateIsNotSentAfterSeenCommit() async throws {
        try await withHub(ReferenceStore()) { hub in
            try await hub.edit(["a": .integer(1)])
            let (state, head) = try #require(hub.stateAndHead(of: "default"))
            let seen = try #require(try await hub.edit(["a": .integer(2)]).commit?.revision)
            let target = RequestTarget("/v1/default/config?epoch=\(head.epoch)&after=\(seen)")
            let request = ConfigRequest(target: target, conditions: ReadConditions([]))
            let decision = try request.decide(state, after: nil, at: head) { _ in nil }
            guard case .wait(let cursor) = decision else { return #expect(Bool(false), "\(decision)") }
            #expect(cursor == RevisionCursor(epoch: head.epoch, revision: seen))
        }
    }

    /// The entity tag of the contents that another server has committed.
    fileprivate static func tag(of cursor: RevisionCursor) -> String {
        "\(cursor)-\(ConfigDigest([(key: "a", value: .integer(1))]))"
    }

    private static let field = "Livery-Revision: {seen}"
    private static let askings = [
        Asking(target: "/v1/default/config?epoch={epoch}&after={revision}"),
        Asking(target: "/v1/default/config", field: field),
        Asking(target: "/v1/default/config", field: "If-None-Match: \"{tag}\"", status: 304),
        Asking(target: "/v1/default/config", field: "If-None-Match: \"x\", W/\"{tag}-gzip\"", status: 304),
        Asking(target: "//v1/default/config?epoch={epoch}&after={revision}"),
        Asking(target: "/v1/default/events", field: "Last-Event-ID: {seen}"),
        Asking(target: "/v1/default/events", field: field),
        Asking(target: "/v1/default/entries", field: field),
        Asking(target: "/v1/default/entries/a", field: "If-None-Match: \"{tag}\""),
        Asking(target: "/v1/default/history", field: field),
        Asking(target: "/v1/other/config", field: field),
        Asking(target: "/default.json", field: "If-None-Match: \"{tag}\"", status: 304),
        Asking(target: "/config", field: field),
        Asking(target: "/v1", field: field),
        Asking(target: "/ns/default/ofrep/v1/events", field: "Last-Event-ID: {seen}"),
        Asking(target: "/ofrep/v1/evaluate/flags?flagConfigEtag={tag}", body: #"{"context":{}}"#),
    ]

    /// Runs a server that has not received a commit that another server has made on the store.
    private static func behind(
        patience: Duration = .seconds(100),
        _ body: (LiveServer, FaultyStore, _ untold: Commit, _ seen: RevisionCursor) async throws -> Void
    ) async throws {
        let store = FaultyStore()
        store.state.withLock { $0.isShared = true }
        try await TestServer(store: store, patience: patience).run { server in
            let commit = try #require(try await store.makeElsewhere(["a": .integer(1)]))
            let epoch = try #require(server.hub.head?.epoch)
            try await body(server, store, commit, RevisionCursor(epoch: epoch, revision: commit.revision))
        }
    }

    private static func ask(_ server: LiveServer, _ asking: Asking, _ seen: RevisionCursor) async throws -> WireResponse
    {
        let (target, fields) = asking.filled(seen)
        return try await server.script { client in
            let connection = try client.connection()
            let method = asking.body == nil ? "GET" : "POST"
            connection.send(WireClient.request(method, target, fields, body: asking.body))
            var answer = try connection.response()
            if answer.status == 200, target.hasSuffix("events") { answer.body = try connection.chunk() ?? [] }
            return answer
        }
    }

    @Test(arguments: askings)
    func aClientAheadIsAnsweredOnceTheServerHasCaughtUp(asking: Asking) async throws {
        try await Self.behind { server, store, commit, seen in
            async let answer = Self.ask(server, asking, seen)
            try await until { store.state.withLock(\.headQuestions) > 0 }
            store.tell(commit)
            let found = try await answer
            #expect(found.status == asking.status)
            #expect(!found.text.contains("reset"))
            if asking.target.hasSuffix("events") { #expect(found.text.contains("id: \(seen)\n")) }
        }
    }

    @Test(arguments: askings)
    func aServerThatStaysBehindAnswers503(asking: Asking) async throws {
        try await Self.behind(patience: .seconds(1)) { server, store, _, seen in
            // Whether the store has it, or cannot be read.
            if asking.status == 304 { store.state.withLock { $0.headFault = StoreError(.unavailable, "down") } }
            let answer = try await Self.ask(server, asking, seen)
            #expect(answer.status == 503)
            #expect(answer["retry-after"] == "1")
            #expect(try ProblemDetails(json: answer.body).type == "urn:livery:problem:server-behind")
        }
    }

    @Test(arguments: [false, true])
    func aClientAheadOfTheStoreIsReset(isShared: Bool) async throws {
        let store = FaultyStore()
        store.state.withLock { $0.isShared = isShared }
        try await TestServer(store: store).run { server in
            try await server.hub.edit(["a": .integer(1)])
            let seen = RevisionCursor(epoch: try #require(server.hub.head?.epoch), revision: 99)
            for asking in Self.askings {
                let answer = try await Self.ask(server, asking, seen)
                #expect(
                    answer.status == (asking.target.contains("other") || asking.status == 304 ? 200 : asking.status)
                )
                let isFollowed = asking.target.contains("/v1/") && asking.target.contains("config")
                #expect(answer.text.contains("\"reset\":true") == isFollowed, "\(asking) \(answer.text)")
            }
        }
    }

    @Test func knownRevisionsAndOtherEpochsDoNotAskTheStore() async throws {
        try await Self.behind { server, store, commit, seen in
            store.tell(commit)
            try await until { server.hub.head?.revision == 1 }
            for cursor in [seen, RevisionCursor(epoch: Epoch(rawValue: 5), revision: 99)] {
                for asking in Self.askings {
                    let answer = try await Self.ask(server, asking, cursor)
                    #expect(answer.status == 200 || answer.status == 304, "\(asking)")
                }
            }
            #expect(store.state.withLock(\.headQuestions) == 0)
        }
    }

    @Test func pipelinedRequestsWaitForAWaitingOne() async throws {
        try await Self.behind { server, store, commit, seen in
            async let statuses = server.script { client in
                let connection = try client.connection()
                connection.send(
                    WireClient.request("GET", "/v1/default/config", ["Livery-Revision: \(seen)"])
                        + WireClient.request("GET", "/v1/default/config", ["If-None-Match: \"\(Self.tag(of: seen))\""])
                        + WireClient.request("GET", "/v1/default/entries/b")
                )
                return try (0..<3).map { _ in try connection.response().status }
            }
            try await until { store.state.withLock(\.headQuestions) > 0 }
            store.tell(commit)
            #expect(try await statuses == [200, 304, 404])
        }
    }

    @Test(arguments: ["12", "00000000000000ab:-1", "00000000000000ab:1, 00000000000000ab:2", "zz:1"])
    func invalidSeenRevisionsAreIgnored(value: String) async throws {
        try await TestServer().script { client in
            for target in ["/v1/default/config", "/v1/default/history", "/v1/default/entries"] {
                let answer = try client.ask("GET", target, ["Livery-Revision: \(value)"])
                #expect(answer.status == 200, "\(target)")
            }
        }
    }

    @Test func everyWriteReportsItsRevision() async throws {
        try await TestServer().script { client, server in
            let epoch = try #require(server.hub.head?.epoch)
            let entries = "/v1/default/entries"
            let writes: [(method: String, target: String, body: String?, revision: Int)] = [
                ("PUT", entries + "/a", #"{"value":1}"#, 1),
                ("PUT", entries + "/a", #"{"value":1}"#, 1),
                ("PATCH", entries, #"{"set":{"b":1}}"#, 2),
                ("DELETE", entries + "/b", nil, 3),
                ("POST", "/config", #"{"key":"c","value":"1"}"#, 4),
                ("POST", "/v1/default/rollback", #"{"to":2}"#, 5),
                ("PATCH", entries, #"{"set":{"b":1}}"#, 5),
            ]
            for write in writes {
                let answer = try client.ask(write.method, write.target, body: write.body)
                #expect(answer["livery-revision"] == "\(epoch):\(write.revision)", "\(write)")
            }
        }
    }

    /// After an older copy of the store was put back, a write in progress may make the revision with other contents.
    @Test(arguments: [("PUT", "/a", #"{"value":5}"#), ("DELETE", "/a", nil), ("PATCH", "", #"{"set":{"a":5}}"#)])
    func aTagOfALostRevisionFitsNoOther(method: String, path: String, body: String?) async throws {
        let store = FaultyStore()
        try await TestServer(store: store).run { server in
            try await server.hub.edit(["a": 1])
            let epoch = try #require(server.hub.head?.epoch)
            store.state.withLock { $0.heldCommit = 2 }
            async let other = server.hub.edit(["a": 99])
            try await until { store.taken == 2 }
            let tag = "\(epoch):2-0123456789abcdef"
            let status = try await server.script { client in
                try client.ask(method, "/v1/default/entries" + path, ["If-Match: \"\(tag)\""], body: body).status
            }
            #expect(status == 412)
            store.letGo()
            #expect(try await other.revision == 2)
        }
    }

    /// The store checks the conditions of writes, and it has the revisions that this server lacks. One with a tag waits for them,
    /// since the tag depends on contents.
    @Test func writesAheadOfTheServerAreCheckedByTheStore() async throws {
        try await Self.behind { server, store, commit, seen in
            func send(_ method: String, _ target: String, _ fields: [String] = [], _ body: String) async throws
                -> WireResponse
            {
                try await server.script { try $0.ask(method, target, fields, body: body) }
            }
            let (entries, entry) = ("/v1/default/entries", "/v1/default/entries/a")
            async let unchanged = send("PUT", entry, [], #"{"value":1}"#)
            try await until { store.state.withLock(\.headQuestions) > 0 }
            store.tell(commit)
            #expect(try await unchanged["livery-revision"] == "\(seen)", "not the older state that was known here")

            let second = try await store.makeElsewhere(["a": .integer(2)])
            async let stale = send("PATCH", entries, [], #"{"set":{"a":3},"expect":1}"#)
            try await until { store.state.withLock(\.headQuestions) > 1 }
            store.tell(second)
            #expect(try ProblemDetails(json: await stale.body).revision == 2)

            let third = try await store.makeElsewhere(["a": .integer(3)])
            async let ahead = send("PUT", entry, ["If-Match: \"\(seen.epoch):3\""], #"{"value":4}"#)
            try await until { store.state.withLock(\.headQuestions) > 2 }
            store.tell(third)
            #expect(try await ahead["livery-revision"] == "\(seen.epoch):4")
            #expect(try await send("PATCH", entries, [], #"{"set":{"a":5},"expect":4}"#).status == 200)
        }
    }
}
