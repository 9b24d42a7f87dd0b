// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Testing

/// The reasons of flagd: those of its test bed (flagd-testbed), and of its engine in Go for a targeting that is null.
struct ReasonTests {
    private static let context = EvaluationContext(
        targetingKey: "any-user",
        ["version": "not-a-version", "num": 123, "email": "ballmer@macrosoft.com", "yes": true, "object": ["x": 1]]
    )

    private static func evaluation(_ members: [String: EntryValue]) throws -> RuleEvaluation {
        let flag: [String: EntryValue] = ["variants": ["one": 1, "two": 2, "true": 3, "false": 4]]
        let rule = try ConfigRule(.object(EntryObject(flag.merging(members) { $1 }.map { ($0.key, $0.value) })))
        return rule.evaluate(key: "flag", in: context, at: 0)
    }

    @Test(
        arguments: [
            .null, ["if": [] as EntryValue], ["if": [true, .null, "one"]], ["if": [false, "one"]], ["var": "missing"],
            ["if": [["==": [["var": "targetingKey"], "other"]], "one", .null]], ["log": [.null]],
            // Operators that cannot use their operands.
            ["sem_ver": [["var": "version"], "=", "1.0.0"]], ["sem_ver": [["var": "yes"], "!=", "1.0.0"]],
            ["sem_ver": ["1.0.0", ["var": "version"], "1.0.0"]], ["sem_ver": ["1.0.0", "=", ["var": "missing"]]],
            ["starts_with": [["var": "num"], "abc"]], ["ends_with": [["var": "num"], "xyz"]],
            ["starts_with": ["abc", ["var": "missing"]]],
            ["fractional": [["var": "missing"], ["one", 50], ["two", 50]]],
            ["fractional": [["one", ["var": "missing"]], ["two", 50]]],
        ] as [EntryValue]
    )
    func targetingThatReturnsNullIsDefault(targeting: EntryValue) throws {
        let evaluation = try Self.evaluation(["targeting": targeting, "defaultVariant": "two"])
        #expect(evaluation == RuleEvaluation(variant: "two", value: 2, reason: .default), "\(targeting)")
        #expect(try Self.evaluation(["targeting": targeting]) == RuleEvaluation(reason: .default), "\(targeting)")
    }

    @Test(arguments: [[:], ["targeting": [:]]] as [[String: EntryValue]])
    func ruleWithoutTargetingIsStatic(members: [String: EntryValue]) throws {
        let evaluation = try Self.evaluation(members.merging(["defaultVariant": "two"]) { $1 })
        #expect(evaluation == RuleEvaluation(variant: "two", value: 2, reason: .static))
        #expect(try Self.evaluation(members) == RuleEvaluation(reason: .default))
    }

    @Test(
        arguments: [
            ("one", ["if": [["==": [["var": "email"], "ballmer@macrosoft.com"]], "one"]]),
            ("true", ["if": [true, true, false]]),
            ("false", ["sem_ver": ["1.0.0", "=", "2.0.0"]]), ("two", ["fractional": [["one", -50], ["two", 100]]]),
        ] as [(String, EntryValue)]
    )
    func chosenVariantIsATargetingMatch(variant: String, targeting: EntryValue) throws {
        let evaluation = try Self.evaluation(["targeting": targeting, "defaultVariant": "one"])
        #expect(evaluation.variant == variant && evaluation.reason == .targetingMatch)
    }

    @Test func disabledRuleHasNoOtherReason() throws {
        for targeting in [.null, [:], ["var": "version"]] as [EntryValue] {
            let evaluation = try Self.evaluation(["targeting": targeting, "defaultVariant": "two", "state": "DISABLED"])
            #expect(evaluation == RuleEvaluation(reason: .disabled))
        }
    }

    @Test func anInvalidResultIsAnError() throws {
        for targeting in [["var": "version"], ["map": [[1], 1]], ["var": "object"]] as [EntryValue] {
            let evaluation = try Self.evaluation(["targeting": targeting, "defaultVariant": "two"])
            #expect(evaluation.reason == .error && evaluation.error?.code == .general && evaluation.variant == nil)
        }
    }
}
