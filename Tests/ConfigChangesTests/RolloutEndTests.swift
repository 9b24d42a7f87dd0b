// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import ConfigChanges

struct RolloutEndTests {
    private static let variants: EntryValue = ["default": 1, "big": 9]

    private static func rule(big: Int, default rest: Int) -> EntryValue {
        [
            "variants": variants, "defaultVariant": "default",
            "targeting": ["fractional": [["big", .integer(big)], ["default", .integer(rest)]]],
        ]
    }

    private func end(of rule: EntryValue?, value: EntryValue?) throws(ConfigError) -> RolloutEnd {
        try RolloutEnd(of: "k", try Rollout(rule, defaultValue: value), rule: rule, defaultValue: value)
    }

    @Test(
        arguments: [
            (rule(big: 100, default: 0), 1, "big", 9), (rule(big: 0, default: 100), 1, nil, 1),
            (["variants": variants, "defaultVariant": "default"], 5, nil, 5),
            (rule(big: 0, default: 7), nil, "default", 1),
        ] as [(EntryValue, EntryValue?, String?, EntryValue)]
    )
    func variantOfAllUsersBecomesTheValue(
        rule: EntryValue,
        value: EntryValue?,
        variant: String?,
        expected: EntryValue
    ) throws {
        let end = try end(of: rule, value: value)
        let changes = ConfigDiff([
            KeyChange(key: "k", old: value, new: expected), KeyChange(key: "k", kind: .rule, old: rule, new: nil),
        ])
        #expect(end.variant == variant && end.changes == changes)
    }

    @Test(
        arguments: [
            (nil, "the key has no rule"), (rule(big: 25, default: 75), "(big 25 %, default 75 %)"),
            (
                ["variants": variants, "defaultVariant": "default", "targeting": ["if": [true, "big"]]],
                "not a split with constant weights"
            ),
            (["variants": variants, "defaultVariant": "default", "state": "DISABLED"], "the rule is disabled"),
        ] as [(EntryValue?, String)]
    )
    func otherRulesAreRefusedWithTheReason(rule: EntryValue?, reason: String) {
        let error = #expect(throws: ConfigError.self) { try end(of: rule, value: 1) }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }
}
