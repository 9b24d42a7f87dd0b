// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigRules
import ConfigWire
import Testing

struct EvaluatedKeyTests {
    private static let user = EvaluationContext(["language": "es"])

    @Test(
        arguments: [
            ("plain", nil, ["variant": .null, "reason": "STATIC"]),
            ("plain", user, ["variant": .null, "reason": "STATIC"]),
            ("ruled", nil, ["variant": .null, "reason": "DEFAULT"]),
            ("ruled", user, ["variant": "b", "reason": "TARGETING_MATCH"]),
            ("ruled", EvaluationContext(), ["variant": "a", "reason": "DEFAULT"]),
            ("fixed", user, ["variant": "a", "reason": "STATIC"]),
            ("off", user, ["variant": .null, "reason": "DISABLED"]),
        ] as [(String, EvaluationContext?, EntryValue)]
    )
    func theReasonIsThatOfTheRule(key: String, context: EvaluationContext?, expected: EntryValue) throws {
        let variants: EntryValue = ["a": 1, "b": 2]
        let contents = NamespaceContents(
            values: ["plain": 1, "ruled": 1, "fixed": 1, "off": 1],
            rules: [
                "ruled": [
                    "variants": variants, "defaultVariant": "a",
                    "targeting": ["if": [["==": [["var": "language"], "es"]], "b"]],
                ],
                "fixed": ["variants": variants, "defaultVariant": "a", "targeting": [:]],
                "off": ["variants": variants, "defaultVariant": "a", "state": "DISABLED"],
            ]
        )
        let result = try EvaluatedKey(key, in: contents, for: context)
        let json = JSONWriter.object { result.writeReason(to: &$0) }
        #expect(try EntryValue(json: json) == expected)
    }
}
