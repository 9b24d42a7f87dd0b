// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import ConfigWire
import TestSupport
import Testing

@testable import ConfigServer

/// The conditions of RFC 9110, section 13, at each route.
@Suite(.timeLimit(.minutes(5)))
struct ConditionTests {
    /// The kind of a route's response.
    enum Kind {
        /// It returns a representation that the client may have cached.
        case read
        /// It writes an existing entry.
        case write
        /// It changes a draft, or the policy, of a version.
        case version
        /// It accepts no conditions.
        case unconditional
    }

    private static func kind(_ route: WireRoute) -> Kind {
        if route.isRead { return .read }
        guard route.honoursConditions else { return .unconditional }
        return route.path.contains("/drafts/") || route.path.hasSuffix("/policy") ? .version : .write
    }

    private static let date = "Sat, 01 Jan 2000 00:00:00 GMT"
    private static let other = "\"0123456789abcdef:1\""

    /// The status for each kind, 400 where none is given; 200 means any success.
    private static let conditions: [(fields: [String], status: [Kind: Int])] = [
        (["If-Match: \(other)"], [.read: 412, .write: 412, .version: 412]),
        (["If-Match: *"], [.read: 200, .write: 200, .version: 200]),
        (["If-Match: nonsense"], [.read: 400, .write: 400]),
        (["If-None-Match: *"], [.read: 304, .write: 412]),
        (["If-None-Match: \(other)"], [.read: 200, .write: 200]),
        (["If-Match: *", "If-None-Match: *"], [.read: 304, .write: 412]),
        (["If-Match: \(other)", "If-None-Match: *"], [.read: 412, .write: 412]),
        (["If-Unmodified-Since: \(date)"], [.read: 400, .write: 400]),
        (["If-Unmodified-Since: \(date)", "If-Match: *"], [.read: 200, .write: 200, .version: 200]),
        // There are no modification dates to compare with, so it must be ignored (13.1.3).
        (["If-Modified-Since: \(date)"], [.read: 200, .write: 200, .version: 200, .unconditional: 200]),
    ]

    /// A target and a body of a route; a route of a draft gets one, in conflict where it resolves that, and the policy another
    /// window.
    private static func example(
        of route: WireRoute,
        window: Int,
        _ client: WireClient
    ) throws -> (target: String, body: String?) {
        let (target, body) = (route.exampleTarget, route.exampleBody)
        if route.path.hasSuffix("/policy"), body != nil { return (target, "{\"window\":\"\(window)s\"}") }
        guard route.path.contains("{id}") else { return (target, body) }
        let created = try client.ask("POST", "/v1/default/drafts", body: #"{"set":{"k":3}}"#)
        let draft = try DraftMessage(json: created.body)
        if target.hasSuffix("/rebase") { _ = try client.ask("PUT", "/v1/default/entries/k", body: #"{"value":4}"#) }
        return (
            target.replacing("/d/", with: "/\(draft.summary.id)/").replacing(/\/d$/, with: "/\(draft.summary.id)"),
            body?.replacing(#""digest":"""#, with: "\"digest\":\"\(draft.digest)\"")
        )
    }

    @Test func everyRouteHonoursOrRefusesEachCondition() async throws {
        try await TestServer().script { client, server in
            for route in Route.declarations {
                let kind = Self.kind(route)
                for (window, (fields, statuses)) in Self.conditions.enumerated() {
                    _ = try client.ask("DELETE", "/v1/default/entries/new")
                    _ = try client.ask("PUT", "/v1/default/entries/k", body: #"{"value":1}"#)
                    _ = try client.ask("PUT", "/v1/default/schemas/k", body: #"{"schema":{"maximum":8}}"#)
                    _ = try client.ask("PUT", "/v1/default/rules/k", body: #"{"rule":{"variants":{"a":1}}}"#)
                    let (target, body) = try Self.example(of: route, window: window + 1, client)
                    let before = server.hub.head
                    let answer = try client.ask(route.method, target, fields, body: body)
                    let status = 200..<300 ~= answer.status ? 200 : answer.status
                    #expect(status == statuses[kind] ?? 400, "\(route.name) \(fields): \(answer.status) \(answer.text)")
                    #expect(
                        (server.hub.head != before) == (kind != .read && status == 200),
                        "\(route.name) \(fields)"
                    )
                    guard route.method == "GET" else { continue }
                    // HEAD is GET without a body, and an unusual notation is the same target.
                    let head = try client.ask("HEAD", target, fields)
                    #expect(head.status == answer.status, "HEAD \(target) \(fields)")
                    if route.path.hasSuffix("/config"), route.path != "/config" {
                        let unusual = try client.ask("GET", "/" + target, fields).status
                        #expect(unusual == answer.status, "/\(target) \(fields)")
                    }
                }
            }
        }
    }

    @Test(
        arguments: [
            ("PATCH", "/v1/default/entries", #"{"set":{"k":3}}"#), ("POST", "/v1/default/rollback", #"{"to":1}"#),
            ("PUT", "/v1/default/entries/k", #"{"value":3}"#), ("DELETE", "/v1/default/entries/k", nil),
        ] as [(String, String, String?)]
    )
    func conditionalWritesDoNotUndoOthers(
        method: String,
        target: String,
        body: String?
    ) async throws {
        try await TestServer().script { client in
            for value in 1...2 {
                _ = try client.ask("PUT", "/v1/default/entries/k", body: "{\"value\":\(value)}")
            }
            let source = target.hasSuffix("/k") ? target : "/v1/default/entries"
            let tag = try #require(try client.ask("GET", source)["etag"])
            _ = try client.ask("PUT", "/v1/default/entries/k", body: #"{"value":"another's"}"#)
            let stale = try client.ask(method, target, ["If-Match: \(tag)"], body: body)
            #expect(stale.status == 412, "\(stale.text)")
            #expect(try client.ask("GET", "/v1/default/entries/k").text.contains("another's"))
            let fresh = try #require(try client.ask("GET", source)["etag"])
            let both = ["If-Match: \(tag)", "If-Match: \(fresh)"]
            #expect(try client.ask(method, target, ["If-None-Match: \(fresh)"], body: body).status == 412)
            #expect(200..<300 ~= (try client.ask(method, target, both, body: body).status))
        }
    }

    @Test func compressedAnswersHaveAMatchingTag() async throws {
        try await TestServer().script { client in
            _ = try client.ask("PUT", "/v1/default/entries/k", body: #"{"value":1}"#)
            let plain = try #require(try client.ask("GET", "/v1/default/config")["etag"])
            let compressed = plain.dropLast() + "-gzip\""
            let body = #"{"set":{"k":3}}"#
            let target = "/v1/default/entries"
            #expect(try client.ask("PATCH", target, ["If-None-Match: \(compressed)"], body: body).status == 412)
            #expect(try client.ask("PATCH", target, ["If-Match: \(compressed)"], body: body).status == 200)
            #expect(try client.ask("PATCH", target, ["If-Match: \(compressed)"], body: body).status == 412)
        }
    }

    @Test func staleRevisionsAndStaleTagsDiffer() async throws {
        try await TestServer().script { client in
            for value in 1...2 {
                _ = try client.ask("PUT", "/v1/default/entries/k", body: "{\"value\":\(value)}")
            }
            let tag = try #require(try client.ask("GET", "/v1/default/config")["etag"])
            let body = #"{"set":{"k":3},"expect":1}"#
            #expect(try client.ask("PATCH", "/v1/default/entries", ["If-Match: \(tag)"], body: body).status == 409)
        }
    }
}
