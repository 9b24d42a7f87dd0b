// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import ConfigRules

struct ExplanationLimitTests {
    private let context = EvaluationContext(["list": .array((0..<10_000).map { .integer($0) })])

    private func rule(_ evaluator: String) throws -> ConfigRule {
        let operation: EntryValue = ["map": [["var": "list"], ["if": [["var": ""], 1, 2]]]]
        return try ConfigRule(
            ["variants": ["a": 1, "b": 2], "targeting": ["if": [["$ref": .string(evaluator)], "a", "b"]]],
            evaluators: RuleEvaluators(.object(EntryObject([(key: evaluator, value: operation)])))
        )
    }

    @Test func recordsAThousandDecisions() throws {
        let explanation = try rule("e").explain(key: "k", in: context, at: 0)
        #expect(explanation.evaluation.variant == "a")
        #expect(explanation.isTruncated)
        #expect(explanation.steps.count <= 1000 && explanation.steps.count > 500)
        #expect(explanation.steps.first?.pointer == "/$evaluators/e/map/1/if/0/var")
    }

    @Test func longNamesShortenTheExplanation() throws {
        let rule = try rule(String(repeating: "x", count: 20_000))
        let explanation = rule.explain(key: "k", in: context, at: 0)
        #expect(explanation.evaluation.variant == "a")
        #expect(explanation.isTruncated && explanation.steps.count == 3)
    }

    @Test func explanationsOfARequestHaveALimitTogether() throws {
        let rule = try rule("e")
        var budget = StepBudget(50_000_000, explanationBytes: 100_000)
        var bytes = 0
        for _ in 0..<100 {
            let explanation = rule.explain(key: "k", in: context, at: 0, within: &budget)
            #expect(explanation.evaluation.variant == "a")
            bytes += explanation.steps.reduce(0) { $0 + $1.pointer.utf8.count + 64 }
        }
        #expect(bytes > 50_000 && bytes <= 100_000)
    }

    @Test func shortExplanationsAreWhole() throws {
        let rule = try ConfigRule(["variants": ["a": 1], "targeting": ["if": [true, "a"]]])
        let explanation = rule.explain(key: "k", in: context, at: 0)
        #expect(explanation.steps.map(\.decision) == [.condition(true)] && !explanation.isTruncated)
    }

    @Test func aSharedLimitIsNamedByItsOwner() throws {
        let rule = try rule("e")
        var (alone, ofRequest) = (StepBudget(2), StepBudget(2, message: "too much for this request"))
        let message = rule.evaluate(key: "k", in: context, at: 0, within: &alone).problem
        #expect(message == "the evaluations together exceed the step limit")
        let other = rule.explain(key: "k", in: context, at: 0, within: &ofRequest).evaluation.problem
        #expect(other == "too much for this request")
    }
}
