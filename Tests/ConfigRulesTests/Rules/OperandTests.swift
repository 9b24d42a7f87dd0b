// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Testing

/// An operator is refused with operands that it cannot use, and evaluated with all others.
struct OperandTests {
    private static let counts: KeyValuePairs<String, ClosedRange<Int>> = [
        "!": 1...1, "!!": 1...1, "log": 1...1, "==": 2...2, "!=": 2...2, "===": 2...2, "!==": 2...2, "<": 2...3,
        "<=": 2...3,
        ">": 2...3, ">=": 2...3, "+": 1...9, "*": 1...9, "-": 1...2, "/": 2...2, "%": 2...2, "min": 1...9, "max": 1...9,
        "and": 1...9, "or": 1...9, "if": 0...9, "?:": 0...9, "cat": 0...9, "merge": 0...9, "missing": 0...9,
        "var": 0...2,
        "in": 2...2, "substr": 2...3, "starts_with": 2...2, "ends_with": 2...2, "map": 2...2, "filter": 2...2,
        "all": 2...2,
        "none": 2...2, "some": 2...2, "reduce": 2...3, "missing_some": 2...2,
    ]

    private static func rule(_ name: String, _ operands: [EntryValue]) throws -> ConfigRule {
        let operation = EntryValue.object(EntryObject([(key: name, value: .array(operands))]))
        return try ConfigRule(["variants": ["a": 1, "b": 2], "targeting": ["if": [operation, "a", "b"]]])
    }

    @Test func numbersOfOperandsAreChecked() throws {
        for (name, allowed) in Self.counts {
            for count in 0...9 {
                let operands = (0..<count).map {
                    EntryValue.object(EntryObject([(key: "var", value: .string("v\($0)"))]))
                }
                if allowed.contains(count) {
                    _ = try Self.rule(name, operands)
                } else {
                    #expect(throws: RuleError.self, "\(name) of \(count)") { try Self.rule(name, operands) }
                }
            }
        }
    }

    @Test func everyTypeIsRefusedOrEvaluated() throws {
        let values: [EntryValue] = [
            .null, false, true, 0, 1.5, -1, "", "a", "2.1.0", [], [1], ["a", .null], [[[1]]], [:], ["a": 1, "b": [2]],
        ]
        let context = EvaluationContext(
            attributes: EntryObject(values.enumerated().map { (key: "v\($0)", value: $1) })
        )
        let attributes = values.indices.map { EntryValue.object(EntryObject([(key: "var", value: .string("v\($0)"))])) }
        for (name, allowed) in Self.counts where name != "log" {
            let last = attributes[0...(allowed.upperBound > 2 ? attributes.count - 1 : 0)]
            for first in attributes {
                for second in attributes {
                    for third in last {
                        let operands = [first, second, third].prefix(min(allowed.upperBound, 3))
                        let evaluation = try Self.rule(name, Array(operands)).evaluate(key: "k", in: context, at: 0)
                        #expect(evaluation.reason == .targetingMatch, "\(name) \(operands)")
                    }
                }
            }
        }
    }

    @Test(
        arguments: [
            ["map": [1, 1]], ["filter": ["ab", true]], ["reduce": [.null, 1, 0]], ["in": ["a", 1]],
            ["in": ["a", .null]],
            ["starts_with": [["var": "a"], 1]], ["ends_with": [.null, "a"]], ["missing": [true]], ["missing": [[[1]]]],
            ["missing_some": ["1", ["a"]]], ["missing_some": [1, "a"]], ["missing_some": [1, [true]]], ["var": true],
            ["var": [["a"]]], ["sem_ver": ["one", "=", "1.0.0"]],
        ] as [EntryValue]
    )
    func operandsThatAreWrittenOutAreChecked(condition: EntryValue) {
        let rule: EntryValue = ["variants": ["a": 1], "targeting": ["if": [condition, "a"]]]
        #expect(throws: RuleError.self) { try ConfigRule(rule) }
    }

    @Test(
        arguments: [
            (["var": 1], "b"), (["var": "list.1"], "a"), (["var": ["no", "a"]], "a"), (["var": 2.5], "a"),
            (["var": ["var": "name"]], "a"), (["var": "list.-1"], nil), (["var": "list.01"], nil),
        ] as [(EntryValue, String?)]
    )
    func numbersNameAttributesAsTheirTexts(targeting: EntryValue, variant: String?) throws {
        let context = EvaluationContext(["1": "b", "list": ["b", "a"], "2": ["5": "a"], "name": "list.1"])
        let rule = try ConfigRule(["variants": ["a": 1, "b": 2], "targeting": targeting])
        #expect(rule.evaluate(key: "k", in: context, at: 0).variant == variant)
    }
}
