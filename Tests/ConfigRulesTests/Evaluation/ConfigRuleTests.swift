// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Testing

struct ConfigRuleTests {
    static func rule(_ targeting: EntryValue, default name: EntryValue = "pink") throws -> ConfigRule {
        try ConfigRule([
            "variants": ["pink": "#FFB6C1", "blue": "#0000FF", "true": "#FFFFFF"], "defaultVariant": name,
            "targeting": targeting,
        ])
    }

    @Test func aRuleChoosesByTheContext() throws {
        let rule = try Self.rule([
            "if": [
                ["and": [["==": [["var": "language"], "es"]], ["sem_ver": [["var": "version"], ">=", "2.1"]]]], "blue",
                ["var": "isTester"], true,
            ]
        ])
        let variant = { (attributes: [String: EntryValue]) in
            rule.evaluate(key: "a", in: EvaluationContext(attributes), at: 0)
        }
        let blue = variant(["language": "es", "version": "2.1.0"])
        #expect(blue == RuleEvaluation(variant: "blue", value: "#0000FF", reason: .targetingMatch))
        #expect(variant(["language": "es", "version": "2.1.0-rc.1"]).reason == .default)
        #expect(variant(["isTester": true]).variant == "true")
        #expect(variant([:]) == RuleEvaluation(variant: "pink", value: "#FFB6C1", reason: .default))
    }

    @Test func theWayOfBucketingIsStoredWithTheRule() throws {
        let value: EntryValue = ["variants": ["a": 1], "defaultVariant": "a"]
        let rule = try ConfigRule(value)
        #expect(rule.value == ["variants": ["a": 1], "defaultVariant": "a", "bucketing": "flagd-3"])
        #expect(try ConfigRule(rule.value) == rule)
    }

    @Test func anExplanationNamesEachBranchAndTheBucket() throws {
        let rule = try Self.rule([
            "if": [
                ["var": "isTester"], "pink", ["in": ["es", ["var": "languages"]]],
                ["fractional": [["blue", 50], ["pink", 50]]],
            ]
        ])
        let context = EvaluationContext(targetingKey: "user-1", ["languages": ["es", "de"]])
        let explanation = rule.explain(key: "k", in: context, at: 0)
        #expect(explanation.evaluation == rule.evaluate(key: "k", in: context, at: 0))
        #expect(explanation.steps.prefix(2).map(\.pointer) == ["/targeting/if/0/var", "/targeting/if/2/in"])
        #expect(explanation.steps.prefix(2).map(\.decision) == [.condition(false), .condition(true)])
        let split = try #require(explanation.steps.last)
        #expect(split.pointer == "/targeting/if/3/fractional")
        guard case .split(let bucket, total: 100) = split.decision else { return #expect(Bool(false), "\(split)") }
        #expect((bucket < 50 ? "blue" : "pink") == explanation.evaluation.variant)
    }

    @Test func sharedEvaluatorsAreExpanded() throws {
        let rule = try ConfigRule(
            [
                "variants": ["a": 1, "b": 2],
                "targeting": ["if": [["$ref": "spanish"], "a", ["!": [["$ref": "spanish"]]], "b"]],
            ],
            evaluators: try RuleEvaluators(["spanish": ["==": [["var": "language"], "es"]]])
        )
        let context = { (language: EntryValue) in EvaluationContext(["language": language]) }
        #expect(rule.evaluate(key: "k", in: context("es"), at: 0).variant == "a")
        #expect(rule.evaluate(key: "k", in: context("de"), at: 0).variant == "b")
    }

    /// 10 % is a part of 20 %, whatever the key.
    @Test(arguments: [1, 10, 50, 99])
    func growingRolloutKeepsItsUsers(percent: Int) throws {
        let rollout = { (percent: Int) in
            try Self.rule(["fractional": [["blue", .integer(percent)], ["pink", .integer(100 - percent)]]])
        }
        let (rule, larger) = (try rollout(percent), try rollout(min(100, percent + 10)))
        let count = 100_000
        var blue = 0
        for number in 0..<count {
            let context = EvaluationContext(targetingKey: "user-\(number)")
            guard rule.evaluate(key: "sky", in: context, at: 0).variant == "blue" else { continue }
            blue += 1
            #expect(larger.evaluate(key: "sky", in: context, at: 0).variant == "blue")
        }
        // Four standard deviations of so many throws.
        let share = Double(percent) / 100
        let limit = 4 * (share * (1 - share) / Double(count)).squareRoot()
        #expect(abs(Double(blue) / Double(count) - share) < limit)
    }
}
