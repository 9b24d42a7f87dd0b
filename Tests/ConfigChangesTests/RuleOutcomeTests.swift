// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Testing

@testable import ConfigChanges

struct RuleOutcomeTests {
    private static let evaluators: EntryValue = ["isSpanish": ["==": [["var": "language"], "es"]]]

    private func outcome(
        _ targeting: EntryValue,
        in context: EvaluationContext? = EvaluationContext(targetingKey: "ann", ["language": "es"]),
        state: String = "ENABLED"
    ) throws -> RuleOutcome {
        let rule: EntryValue = [
            "variants": ["blue": 1, "pink": 2], "defaultVariant": "pink", "targeting": targeting,
            "state": .string(state),
        ]
        return RuleOutcome(
            of: "k",
            by: try ConfigRule(rule, evaluators: Self.evaluators),
            in: context,
            at: 0,
            evaluators: Self.evaluators,
            defaultValue: 0
        )
    }

    @Test(
        arguments: [
            (["if": [["$ref": "isSpanish"], "blue"]], ["Matched: shared rule isSpanish"]),
            (
                ["if": [["in": [["var": "plan"], ["pro", "team"]]], "pink", ["!!": [["var": "language"]]], "blue"]],
                ["Not met: plan is one of pro, team", "Matched: language is set"]
            ),
            (
                ["if": [true, ["fractional": [["blue", 99_999], ["blue", 1]]]]],
                ["Matched: always", "Bucket: "]
            ),
        ] as [(EntryValue, [String])]
    )
    func decisionsAreInWords(targeting: EntryValue, decisions: [String]) throws {
        let outcome = try outcome(targeting)
        #expect(outcome.value == 1 && outcome.variant == "blue" && outcome.origin == "variant blue")
        let words = outcome.decisions.map { "\($0.kind): \($0.words)" }
        #expect(words.count == decisions.count)
        for (words, beginning) in zip(words, decisions) { #expect(words.hasPrefix(beginning)) }
        if decisions.last == "Bucket: " { #expect(words.last?.hasSuffix(" of 100,000") == true) }
    }

    @Test func theOriginIsNamed() throws {
        let other: EntryValue = ["if": [["==": [["var": "language"], "de"]], "blue"]]
        #expect(try outcome(other).origin == "variant pink, the default variant")
        let disabled = try outcome(other, state: "DISABLED")
        #expect(disabled.value == 0 && disabled.origin == "default value, the rule is disabled")
        #expect(try outcome(["var": "language"]).origin.hasPrefix("default value, the rule failed: "))
        let nobody = try outcome(other, in: nil)
        #expect(nobody.value == 0 && nobody.origin == "default value, no user" && nobody.decisions.isEmpty)
    }
}
