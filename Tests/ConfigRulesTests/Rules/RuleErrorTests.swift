// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Testing

struct RuleErrorTests {
    @Test(
        arguments: [
            ([1], "", "a rule must be an object, not an array of numbers"),
            ([:], "/variants", "'variants' is required"),
            (["variants": ["a": 1], "variant": 1], "/variant", "unknown member 'variant' in the rule"),
            (
                ["variants": ["a": 1, "b": "x"]], "/variants/b",
                "all variants must have the same type; this one is a string"
            ),
            (["variants": ["a": 1, "b": .null]], "/variants/b", "must not be null"),
            (
                ["variants": ["a": 1], "defaultVariant": "b"], "/defaultVariant",
                "unknown variant \"b\"; expected one of a"
            ),
            (
                ["variants": ["a": 1], "defaultVariant": 7], "/defaultVariant",
                "'defaultVariant' must be the name of a variant"
            ),
            (["variants": ["a": 1], "state": "ON"], "/state", "ENABLED or DISABLED"),
            (["variants": ["a": 1], "metadata": ["a": []]], "/metadata/a", "a string, a number or a Boolean"),
            (
                ["variants": ["a": 1], "bucketing": "flagd-9"], "/bucketing",
                "expected one of flagd-1, flagd-2, flagd-3"
            ),
            (["variants": ["a": 1], "targeting": "a"], "/targeting", "an object with an operation"),
        ] as [(EntryValue, String, String)]
    )
    func errorHasItsPointer(rule: EntryValue, pointer: String, message: String) throws {
        let error = try #require(throws: RuleError.self) { try ConfigRule(rule) }
        #expect(error.faults.map(\.pointer) == [pointer])
        #expect(error.description.contains(message), "\(error)")
    }

    @Test(
        arguments: [
            (["if": [true, "c"]], "/if/1", "unknown variant \"c\"; expected one of a, b"),
            (["if": [["same": [1, 1]], "a"]], "/if/0/same", "unknown operator 'same'"),
            (["if": [["==": [1, 1], "!=": [1, 2]], "a"]], "/if/0", "an operation must have exactly one member"),
            (["<": [1]], "/<", "'<' takes 2 or 3 arguments, not 1"),
            (["fractional": []], "/fractional", "requires variants with weights"),
            (["fractional": [["var": "email"]]], "/fractional", "requires variants with weights"),
            (["fractional": [["a", 1.5]]], "/fractional", "a weight must be a non-negative integer, not 1.5"),
            (["fractional": [["a", true]]], "/fractional", "a weight must be a non-negative integer, not true"),
            (["fractional": [["a", 1, 2]]], "/fractional", "an argument of 'fractional' must be a variant"),
            (["fractional": [["a", 0], ["b", -1]]], "/fractional", "must be greater than 0"),
            (["fractional": [["a", 2_147_483_647], ["b", 1]]], "/fractional", "at most 2147483647"),
            (["fractional": [["c", 1]]], "/fractional", "unknown variant \"c\""),
            (["fractional": [[["if": [true, "c"]], 1]]], "/fractional/0/0/if/1", "unknown variant \"c\""),
            (["sem_ver": [["var": "v"], ">="]], "/sem_ver", "'sem_ver' takes three arguments, not 2"),
            (["sem_ver": [["var": "v"], "=>", "1.0.0"]], "/sem_ver", "must be one of = != < <= > >= ^ ~"),
            (["sem_ver": [["var": "v"], "=", "one"]], "/sem_ver", "\"one\" is not a version such as 2.1.0"),
            (["starts_with": ["a"]], "/starts_with", "'starts_with' takes two arguments, not 1"),
            (["$ref": "nobody"], "/$ref", "unknown shared evaluator 'nobody'; expected one of other, some"),
            (["$ref": 1], "/$ref", "must be the name of a shared evaluator"),
            (["$ref": "some"], "/$ref", "unknown variant \"c\"; expected one of a, b"),
        ] as [(EntryValue, String, String)]
    )
    func targetingErrorHasItsPointer(targeting: EntryValue, pointer: String, message: String) throws {
        let rule: EntryValue = ["variants": ["a": 1, "b": 2], "targeting": targeting]
        let evaluators = try RuleEvaluators(["other": ["var": "x"], "some": ["if": [["var": "x"], "a", "c"]]])
        let error = try #require(throws: RuleError.self) { try ConfigRule(rule, evaluators: evaluators) }
        #expect(error.faults.map(\.pointer) == ["/targeting" + pointer])
        #expect(error.description.contains(message), "\(error)")
    }

    @Test func anEvaluatorThatRefersToAnotherIsRefused() throws {
        let error = try #require(throws: RuleError.self) { try RuleEvaluators(["loop": ["!": [["$ref": "loop"]]]]) }
        #expect(error.faults.map(\.pointer) == ["/loop/!/0/$ref"])
    }

    @Test func atMostOneHundredErrorsAreReported() throws {
        let parts = EntryValue.array(Array(repeating: ["no": []], count: 500))
        let error = try #require(throws: RuleError.self) {
            try ConfigRule(["variants": ["a": 1], "targeting": ["and": parts]])
        }
        #expect(error.faults.count == 100)
    }
}
