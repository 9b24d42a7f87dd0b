// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import TestSupport
import Testing

@testable import ConfigServer

/// `GET /v1/{ns}/config?at=`: the state at a revision.
@Suite(.timeLimit(.minutes(5)))
struct EarlierStateTests {
    private static func state(_ body: [UInt8]) throws -> ServerSnapshot {
        guard case .snapshot(let snapshot, false) = try ConfigAnswer(json: body) else {
            throw ConfigError(.badResponse, "this is no state")
        }
        return snapshot
    }

    /// After each publish the state is read, and at the end each of them once more, by its revision.
    @Test func eachStateIsReadAgainAsItWas() async throws {
        try await TestServer().script { client in
            var random = SeededGenerator(seed: 41)
            var states: [ServerSnapshot] = []
            for step in 1...60 {
                let (key, value) = (
                    "k\(Int.random(in: 0..<6, using: &random))", Int.random(in: 0..<4, using: &random)
                )
                let bodies = [
                    #"{"set":{"\#(key)":\#(value),"always":\#(step)}}"#,
                    #"{"unset":["\#(key)"],"set":{"always":\#(step)}}"#,
                    #"{"schemas":{"\#(key)":{"title":"\#(step)"}}}"#,
                    #"{"rules":{"\#(key)":{"state":"ENABLED","variants":{"one":\#(step)},"defaultVariant":"one"}}}"#,
                    #"{"rules":{"\#(key)":null},"schemas":{"\#(key)":null},"set":{"always":\#(step)}}"#,
                ]
                let body = bodies[Int.random(in: 0..<bodies.count, using: &random)]
                #expect(try client.ask("PATCH", "/v1/default/entries", body: body).status == 200, "\(body)")
                // A write elsewhere raises the revision, and leaves the state as it is.
                if step.isMultiple(of: 7) {
                    #expect(
                        try client.ask("PATCH", "/v1/other/entries", body: #"{"set":{"a":\#(step)}}"#).status == 200
                    )
                }
                states.append(try Self.state(try client.ask("GET", "/v1/default/config?schemas=true").body))
            }
            for state in states {
                let revision = state.cursor.revision
                let again = try client.ask("GET", "/v1/default/config?at=\(revision)&schemas=true")
                #expect(try Self.state(again.body) == state)
                let bare = try Self.state(try client.ask("GET", "/v1/default/config?at=\(revision)").body)
                #expect(bare.entries == state.entries && bare.schemas == nil && bare.digest == state.digest)
            }
            let empty = try Self.state(try client.ask("GET", "/v1/default/config?at=0").body)
            #expect(empty.entries.isEmpty && empty.cursor.revision == 0)
        }
    }

    @Test func invalidRevisionsAreRejected() async throws {
        try await TestServer().script { client in
            _ = try client.ask("PUT", "/v1/default/entries/a", body: #"{"value":1}"#)
            #expect(try client.ask("GET", "/v1/default/config?at=1").status == 200)
            // Another form of the same query.
            #expect(try client.ask("GET", "/v1/default/config?%61t=2").status == 404)
            #expect(try client.ask("GET", "/v1/default/config?at=2").status == 404)
            #expect(try client.ask("GET", "/v1/default/config?at=9007199254740991").status == 404)
            for query in [
                "at=", "at=-1", "at=x", "at=1&at=1", "at=1&after=0&epoch=0000000000000000", "at=1&after=0",
            ] {
                #expect(try client.ask("GET", "/v1/default/config?\(query)").status == 400, "\(query)")
            }
        }
    }
}
