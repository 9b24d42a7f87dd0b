// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport
import Testing

@testable import ConfigRules

/// Rules that would take for ever, or all memory, end within the limit of steps.
struct HostileRuleTests {
    private static let context = EvaluationContext(
        targetingKey: "user-1",
        [
            "list": .array((0..<1000).map { .integer($0) }),
            "text": .string(String(repeating: "a", count: 60_000)),
            "part": .string(String(repeating: "a", count: 30_000) + "b"),
            "texts": .array(Array(repeating: .string(String(repeating: "x", count: 1000)), count: 60)),
        ]
    )

    /// The steps that an evaluation takes, and what it gives.
    private func evaluate(
        _ targeting: EntryValue,
        atMost limit: Int = RuleMachine.maximumSteps
    ) throws -> (steps: Int, evaluation: RuleEvaluation) {
        let rule = try ConfigRule(["variants": ["a": 1], "targeting": targeting])
        var machine = rule.machine(key: "k", in: Self.context, at: 0, limit: limit)
        let evaluation = rule.evaluate(by: &machine)
        return (machine.steps, evaluation)
    }

    @Test(
        arguments: [
            // A text that doubles with each element.
            ["reduce": [["var": "list"], ["cat": [["var": "accumulator"], ["var": "accumulator"]]], "x"]],
            // An array that doubles with each element.
            ["reduce": [["var": "list"], ["merge": [["var": "accumulator"], ["var": "accumulator"]]], [1]]],
            // A thousand times a thousand times a thousand.
            [
                "map": [
                    ["var": "list"],
                    ["map": [[1, 2, 3, 4], ["map": [[1, 2, 3, 4, 5, 6, 7, 8], ["+": [1, 2, 3, 4]]]]]],
                ]
            ],
            // A part that is nearly found at every place.
            ["and": [["in": [["var": "part"], ["var": "text"]]], ["in": [["var": "part"], ["var": "text"]]]]],
            // An array that is written as a text again and again.
            ["map": [["var": "list"], ["==": [["merge": [[1], [["cat": [["var": ""], "x"]]]]], "1,x"]]]],
        ] as [EntryValue]
    )
    func aRuleThatWouldTakeForEverEnds(targeting: EntryValue) throws {
        let (steps, evaluation) = try evaluate(targeting)
        // One step may be charged for much at once.
        #expect(steps <= RuleMachine.maximumSteps * 2)
        if steps > RuleMachine.maximumSteps {
            #expect(evaluation.error?.message == "the rule takes more than 100000 steps")
        }
    }

    /// A text that has doubled seventeen times is not made.
    @Test func aTextThatGrowsIsStoppedBeforeItIsMade() throws {
        let body: EntryValue = ["cat": [["var": "accumulator"], ["var": "accumulator"]]]
        let (steps, evaluation) = try evaluate(["!!": [["reduce": [["var": "list"], body, "x"]]]])
        #expect(steps > RuleMachine.maximumSteps && evaluation.reason == .error)
    }

    @Test func tenThousandHostileRulesEndWithinTheLimit() throws {
        var random = SeededGenerator(seed: 7)
        var (stopped, ended) = (0, 0)
        for _ in 0..<10_000 {
            // A lower limit, which more of them reach, and sooner. One step may be charged for all of a text.
            let (steps, evaluation) = try evaluate(["!!": [hostile(&random, depth: 5)]], atMost: 2_000)
            #expect(steps <= 2_000 + 40_000)
            stopped += steps > 2_000 ? 1 : 0
            ended += evaluation.error == nil || evaluation.error?.code == .general ? 1 : 0
        }
        #expect(ended == 10_000 && stopped > 100)
    }

    private func hostile(_ random: inout SeededGenerator, depth: Int) -> EntryValue {
        let paths: [EntryValue] = ["", "list", "text", "part", "texts", "accumulator", "current", "texts.7", "list.0"]
        guard depth > 0 else { return ["var": paths.randomElement(using: &random) ?? ""] }
        let part = { (random: inout SeededGenerator) in self.hostile(&random, depth: depth - 1) }
        let names = [
            "map", "filter", "reduce", "all", "some", "none", "cat", "merge", "in", "substr", "==", "===", "<", "+",
            "missing",
            "var", "fractional", "sem_ver", "if", "and", "!",
        ]
        let name = names.randomElement(using: &random) ?? "map"
        switch name {
        case "map", "filter", "all", "some", "none":
            let items: EntryValue = Bool.random(using: &random) ? ["var": "list"] : part(&random)
            return operation(name, [items, part(&random)])
        case "reduce": return ["reduce": [["var": "list"], part(&random), part(&random)]]
        case "fractional": return ["fractional": [part(&random), ["a", 1]]]
        case "sem_ver": return ["sem_ver": [part(&random), ">", part(&random)]]
        case "var": return ["var": [part(&random)]]
        default: return operation(name, (0..<3).map { _ in part(&random) })
        }
    }

    private func operation(_ name: String, _ arguments: [EntryValue]) -> EntryValue {
        .object(EntryObject([(key: name, value: .array(arguments))]))
    }
}
