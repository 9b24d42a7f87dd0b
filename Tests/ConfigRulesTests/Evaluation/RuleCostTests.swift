// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport
import Testing

@testable import ConfigRules

/// The estimate of the steps that a rule takes, from its text alone.
struct RuleCostTests {
    private static func ids(_ count: Int) -> EntryValue { .array((0..<count).map { .string("user-\($0)") }) }

    private static func cost(_ targeting: EntryValue, evaluators: EntryValue? = nil) -> Int {
        RuleCost(evaluators: evaluators).steps(of: ["variants": ["a": 1], "targeting": targeting])
    }

    private static let ten = ids(10)
    private static let maximum = RuleMachine.maximumSteps

    private static let small: [(EntryValue, Int)] = [
        ([:], 1), (["==": [["var": "language"], "es"]], 5), (["in": [["var": "id"], ten]], 15),
        (["==": [["var": "a"], .string(String(repeating: "x", count: 160))]], 15),
        (["$ref": "listed"], 16), (["and": [["$ref": "listed"], ["$ref": "none"]]], 20),
    ]

    /// The array, the initial value, and for each element the body and one step more.
    private static let sums: [(EntryValue, Int)] = [
        (["reduce": [ten, ["+": [["var": "current"], ["var": "accumulator"]]], 0]], 1 + 11 + 1 + 11 * 7),
        (["reduce": [["var": "list"], ["if": [true, ["var": "accumulator"], 1]], 0]], 1 + 2 + 1 + 16 * 7),
    ]

    /// The array, and for each element the body and one step more.
    private static let loops: [(EntryValue, Int)] = [
        (["some": [ten, ["var": ""]]], 1 + 11 + 11 * 3), (["all": [["var": "list"], ["var": ""]]], 1 + 2 + 16 * 3),
        (["map": [["filter": [["var": "list"], true]], ["var": ""]]], 1 + 2 + 1 + 16 * 2 + 16 * 3),
    ]

    /// What grows without a bound costs as much as an evaluation may.
    private static let large: [(EntryValue, Int)] = [
        (["reduce": [["var": "list"], ["merge": [["var": "accumulator"], ["var": "accumulator"]]], []]], maximum),
        (["!": [["reduce": [ten, ["cat": [["var": "accumulator"], ["var": "current"]]], ""]]]], maximum),
        (["map": [["map": [ids(400), ids(400)]], 1]], maximum), (ids(200_000), maximum),
        (.string(String(repeating: "x", count: 5_000_000)), maximum),
    ]

    @Test(arguments: small + sums + loops + large)
    func aRuleCostsItsParts(targeting: EntryValue, steps: Int) {
        #expect(Self.cost(targeting, evaluators: ["listed": ["in": [["var": "id"], Self.ten]]]) == steps)
    }

    @Test(arguments: [1, true, [], ["variants": [:]], ["targeting": .null]] as [EntryValue])
    func anInvalidRuleCostsLittle(rule: EntryValue) {
        #expect(RuleCost(evaluators: rule).steps(of: rule) <= 1)
    }

    /// 900 rules that look for a user among 7,000, once with a shared evaluator and once without.
    @Test func listsOfManyUsersAreFarBelowTheMaximum() {
        let listed: EntryValue = ["in": [["var": "targetingKey"], Self.ids(7_000)]]
        let reference: EntryValue = ["if": [["$ref": "listed"], "a"]]
        let (alone, shared) = (Self.cost(["if": [listed, "a"]]), Self.cost(reference, evaluators: ["listed": listed]))
        #expect(alone > 7_000 && shared > 7_000)
        #expect(900 * alone < RuleCost.maximumPerDocument / 2 && 900 * shared < RuleCost.maximumPerDocument / 2)
    }

    @Test func anEvaluationTakesNoMoreThanTheEstimate() throws {
        let targetings: [EntryValue] = [
            ["if": [["in": [["var": "targetingKey"], Self.ids(7_000)]], "a"]],
            ["if": [["some": [Self.ids(500), ["==": [["var": ""], "user-499"]]]], "a"]],
            [
                "if": [
                    [
                        "in": [
                            "x", ["map": [["merge": [Self.ids(40), ["var": "list"]]], ["cat": [["var": ""], "-"]]]],
                        ]
                    ], "a",
                ]
            ],
            ["fractional": [["a", 1], [["if": [["var": "b"], "a"]], 1]]],
        ]
        let context = EvaluationContext(targetingKey: "user-6999", ["list": Self.ids(16), "b": true])
        for targeting in targetings {
            let rule = try ConfigRule(["variants": ["a": 1], "targeting": targeting])
            var machine = rule.machine(key: "k", in: context, at: 0)
            #expect(rule.evaluate(by: &machine).reason != .error)
            #expect(machine.steps <= Self.cost(targeting), "\(targeting)")
        }
    }
}
