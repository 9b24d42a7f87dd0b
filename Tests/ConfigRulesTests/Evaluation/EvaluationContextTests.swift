// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import TestSupport
import Testing

struct EvaluationContextTests {
    @Test(arguments: EquivalentNames.pairs)
    func attributesThatOnlyLookTheSameAreApart(_ left: String, _ right: String) throws {
        let context = try EvaluationContext(json: Array(#"{"\#(left)": 1, "\#(right)": 2}"#.utf8))
        #expect(context.attributes.count == 2)
        #expect(context.attributes[left] == 1 && context.attributes[right] == 2)
        #expect(context.members == context.attributes)
    }

    /// As flagd reads them; a configuration rejects them.
    @Test(arguments: [
        ("123456789012345678901", 1.2345678901234568e20), ("-9007199254740993", -9007199254740992),
        ("52.52000659999999999999", 52.5200066), ("[0.1234567890123456789]", 0.12345678901234568),
    ])
    func numbersAreRoundedToDoubles(text: String, number: Double) throws {
        let context = try EvaluationContext(json: Array(#"{"n": \#(text)}"#.utf8))
        let value = context.attributes["n"]
        #expect(value == .double(number) || value == .array([.double(number)]), "\(value as Any)")
    }

    @Test func onlyTheExactNameIsTheTargetingKey() throws {
        let name = "targeting\u{212A}ey"
        let context = try EvaluationContext(json: Array(#"{"\#(name)": "other", "targetingKey": "user"}"#.utf8))
        #expect(context.targetingKey == "user")
        #expect(context.attributes.map(\.key) == [name])
        #expect(context.members.count == 2 && context.members[name] == "other")
        let alone = try EvaluationContext(json: Array(#"{"\#(name)": 7}"#.utf8))
        #expect(alone.targetingKey == nil && alone.attributes[name] == 7)
    }

    @Test(arguments: EquivalentNames.pairs)
    func targetingKeysThatOnlyLookTheSameDiffer(_ left: String, _ right: String) {
        #expect(EvaluationContext(targetingKey: left) != EvaluationContext(targetingKey: right))
        #expect(EvaluationContext(targetingKey: left) == EvaluationContext(targetingKey: left))
    }
}
