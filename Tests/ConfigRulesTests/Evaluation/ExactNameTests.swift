// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import TestSupport
import Testing

/// Names that Swift's `String` takes for equal are different names, as in JSON.
struct ExactNameTests {
    private static func object(_ members: (String, EntryValue)...) -> EntryValue {
        .object(EntryObject(members.map { (key: $0, value: $1) }))
    }

    @Test(arguments: EquivalentNames.pairs)
    func evaluatorsAreComparedByBytes(first: String, second: String) throws {
        let evaluators = try RuleEvaluators(Self.object((first, ["!": [["!": [true]]]]), (second, ["!": [true]])))
        for (name, variant) in [(first, "a"), (second, "b")] {
            let rule = try ConfigRule(
                ["variants": ["a": 1, "b": 2], "targeting": ["if": [["$ref": .string(name)], "a", "b"]]],
                evaluators: evaluators
            )
            #expect(rule.evaluate(key: "k", in: EvaluationContext(), at: 0).variant == variant)
        }
        let one = try RuleEvaluators(Self.object((first, ["!": [true]])))
        let value: EntryValue = ["variants": ["a": 1], "targeting": ["if": [["$ref": .string(second)], "a"]]]
        #expect(throws: RuleError.self) { try ConfigRule(value, evaluators: one) }
    }

    @Test(arguments: EquivalentNames.pairs)
    func variantsAndAttributesAreComparedByBytes(first: String, second: String) throws {
        guard case .object(let attributes) = Self.object((first, .string(second)), (second, .string(first))) else {
            return
        }
        let context = EvaluationContext(attributes: attributes)
        for (name, value) in [(first, 2), (second, 1)] {
            let rule = try ConfigRule([
                "variants": Self.object((first, 1), (second, 2)), "targeting": ["var": .string(name)],
            ])
            #expect(rule.evaluate(key: "k", in: context, at: 0).value == .integer(value))
        }
        let rule: EntryValue = ["variants": Self.object((first, 1)), "defaultVariant": .string(second)]
        #expect(throws: RuleError.self) { try ConfigRule(rule) }
    }
}
