// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Testing

extension StoreLaw {
    private static let split: EntryValue = [
        "variants": ["a": 1, "b": 2], "defaultVariant": "a", "bucketing": "flagd-3",
        "targeting": ["fractional": [["a", 1], ["b", 3]]],
    ]
    private static let spanish: EntryValue = [
        "variants": ["a": 1, "b": 2], "bucketing": "flagd-3", "targeting": ["if": [["$ref": "spanish"], "a", "b"]],
    ]
    private static let evaluators: EntryValue = ["spanish": ["==": [["var": "language"], "es"]]]

    static let ruleLaws = [
        StoreLaw("a publish with an invalid rule is rejected as a whole") { bench in
            let refused = try await bench.publish(
                .edit([
                    "rule:a": ["variants": ["x": 1], "defaultVariant": "y"],
                    "rule:b": ["variants": ["x": 1], "targeting": ["if": [["is": [1, 2]], "x"]]], "c": 1,
                ])
            )
            let violations = try #require(refused.violations)
            #expect(violations.map(\.rule) == ["a", "b"])
            #expect(violations.map(\.pointer) == ["/defaultVariant", "/targeting/if/0/is"])
            #expect(violations.allSatisfy { $0.key == nil && $0.schema == nil })
            #expect(try await bench.load().head.revision == 0)
        },
        StoreLaw("a rule stores its bucketing") { bench in
            try await bench.edit(["a": 1, "rule:a": ["variants": ["x": 1], "defaultVariant": "x"]])
            let rule: EntryValue = ["variants": ["x": 1], "defaultVariant": "x", "bucketing": "flagd-3"]
            #expect(try await bench.values()["rule:a"] == rule)
            // Written out, it is the same.
            #expect(try await bench.publish(.edit(["rule:a": rule])).commit == nil)
            let refused = try await bench.publish(.edit(["rule:a": ["variants": ["x": 1], "bucketing": "dice"]]))
            #expect(refused.violations?.map(\.pointer) == ["/bucketing"])
        },
        StoreLaw("removing a key removes its rule, unless the same publish sets another") { bench in
            try await bench.edit(["a": 1, "rule:a": split, "b": 1, "rule:b": split])
            let gone = try await bench.edit(["a": nil, "b": nil, "rule:b": spanishWithoutReference])
            #expect(
                gone.changes.mapValues(\.?.value) == [
                    "a": nil, "rule:a": nil, "b": nil, "rule:b": spanishWithoutReference,
                ]
            )
            #expect(try await bench.values() == ["rule:b": spanishWithoutReference])
            // A key with a rule and without a value.
            try await bench.edit(["b": nil])
            #expect(try await bench.reopen().namespaces["default"]?.entries == [:])
        },
        StoreLaw("shared evaluators are validated together with the rules") { bench in
            #expect(try await bench.publish(.edit(["rule:a": spanish])).violations?.map(\.rule) == ["a"])
            try await bench.edit(["rule:a": spanish, "rule:$evaluators": evaluators])
            try await bench.edit(["rule:b": spanish])
            for change: EntryValue? in [nil, ["french": ["==": [1, 1]]]] {
                let refused = try await bench.publish(.edit(["rule:$evaluators": change]))
                #expect(refused.violations?.map(\.rule) == ["a", "b"])
                #expect(refused.violations?.first?.pointer == "/targeting/if/0/$ref")
            }
            let circle = try await bench.publish(.edit(["rule:$evaluators": ["spanish": ["$ref": "spanish"]]]))
            #expect(circle.violations?.map(\.rule) == ["$evaluators"])
            #expect(circle.violations?.map(\.pointer) == ["/spanish/$ref"])
            try await bench.edit(["rule:$evaluators": nil, "rule:a": split, "rule:b": nil])
        },
        StoreLaw("the variants of a rule must match the schema of its key") { bench in
            try await bench.edit(["schema:a.*": ["maximum": 1]])
            let refused = try await bench.publish(.edit(["rule:a.x": split]))
            #expect(refused.violations?.map(\.rule) == ["a.x"])
            #expect(refused.violations?.map(\.schema) == ["a.*"])
            #expect(refused.violations?.map(\.pointer) == ["/variants/b"])
            try await bench.edit(["rule:a.x": split, "schema:a.*": ["maximum": 2]])
            for schema in ["schema:a.*", "schema:a.x"] {
                let lower = try await bench.publish(.edit([schema: ["maximum": 0]]))
                #expect(lower.violations?.map(\.pointer) == ["/variants/a", "/variants/b"], "\(schema)")
            }
            let other = try await bench.publish(.edit(["schema:a.*": nil, "schema:*": ["maximum": 1]]))
            #expect(other.violations?.map(\.pointer) == ["/variants/b"])
        },
        StoreLaw("rules are in the history, and a rollback restores them with the values") { bench in
            try await bench.edit(["a": 1, "rule:a": split], in: "other")
            try await bench.edit(["rule:a": spanishWithoutReference], in: "other")
            try await bench.edit(["a": nil], in: "other")
            let history = try await bench.history(of: "other", key: "rule:a").map(\.value)
            #expect(history == [nil, spanishWithoutReference, split])
            let back = try #require(try await bench.publish(.rollback(to: 1), in: "other").commit)
            #expect(back.changes.mapValues(\.?.value) == ["a": 1, "rule:a": split])
            #expect(
                try await bench.reopen().namespaces["other"]?.entries.mapValues(\.value) == ["a": 1, "rule:a": split]
            )
        },
    ]

    private static let spanishWithoutReference: EntryValue = [
        "variants": ["a": 1, "b": 2], "bucketing": "flagd-3",
        "targeting": ["if": [["==": [["var": "language"], "es"]], "a", "b"]],
    ]
}
