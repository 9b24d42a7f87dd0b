// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Testing

/// Many keys that have one rule: what is the same for all of them is evaluated once.
struct ManyKeysTests {
    private static let variants: EntryValue = ["a": 1, "b": 2]
    private let context = EvaluationContext(targetingKey: "user-7", ["language": "es", "list": [1, 2, 3]])

    private func rule(_ targeting: EntryValue) throws -> ConfigRule {
        try ConfigRule(["variants": Self.variants, "defaultVariant": "a", "targeting": targeting])
    }

    @Test func splitDependsOnTheKey() throws {
        let rule = try rule(["if": [["==": [["var": "language"], "es"]], ["fractional": [["a", 50], ["b", 50]]]]])
        var budget = StepBudget(.max)
        let begun = rule.begin(in: context, at: 0, within: &budget)
        let beginning = try #require(begun)
        let variants = (0..<100).map { number in
            rule.evaluate(key: "key-\(number)", in: context, at: 0, after: beginning, within: &budget).variant
        }
        #expect(variants.contains("a") && variants.contains("b"))
    }

    @Test(
        arguments: [
            ["==": [["var": "$flagd.flagKey"], "key-1"]],
            ["==": [["fractional": [["a", 50], ["b", 50]]], "a"]],
            ["!!": [["var": ""]]],
        ] as [EntryValue]
    )
    func aConditionThatLooksAtTheKeyIsEvaluatedForEach(condition: EntryValue) throws {
        let rule = try rule(["if": [condition, "a", "b"]])
        var budget = StepBudget(.max)
        let beginning = rule.begin(in: context, at: 0, within: &budget)
        #expect(beginning == nil)
        let alone = rule.evaluate(key: "key-1", in: context, at: 0)
        let after = rule.evaluate(key: "key-1", in: context, at: 0, after: nil, within: &budget)
        #expect(after == alone)
    }

    /// The steps of the beginning count for each key.
    @Test func theLimitOfStepsIsTheSame() throws {
        let slow: EntryValue = ["none": [["var": "list"], false]]
        // Some 40,000 steps each time.
        let listed = EvaluationContext(targetingKey: "u", ["list": .array((0..<20_000).map { .integer($0) })])
        for count in 1...3 {
            let condition: EntryValue = ["and": .array(Array(repeating: slow, count: count))]
            let rule = try rule(["if": [condition, ["and": [slow, "a"]], "b"]])
            var budget = StepBudget(.max)
            let beginning = rule.begin(in: listed, at: 0, within: &budget)
            let after = rule.evaluate(key: "k", in: listed, at: 0, after: beginning, within: &budget)
            #expect(after == rule.evaluate(key: "k", in: listed, at: 0))
            #expect((after.error?.message.contains("steps") ?? false) == (count > 1))
        }
    }
}
