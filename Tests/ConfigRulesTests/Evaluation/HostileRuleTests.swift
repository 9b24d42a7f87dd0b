// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport
import Testing

@testable import ConfigRules

/// Rules that would run without end, or use all memory, stop at the limit of steps.
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

    private func run(_ targeting: EntryValue) throws -> (machine: RuleMachine, evaluation: RuleEvaluation) {
        let rule = try ConfigRule(["variants": ["a": 1], "targeting": targeting])
        var machine = rule.machine(key: "k", in: Self.context, at: 0)
        let evaluation = rule.evaluate(by: &machine)
        return (machine, evaluation)
    }

    @Test(
        arguments: [
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
    func anEndlessRuleIsStopped(targeting: EntryValue) throws {
        let (machine, evaluation) = try run(targeting)
        // One step may be charged for much at once.
        #expect(machine.steps <= RuleMachine.maximumSteps * 2)
        if machine.steps > RuleMachine.maximumSteps {
            #expect(evaluation.error?.message == "the rule requires more than 100000 steps")
        }
    }

    private static let doubled: EntryValue = [["var": "accumulator"], ["var": "accumulator"]]
    private static let forty = EntryValue.array(Array(repeating: 1, count: 40))

    /// A value that contains another one twice, forty times over, has 2^40 parts, though it takes little memory.
    @Test(
        arguments: [
            ["==": [["reduce": [forty, doubled, "x"]], "z"]], ["===": [["reduce": [forty, doubled, "x"]], "z"]],
            ["in": ["z", ["reduce": [forty, doubled, "x"]]]], ["cat": [["reduce": [forty, doubled, "x"]]]],
            ["substr": [["reduce": [forty, doubled, "x"]], 1]], ["min": [["reduce": [forty, doubled, "x"]]]],
            ["merge": [["reduce": [forty, doubled, "x"]]]], ["!!": [["reduce": [forty, doubled, "x"]]]],
            ["missing": [["reduce": [forty, doubled, "x"]]]], ["var": [["reduce": [forty, doubled, "x"]]]],
            ["fractional": [["reduce": [forty, doubled, "x"]], ["a", 1]]],
            ["reduce": [forty, ["merge": [["var": "accumulator"], ["var": "accumulator"]]], [1]]],
            ["reduce": [forty, ["cat": [["var": "accumulator"], ["var": "accumulator"]]], "x"]],
            ["reduce": [forty, ["map": [["merge": [["var": "accumulator"], ["var": "accumulator"]]], 1]], [1]]],
            ["reduce": [["var": "list"], ["var": ""], "x"]],
            ["reduce": [["var": "list"], [["var": "accumulator"]], "x"]],
        ] as [EntryValue]
    )
    func valueThatDoublesIsRefusedAtOnce(targeting: EntryValue) throws {
        let (machine, evaluation) = try run(["!!": [targeting]])
        #expect(evaluation.reason == .error)
        #expect(machine.steps <= RuleMachine.maximumSteps * 5 && machine.builtBytes <= RuleMachine.maximumBytes * 2)
    }

    /// Doubling without `reduce` is limited by the depth of the rule, and paid when a value is read.
    @Test(arguments: ["cat", "substr", "in"])
    func nestedLoopsThatDoubleArePaid(name: String) throws {
        var doubled: EntryValue = ["x"]
        for _ in 0..<12 { doubled = ["map": [[1, 1], doubled]] }
        for _ in 0..<12 { doubled = [["map": [doubled, [["var": ""], ["var": ""]]]], ["var": "list"]] }
        let operands: [EntryValue] = name == "in" ? [["cat": [doubled]], "z"] : [doubled, 1]
        let (machine, _) = try run(["!!": [operation(name, operands)]])
        #expect(machine.steps <= RuleMachine.maximumSteps * 2)
    }

    @Test func wholeContextIsBuiltOncePerEvaluation() throws {
        let members = (0..<100_000).map { (key: "name\($0)", value: EntryValue.integer($0)) }
        let context = EvaluationContext(targetingKey: "u", attributes: EntryObject(members))
        let part: EntryValue = ["!!": [["var": ""]]]
        let rule = try ConfigRule([
            "variants": ["a": 1, "b": 2],
            "targeting": ["if": [["and": .array(Array(repeating: part, count: 1500))], "a", "b"]],
        ])
        var machine = rule.machine(key: "k", in: context, at: 0)
        #expect(rule.evaluate(by: &machine).variant == "a")
        #expect(machine.builtBytes == 100_002 * MemoryLayout<EntryObject.Member>.stride)
        #expect(machine.steps > 12_500)
        guard case .object(let whole)? = machine.wholeContext else { return #expect(Bool(false)) }
        #expect(whole.count == 100_002 && whole["targetingKey"] == "u" && whole["name7"] == 7)
        #expect(whole == EntryObject(Array(whole)))
    }

    /// Each of these costs far more than its few nodes.
    @Test(
        arguments: [
            ["map": [["var": "list"], ["fractional": .array(Array(repeating: ["a", 1], count: 4000))]]],
            ["map": [["var": "list"], ["var": ["cat": [["var": "text"], ".a"]]]]],
            ["map": [["var": "list"], ["sem_ver": [["var": "text"], "=", ["var": "text"]]]]],
            ["some": [["var": "list"], ["in": ["b", ["cat": ["aaaaaaaa", ["var": ""], "text"]]]]]],
        ] as [EntryValue]
    )
    func workIsChargedByCost(targeting: EntryValue) throws {
        let (machine, _) = try run(["!!": [targeting]])
        #expect(machine.steps <= RuleMachine.maximumSteps + 70_000 / 16)
    }

    /// Writing a double, and reading a version with many identifiers, takes some microseconds.
    @Test(
        arguments: [
            (["cat": .array(Array(repeating: 1.25e-300, count: 100))], 1600),
            (["sem_ver": [["+": [["var": "none"], 1.25e-300]], "=", "1.0.0"]], 16),
            (["sem_ver": [.string("1.0.0-a" + String(repeating: ".a", count: 120)), "=", ["var": "version"]]], 100),
        ] as [(EntryValue, Int)]
    )
    func doublesAndVersionsAreChargedByCost(targeting: EntryValue, steps: Int) throws {
        #expect(try run(targeting).machine.steps >= steps)
    }

    /// Swift's `==`, hashes and raw values take time in the square of the number of combining marks.
    @Test(.timeLimit(.minutes(5))) func combiningMarksAreComparedInLinearTime() throws {
        let marks = { (count: Int, last: Unicode.Scalar) in
            let scalars = (0..<count).map { number -> Unicode.Scalar in number % 2 == 0 ? "\u{301}" : "\u{323}" }
            return String(String.UnicodeScalarView(scalars + [last]))
        }
        let context = EvaluationContext([
            "first": .string(marks(200_000, "\u{301}")), "second": .string(marks(200_000, "\u{324}")), "list": [1, 2],
        ])
        let conditions: [EntryValue] = [
            ["==": [["var": "first"], ["var": "second"]]], ["in": [["var": "first"], [["var": "second"]]]],
            ["!!": [["var": ["cat": ["list.", ["var": "first"]]]]]], ["sem_ver": ["1", ["var": "first"], "1"]],
        ]
        for condition in conditions {
            let rule = try ConfigRule(["variants": ["a": 1, "b": 2], "targeting": ["if": [condition, "a", "b"]]])
            #expect(rule.evaluate(key: "k", in: context, at: 0).variant == "b")
        }
        let name = marks(200_000, "\u{301}")
        #expect(throws: RuleError.self) { try ConfigRule(["variants": ["a": 1], "targeting": operation(name, [1])]) }
        #expect(throws: RuleError.self) { try ConfigRule(operation(name, [1])) }
        #expect(throws: RuleError.self) { try ConfigRule(["variants": ["a": 1], "bucketing": .string(name)]) }
    }

    private func operation(_ name: String, _ arguments: [EntryValue]) -> EntryValue {
        .object(EntryObject([(key: name, value: .array(arguments))]))
    }
}
