// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import ConfigRules
import ConfigWire
import TestSupport
import Testing

@testable import ConfigServer

/// OpenFeature's protocol, and the evaluation of drafts.
@Suite(.timeLimit(.minutes(5)))
struct EvaluationRouteTests {
    private static let flags = #"""
        {"set":{"plain":"text","off":"kept","whole":7},"rules":{
        "color":{"variants":{"pink":"#FFB6C1","blue":"#0000FF"},"defaultVariant":"pink","metadata":{"owner":"design","n":1},
        "targeting":{"if":[{"==":[{"var":"language"},"es"]},"blue"]}},
        "flag":{"variants":{"on":true,"off":false},"defaultVariant":"on"},
        "ratio":{"variants":{"one":1,"half":0.5},"defaultVariant":"one"},
        "count":{"variants":{"one":1,"two":2},"defaultVariant":"two"},
        "list":{"variants":{"a":[1,{"b":null}]},"defaultVariant":"a"},
        "object":{"variants":{"a":{"b":[true]}},"defaultVariant":"a"},
        "split":{"variants":{"a":"a","b":"b"},"targeting":{"fractional":[["a",50],["b",50]]}},
        "none":{"variants":{"a":"a"}},
        "off":{"variants":{"a":"a"},"defaultVariant":"a","state":"DISABLED"},
        "odd":{"variants":{"a":"a"},"targeting":{"var":"variant"}}}}
        """#

    private func flag(
        _ client: WireClient,
        _ key: String,
        _ context: String = "{}",
        _ fields: [String] = []
    ) throws -> WireResponse {
        let body = #"{"context":\#(context)}"#
        return try client.ask("POST", "/ofrep/v1/evaluate/flags/\(key)", fields, body: body)
    }

    private func running(_ body: @escaping @Sendable (WireClient) throws -> Void) async throws {
        try await TestServer().script { client in
            let answer = try client.ask("PATCH", "/v1/default/entries", body: Self.flags)
            #expect(answer.status == 200, "\(answer.text)")
            try body(client)
        }
    }

    @Test(arguments: [
        ("plain", "{}", #"{"key":"plain","value":"text","reason":"STATIC","variant":"default","metadata":{}}"#),
        ("whole", "{}", #"{"key":"whole","value":7,"reason":"STATIC","variant":"default","metadata":{}}"#),
        (
            "color", #"{"language":"es"}"#,
            ##"{"key":"color","value":"#0000FF","reason":"TARGETING_MATCH","variant":"blue","metadata":{"n":1,"owner":"design"}}"##
        ),
        (
            "color", #"{"language":"de"}"#,
            ##"{"key":"color","value":"#FFB6C1","reason":"DEFAULT","variant":"pink","metadata":{"n":1,"owner":"design"}}"##
        ),
        ("flag", "{}", #"{"key":"flag","value":true,"reason":"STATIC","variant":"on","metadata":{}}"#),
        ("ratio", "{}", #"{"key":"ratio","value":1.0,"reason":"STATIC","variant":"one","metadata":{}}"#),
        ("count", "{}", #"{"key":"count","value":2,"reason":"STATIC","variant":"two","metadata":{}}"#),
        ("list", "{}", #"{"key":"list","value":[1,{"b":null}],"reason":"STATIC","variant":"a","metadata":{}}"#),
        ("object", "{}", #"{"key":"object","value":{"b":[true]},"reason":"STATIC","variant":"a","metadata":{}}"#),
        ("none", "{}", #"{"key":"none","reason":"DEFAULT","variant":"","metadata":{}}"#),
        ("off", "{}", #"{"key":"off","reason":"DISABLED","variant":"","metadata":{}}"#),
        ("split", "{}", #"{"key":"split","reason":"DEFAULT","variant":"","metadata":{}}"#),
        (
            "odd", #"{"variant":"a"}"#,
            #"{"key":"odd","value":"a","reason":"TARGETING_MATCH","variant":"a","metadata":{}}"#
        ),
    ])
    func aFlagIsEvaluated(key: String, context: String, expected: String) async throws {
        try await running { client in
            let answer = try flag(client, key, context)
            #expect(answer.status == 200 && answer.text == expected, "\(answer.text)")
        }
    }

    @Test func errorsHaveOpenFeatureCodes() async throws {
        try await running { client in
            let cases: [(key: String, body: String, status: Int, code: String)] = [
                ("missing", #"{"context":{}}"#, 404, "FLAG_NOT_FOUND"),
                ("a%20b", #"{"context":{}}"#, 404, "FLAG_NOT_FOUND"),
                ("$evaluators", #"{"context":{}}"#, 404, "FLAG_NOT_FOUND"),
                ("odd", #"{"context":{"variant":"z"}}"#, 400, "GENERAL"),
                ("plain", #"{"context":[]}"#, 400, "INVALID_CONTEXT"),
                ("plain", #"{"context":{"targetingKey":1}}"#, 400, "INVALID_CONTEXT"),
                ("plain", #"{"context":{"n":1e400}}"#, 400, "INVALID_CONTEXT"),
                ("plain", #"{"context":{"a":1,"a":2}}"#, 400, "INVALID_CONTEXT"),
                ("plain", "[]", 400, "PARSE_ERROR"), ("plain", #"{"context":{}"#, 400, "PARSE_ERROR"),
                ("plain", "null,", 400, "PARSE_ERROR"), ("plain", "nul", 400, "PARSE_ERROR"),
                ("plain", "\u{1}", 400, "PARSE_ERROR"),
                (
                    "plain",
                    #"{"context":{"a":\#(String(repeating: "[", count: 200))\#(String(repeating: "]", count: 200))}}"#,
                    400, "INVALID_CONTEXT"
                ),
            ]
            for (key, body, status, code) in cases {
                let answer = try client.ask("POST", "/ofrep/v1/evaluate/flags/\(key)", body: body)
                #expect(answer.status == status, "\(key) \(body): \(answer.text)")
                #expect(
                    answer.text.contains(#""errorCode":"\#(code)","errorDetails":""#),
                    "\(key) \(body): \(answer.text)"
                )
            }
            let wrong = try client.ask(
                "POST",
                "/ofrep/v1/evaluate/flags/plain",
                ["Content-Type: text/plain"],
                body: "{}"
            )
            #expect(wrong.status == 415)
            #expect(try client.ask("GET", "/ofrep/v1/evaluate/flags/plain").status == 405)
        }
    }

    /// OFREP makes the body, its context and the targeting key optional.
    @Test func contextIsOptional() async throws {
        try await running { client in
            let path = "/ofrep/v1/evaluate/flags/plain"
            let expected = try client.ask("POST", path, body: #"{"context":{}}"#)
            #expect(expected.status == 200)
            for body in ["{}", #"{"context":null}"#, #"{"other":1}"#, "null", " null\n", "", nil] {
                let answer = try client.ask("POST", path, body: body)
                #expect(answer.status == 200 && answer.text == expected.text, "\(body ?? "no body"): \(answer.text)")
            }
        }
    }

    @Test func allFlagsComeTogetherWithATagForRulesAndContext() async throws {
        try await running { client in
            let path = "/ofrep/v1/evaluate/flags"
            let spanish = #"{"context":{"language":"es","targetingKey":"u"}}"#
            let first = try client.ask("POST", path, body: spanish)
            #expect(first.status == 200)
            guard case .object(let members) = try EntryValue(json: first.body),
                case .array(let flags)? = members["flags"]
            else {
                Issue.record("\(first.text)")
                return
            }
            #expect(flags.count == 12)
            let tag = try #require(first["etag"])
            // The same context written otherwise.
            let same = #"{"context":{"targetingKey":"u", "language":"es"},"other":1}"#
            #expect(try client.ask("POST", path, ["If-None-Match: \(tag)"], body: same).status == 304)
            let german = #"{"context":{"language":"de","targetingKey":"u"}}"#
            let other = try client.ask("POST", path, ["If-None-Match: \(tag)"], body: german)
            #expect(other.status == 200 && other["etag"] != tag)
            let query = "?flagConfigEtag=x&flagConfigLastModified=1771622898"
            #expect(try client.ask("POST", path + query, ["If-None-Match: \(tag)"], body: spanish).status == 304)
            _ = try client.ask(
                "PUT",
                "/v1/default/rules/flag",
                body: #"{"rule":{"variants":{"on":true},"defaultVariant":"on"}}"#
            )
            let changed = try client.ask("POST", path, ["If-None-Match: \(tag)"], body: spanish)
            #expect(changed.status == 200 && changed["etag"] != tag)
        }
    }

    /// Keys whose rules are written alike share the evaluation of their conditions, and equal contexts an answer.
    @Test func allFlagsAreThoseThatAreRequestedOneByOne() async throws {
        let targetings = [
            #"{"if":[{"==":[{"var":"$flagd.flagKey"},"key1"]},"a",{"in":["x",{"var":"plan"}]},"b"]}"#,
            #"{"if":[{"ends_with":[{"var":"email"},"@example.org"]},"a",{"fractional":[["a",50],["b",50]]}]}"#,
            #"{"fractional":[{"cat":[{"var":"$flagd.flagKey"},{"var":"email"}]},["a",30],["b",70]]}"#,
            #"{"if":[{"var":"plan"},{"var":"plan"},null]}"#, #"{"map":[{"var":"plan"},1]}"#, "{}",
        ]
        try await TestServer().script { client in
            var random = SeededGenerator(seed: 5)
            for round in 0..<8 {
                let rules = (0..<12).map { key in
                    let targeting = targetings.randomElement(using: &random) ?? ""
                    return
                        #""key\#(key)":{"variants":{"a":\#(round),"b":2},"defaultVariant":"b","targeting":\#(targeting)}"#
                }
                let publish = #"{"set":{"plain":\#(round)},"rules":{\#(rules.joined(separator: ","))}}"#
                #expect(try client.ask("PATCH", "/v1/default/entries", body: publish).status == 200)
                for context in [
                    "{}", #"{"targetingKey":"u","plan":"x"}"#, #"{"email":"a@example.org","targetingKey":"v"}"#, "{}",
                ] {
                    let body = #"{"context":\#(context)}"#
                    let all = try client.ask("POST", "/ofrep/v1/evaluate/flags", body: body).text
                    let keys = ((0..<12).map { "key\($0)" } + ["plain"]).sorted()
                    let flags = try keys.map { try flag(client, $0, context).text }.joined(separator: ",")
                    #expect(all.hasPrefix(#"{"flags":[\#(flags)],"#), "round \(round), \(context): \(all)")
                }
            }
        }
    }

    @Test func aRuleThatLooksAtTheTimeMakesTheTagThatOfTheFlags() async throws {
        try await TestServer().script { client in
            let path = "/ofrep/v1/evaluate/flags"
            func publish(_ condition: String) throws {
                let targeting = #"{"if":[\#(condition),"a","b"]}"#
                let rule = #"{"rule":{"variants":{"a":1,"b":2},"targeting":\#(targeting)}}"#
                let answer = try client.ask("PUT", "/v1/default/rules/k", body: rule)
                #expect([200, 201].contains(answer.status), "\(answer.text)")
            }
            func ask(knowing tag: String? = nil) throws -> WireResponse {
                try client.ask("POST", path, tag.map { ["If-None-Match: \($0)"] } ?? [], body: #"{"context":{}}"#)
            }
            try publish(#"{"==":[{"%":[{"var":"$flagd.timestamp"},2]},0]}"#)
            let first = try ask()
            let tag = try #require(first["etag"])
            #expect(first.status == 200 && tag.split(separator: "-").count == 4)
            try until("another answer for the same rules and context") {
                let second = try ask(knowing: tag)
                return second.status == 200 && second["etag"] != tag && second.text != first.text
            }
            try publish(#"{"<":[{"var":"$flagd.timestamp"},5]}"#)
            let same = try ask()["etag"]
            #expect(try ask(knowing: same).status == 304)
            try publish(#"{"<":[{"var":"n"},5]}"#)
            let plain = try #require(try ask()["etag"])
            #expect(try ask(knowing: plain).status == 304 && plain.split(separator: "-").count == 3)
        }
    }

    @Test func aNamespaceIsInAFieldOrInThePath() async throws {
        try await TestServer().script { client, server in
            _ = try client.ask("PUT", "/v1/shop/entries/k", body: #"{"value":"shop"}"#)
            #expect(try flag(client, "k").status == 404)
            #expect(try flag(client, "k", "{}", ["X-Livery-Namespace: shop"]).text.contains(#""value":"shop""#))
            #expect(try flag(client, "k", "{}", ["X-Livery-Namespace: S"]).status == 400)
            let path = "/ns/shop/ofrep/v1/evaluate/flags"
            #expect(try client.ask("POST", path + "/k", body: #"{"context":{}}"#).text.contains(#""value":"shop""#))
            #expect(try client.ask("POST", path, body: #"{"context":{}}"#).text.contains(#""namespace":"shop""#))
            #expect(server.hub.head?.revision == 1, "nothing was written")
        }
    }

    @Test func changedEvaluatorsApplyAtOnce() async throws {
        try await running { client in
            let rule = #"{"variants":{"a":"a","b":"b"},"targeting":{"if":[{"$ref":"x"},"a","b"]}}"#
            func publish(_ evaluator: String) throws {
                let body = #"{"rules":{"shared":\#(rule),"$evaluators":{"x":\#(evaluator)}}}"#
                #expect(try client.ask("PATCH", "/v1/default/entries", body: body).status == 200)
            }
            try publish(#"{"==":[1,1]}"#)
            #expect(try flag(client, "shared").text.contains(#""variant":"a""#))
            try publish(#"{"==":[1,2]}"#)
            #expect(try flag(client, "shared").text.contains(#""variant":"b""#))
        }
    }

    @Test func draftsAreEvaluatedForManyContexts() async throws {
        try await running { client in
            let rule = #"{"variants":{"x":1,"y":2},"targeting":{"if":[{"==":[{"var":"team"},"a"]},"x","y"]}}"#
            let contexts = #"[{"targetingKey":"u1","team":"a"},{"team":"b"}]"#
            let body = #"{"key":"draft","rule":\#(rule),"contexts":\#(contexts),"explain":true}"#
            let answer = try client.ask("POST", "/v1/default/evaluate", body: body)
            let expected = """
                {"key":"draft","results":[{"targetingKey":"u1","variant":"x","value":1,"reason":"TARGETING_MATCH",\
                "steps":[{"pointer":"/targeting/if/0/==","condition":true}]},{"targetingKey":null,"variant":"y","value":2,\
                "reason":"TARGETING_MATCH","steps":[{"pointer":"/targeting/if/0/==","condition":false}]}]}
                """
            #expect(answer.status == 200 && answer.text == expected, "\(answer.text)")
            let present = try client.ask("POST", "/v1/default/evaluate", body: #"{"key":"flag","contexts":[{}]}"#)
            #expect(present.text.contains(#""variant":"on""#))
            let statuses: [(body: String, status: Int)] = [
                (#"{"key":"plain","contexts":[{}]}"#, 404), (#"{"contexts":[]}"#, 400),
                (#"{"key":"x","rule":{"variants":{"a":1},"defaultVariant":"b"},"contexts":[{}]}"#, 422),
                (#"{"key":"x","contexts":[1]}"#, 400), (#"{"key":"a b","contexts":[]}"#, 400),
                (#"{"key":"flag","contexts":[\#(Array(repeating: "{}", count: 10_000).joined(separator: ","))]}"#, 200),
                (#"{"key":"flag","contexts":[\#(Array(repeating: "{}", count: 10_001).joined(separator: ","))]}"#, 413),
            ]
            for (body, status) in statuses {
                let answer = try client.ask("POST", "/v1/default/evaluate", body: body)
                #expect(answer.status == status, "\(body.prefix(80)): \(answer.text.prefix(200))")
            }
        }
    }

    @Test func explanationsOfARequestAreLimited() async throws {
        try await running { client in
            let list = "[" + Array(repeating: "1", count: 400).joined(separator: ",") + "]"
            let targeting = #"{"if":[{"map":[\#(list),{"if":[{"var":""},1]}]},"a"]}"#
            let contexts = "[" + Array(repeating: "{}", count: 2000).joined(separator: ",") + "]"
            let rule = #"{"variants":{"a":"a"},"targeting":\#(targeting)}"#
            let body = #"{"key":"k","rule":\#(rule),"contexts":\#(contexts),"explain":true}"#
            let answer = try client.ask("POST", "/v1/default/evaluate", body: body)
            #expect(answer.status == 200 && answer.text.contains(#""stepsTruncated":true"#))
            #expect(answer.body.count < 6 * 1024 * 1024, "\(answer.body.count) bytes")
        }
    }

    /// A short request, whose answer would be long.
    @Test func resultsAreRefusedAboveTheirLimit() async throws {
        let text = String(repeating: "v", count: 20_000)
        let rule = #"{"variants":{"a":"\#(text)"},"targeting":{"if":[true,"a","a"]}}"#
        @Sendable func body(contexts: Int) -> String {
            let contexts = Array(repeating: "{}", count: contexts).joined(separator: ",")
            return #"{"key":"k","rule":\#(rule),"contexts":[\#(contexts)]}"#
        }
        var settings = ServerSettings()
        settings.limits.evaluationBytes = 1 << 20
        try await TestServer(settings: settings).script { client in
            let answer = try client.ask("POST", "/v1/default/evaluate", body: body(contexts: 1000))
            #expect(answer.status == 422, "\(answer.text.prefix(300))")
            let problem = try ProblemDetails(json: answer.body)
            #expect(problem.type == "urn:livery:problem:answer-too-large")
            #expect(try client.ask("POST", "/v1/default/evaluate", body: body(contexts: 1)).status == 200)
        }
    }

    /// A request of many evaluations, each of which is within the limit, ends in time as well.
    @Test func manySlowEvaluationsAreErrorsInTime() async throws {
        try await running { client in
            let row = "[" + Array(repeating: "1", count: 300).joined(separator: ",") + "]"
            let table = "[" + Array(repeating: row, count: 60).joined(separator: ",") + "]"
            let targeting = #"{"if":[{"all":[\#(table),{"all":[{"var":""},{"!!":[{"var":""}]}]}]},"a"]}"#
            let contexts = "[" + Array(repeating: "{}", count: 100).joined(separator: ",") + "]"
            let rule = #"{"variants":{"a":"a"},"targeting":\#(targeting)}"#
            let body = #"{"key":"k","rule":\#(rule),"contexts":\#(contexts)}"#
            let answer = try client.ask("POST", "/v1/default/evaluate", body: body)
            #expect(answer.status == 200)
            guard case .object(let members) = try EntryValue(json: answer.body),
                case .array(let results)? = members["results"], case .object(let last)? = results.last
            else {
                Issue.record("\(answer.text.prefix(300))")
                return
            }
            #expect(
                results.first == ["targetingKey": .null, "variant": "a", "value": "a", "reason": "TARGETING_MATCH"]
            )
            #expect(last["errorCode"] == "GENERAL", "\(last)")
            #expect(results.count == 100)
        }
    }
}

struct FlagEvaluationTests {
    /// Such an answer is written by the workers, and not on an event loop.
    @Test(arguments: [
        (EntryValue.string(String(repeating: "x", count: 4000)), false),
        (.string(String(repeating: "x", count: 4200)), true),
        (.array(Array(repeating: .double(0.1), count: 100)), true),
        (.array(Array(repeating: .array([]), count: 1000)), true),
        (.object(EntryObject([("a", .array(Array(repeating: .integer(1), count: 1000))), ("b", .null)])), true),
        (.object(EntryObject([("a", .array([.double(0.1), .integer(1)])), ("b", .null)])), false),
    ])
    func longAnswersAreKnownWithoutWritingThem(value: EntryValue, isLong: Bool) {
        var bytes = 4096
        #expect(value.isWritten(within: &bytes) == !isLong)
    }
}
