// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import ConfigWire
import NIOCore
import TestSupport
import Testing

@testable import ConfigServer

/// The schemas of a namespace, over the wire.
@Suite(.timeLimit(.minutes(5)))
struct SchemaRouteTests {
    private static let colors = #"{"schema":{"type":"string","format":"color"}}"#

    @Test func aSchemaIsSetReadAndRemoved() async throws {
        try await TestServer().script { client in
            let made = try client.ask("PUT", "/v1/default/schemas/app.colors.*", body: Self.colors)
            #expect(made.status == 201)
            #expect(made["location"] == "/v1/default/schemas/app.colors.*")
            #expect(try EntryMessage(json: made.body, .schema).value == ["type": "string", "format": "color"])
            let again = try client.ask("PUT", "/v1/default/schemas/app.colors.*", body: Self.colors)
            #expect(again.status == 200 && again["etag"] == made["etag"])
            #expect(try client.ask("GET", "/v1/default/schemas/app.colors.%2A").body == made.body)
            let list = try EntryList(json: try client.ask("GET", "/v1/default/schemas").body, .schema)
                .entries
            #expect(list.map(\.key) == ["app.colors.*"])
            #expect(try client.ask("DELETE", "/v1/default/schemas/app.colors.*").status == 204)
            #expect(try client.ask("DELETE", "/v1/default/schemas/app.colors.*").status == 404)
            #expect(try client.ask("GET", "/v1/default/schemas/app.colors.*").status == 404)
            for name in ["a.**", "a*", ".*", "a..b", "*.a"] {
                #expect(
                    try client.ask("PUT", "/v1/default/schemas/\(name)", body: Self.colors).status == 400,
                    "\(name)"
                )
            }
        }
    }

    @Test func violatingValuesAreRejectedWithEachError() async throws {
        try await TestServer().script { client, server in
            let schema = #"{"schema":{"items":{"required":["title"],"properties":{"title":{"maxLength":3}}}}}"#
            _ = try client.ask("PUT", "/v1/default/schemas/menu", body: schema)
            _ = try client.ask("PUT", "/v1/default/schemas/*", body: #"{"schema":{"type":["array","string"]}}"#)
            let edits = #"{"set":{"menu":[{"title":"Home"},{}],"size":1},"unset":["gone"]}"#
            let refused = try client.ask("PATCH", "/v1/default/entries", body: edits)
            #expect(refused.status == 422)
            let problem = try ProblemDetails(json: refused.body)
            #expect(problem.type == "urn:livery:problem:schema-violation")
            #expect(problem.violations.map(\.key) == ["menu", "menu", "size"])
            #expect(problem.violations.map(\.schema) == ["menu", "menu", "*"])
            #expect(problem.violations.map(\.pointer) == ["/0/title", "/1", ""])
            #expect(
                problem.violations.map(\.keywordPointer) == [
                    "/items/properties/title/maxLength", "/items/required", "/type",
                ]
            )
            #expect(problem.violations.map(\.limit) == [3, ["title"], ["array", "string"]])
            #expect(problem.violations.map(\.found) == ["Home", [:], 1])
            #expect(problem.detail.hasSuffix("(and 2 more)"))
            #expect(server.hub.head?.revision == 2)
            // The same by each way to write.
            let value = #"{"value":1}"#
            #expect(try client.ask("PUT", "/v1/default/entries/size", body: value).status == 422)
            let row = #"{"key":"size","value":1}"#
            #expect(try client.ask("POST", "/config", body: row).status == 422)
            #expect(server.hub.head?.revision == 2)
        }
    }

    @Test func invalidSchemaIsRejectedWithEachError() async throws {
        try await TestServer().script { client in
            let schema = #"{"schema":{"maxmum":1,"properties":{"a":{"pattern":"(a)\\1"}}}}"#
            let refused = try client.ask("PUT", "/v1/default/schemas/a", body: schema)
            #expect(refused.status == 422)
            let problem = try ProblemDetails(json: refused.body)
            #expect(problem.type == "urn:livery:problem:invalid-schema")
            #expect(problem.violations.map(\.pointer) == ["/maxmum", "/properties/a/pattern"])
            #expect(problem.violations.allSatisfy { $0.key == nil && $0.schema == "a" })
            // A value that cannot be a schema is rejected like any other body of the wrong type, with any conditions.
            let condition = ["If-Match: \"9\""]
            let list = try client.ask("PUT", "/v1/default/schemas/a", condition, body: #"{"schema":[1]}"#)
            #expect(list.status == 400 && list.text.contains("a schema must be an object, true or false"))
            let batch = #"{"schemas":{"a":"x"},"expect":9}"#
            #expect(try client.ask("PATCH", "/v1/default/entries", body: batch).status == 400)
            // Long values are omitted, and the message has their beginning.
            let long = String(repeating: "x", count: 300)
            let limit = #"{"schema":{"const":"\#(long)"}}"#
            _ = try client.ask("PUT", "/v1/default/schemas/b", body: limit)
            let broken = try client.ask("PUT", "/v1/default/entries/b", body: #"{"value":1}"#)
            let violation = try #require(try ProblemDetails(json: broken.body).violations.first)
            #expect(violation.limit == nil && violation.found == 1)
        }
    }

    @Test func schemasAreInDeltasHistoryAndRollback() async throws {
        try await TestServer().script { client, server in
            let publish = #"{"set":{"a":1},"schemas":{"a":{"type":"integer"},"b.*":{"type":"string"}}}"#
            let receipt = try PublishReceipt(
                json: try client.ask("PATCH", "/v1/default/entries", body: publish).body
            )
            #expect(receipt.changed == ["a"] && receipt.changedSchemas == ["a", "b.*"])
            let next = #"{"set":{"a":"x"},"schemas":{"a":{"type":"string"},"b.*":null}}"#
            #expect(try client.ask("PATCH", "/v1/default/entries", body: next).status == 200)

            let plain = try client.ask("GET", "/v1/default/config")
            #expect(!plain.text.contains("schema"))
            let whole = try client.ask("GET", "/v1/default/config?schemas=true")
            #expect(whole["etag"] != plain["etag"])
            let state = try #require(try ConfigAnswer(json: whole.body).snapshot)
            #expect(state.schemas == ["a": ["type": "string"]])
            #expect(state.digest == ConfigDigest([(key: "a", value: "x")]))
            let tag = try #require(whole["etag"])
            let unchanged = try client.ask("GET", "/v1/default/config?schemas=true", ["If-None-Match: \(tag)"])
            #expect(unchanged.status == 304)

            let epoch = try #require(server.hub.head?.epoch)
            let after = "/v1/default/config?epoch=\(epoch)&after=1"
            #expect(!(try client.ask("GET", after).text.contains("schema")))
            let delta = try ConfigAnswer(json: try client.ask("GET", after + "&schemas=true").body)
            guard case .changes(let changes, _) = delta else { return #expect(Bool(false), "no changes: \(delta)") }
            #expect(changes.values.upserts == ["a": "x"])
            #expect(changes.schemas == EntryChanges(upserts: ["a": ["type": "string"]], deletes: ["b.*"]))
            #expect(changes.schemaDigest == ConfigDigest([(key: "a", value: ["type": "string"] as EntryValue)]))
            let reset = try client.ask("GET", "/v1/default/config?epoch=\(epoch)&after=9&schemas=true")
            #expect(reset.text.contains(#""reset":true"#) && reset.text.contains(#""schemas":{"a""#))

            let history = try HistoryMessage(json: try client.ask("GET", "/v1/default/history?schema=b.*").body)
            #expect(history.records.map(\.kind) == [.schema, .schema])
            #expect(history.records.map(\.value) == [nil, ["type": "string"]])
            let ofKey = try HistoryMessage(json: try client.ask("GET", "/v1/default/history?key=a").body)
            #expect(ofKey.records.map(\.value) == ["x", 1])
            #expect(try client.ask("POST", "/v1/default/rollback", body: #"{"to":1}"#).status == 200)
            #expect(try client.ask("PUT", "/v1/default/entries/a", body: #"{"value":"x"}"#).status == 422)
            #expect(try client.ask("GET", "/v1/default/config?schemas=yes").status == 400)
            #expect(try client.ask("GET", "/v1/default/history?key=a&schema=a").status == 400)
            // Programs of the former protocol, and the document for loaders, see values alone.
            for target in ["/config", "/default.json", "/v1/default/entries"] {
                #expect(!(try client.ask("GET", target).text.contains("type")), "\(target)")
            }
        }
    }

    @Test func aChangeOfSchemasAloneMovesStreamsOn() async throws {
        try await TestServer().script { client, server in
            let state = try #require(server.hub.state(of: "default"))
            _ = try client.ask("PUT", "/v1/default/entries/a", body: #"{"value":1}"#)
            _ = try client.ask("PUT", "/v1/default/schemas/a", body: #"{"schema":{"type":"integer"}}"#)
            let now = try #require(server.hub.state(of: "default"))
            let events = try #require(now.encodedEvents(after: state.revision)).events
            let text = String(decoding: events.readableBytesView, as: UTF8.self)
            #expect(text.contains(#""from":1,"to":2"#) && !text.contains("integer"))
            let entries = ["a": EntryValue.integer(1)].map { (key: $0, value: $1) }
            #expect(now.digest == ConfigDigest(entries))
        }
    }
}

extension ConfigAnswer {
    var snapshot: ServerSnapshot? { if case .snapshot(let state, _) = self { state } else { nil } }
}
