// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import ConfigRules

struct RuleEvaluatorsTests {
    /// An evaluator of some 60 kB.
    private static let large: EntryValue = [
        "large": ["or": .array((0..<2000).map { ["==": [["var": "language"], .string("l\($0)")]] })]
    ]

    private static func rule(_ number: Int) -> EntryValue {
        ["variants": ["a": 1, "b": .integer(number)], "targeting": ["if": [["$ref": "large"], "a", "b"]]]
    }

    @Test(.timeLimit(.minutes(1))) func evaluatorsAreCompiledOnceForAllRules() throws {
        let evaluators = try RuleEvaluators(Self.large)
        let evaluator = try #require(evaluators["large"])
        let (known, unknown) = (EvaluationContext(["language": "l1999"]), EvaluationContext())
        for number in 2..<3002 {
            let rule = try ConfigRule(Self.rule(number), evaluators: evaluators)
            let program = rule.machine(key: "k", in: unknown, at: 0).shared.program
            #expect(program.nodes.count < 10 && program.references.first === evaluator)
            guard number < 10 else { continue }
            #expect(rule.evaluate(key: "k", in: known, at: 0).value == 1)
            #expect(rule.evaluate(key: "k", in: unknown, at: 0).value == .integer(number))
        }
    }

    @Test func evaluatorsAreCheckedByName() throws {
        let error = try #require(throws: RuleError.self) {
            try RuleEvaluators(["good": ["var": "a"], "odd/name": ["!": [["no": 1]]]])
        }
        #expect(error.faults.map(\.pointer) == ["/odd~1name/!/0/no"])
        #expect(throws: RuleError.self) { try RuleEvaluators([1]) }
    }

    @Test func resultsOfEvaluatorsAreVariants() throws {
        let evaluators = try RuleEvaluators(["choice": ["if": [["var": "x"], "a", "c"]]])
        let value = { (targeting: EntryValue) -> EntryValue in ["variants": ["a": 1, "b": 2], "targeting": targeting] }
        #expect(throws: RuleError.self) { try ConfigRule(value(["$ref": "choice"]), evaluators: evaluators) }
        // As a condition it may give anything.
        _ = try ConfigRule(value(["if": [["$ref": "choice"], "a"]]), evaluators: evaluators)
    }

    @Test(
        arguments: [
            (["if": [["$ref": "a"], "x"]], true), (["if": [["and": [["!": [["$ref": "a"]]]]], "x"]], true),
            (["if": [["var": "$ref"], "x"]], false), (.null, false),
        ] as [(EntryValue, Bool)]
    )
    func rulesThatReferAreFound(targeting: EntryValue, refers: Bool) {
        #expect(ConfigRule.refersToEvaluators(["variants": ["x": ["$ref": "a"]], "targeting": targeting]) == refers)
    }
}
