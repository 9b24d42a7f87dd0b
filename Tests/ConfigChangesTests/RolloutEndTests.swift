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

    private static func rule(_ split: EntryValue, hasDefault: Bool = true) -> EntryValue {
        let rule: EntryValue = ["variants": variants, "targeting": ["fractional": split]]
        return hasDefault ? rule.setting("defaultVariant", to: "default") : rule
    }

    private func end(of rule: EntryValue?, value: EntryValue?) throws(ConfigError) -> RolloutEnd {
        try RolloutEnd(of: "k", rule: rule, defaultValue: value)
    }

    @Test(
        arguments: [
            (rule(big: 100, default: 0), 1, "big", 9), (rule(big: 0, default: 100), 1, nil, 1),
            (["variants": variants, "defaultVariant": "default"], 5, nil, 5),
            (rule(big: 0, default: 7), nil, "default", 1),
            (rule([["big", 1_000_001], ["default", 0]]), 1, "big", 9),
            (rule([["big", 50], ["big", 50]]), 1, "big", 9),
            (rule([["big"], ["default", -1]]), 1, "big", 9),
            (rule([["var": "targetingKey"], ["big", 100], ["default", 0]]), 1, "big", 9),
            (rule([["cat": ["salt", ["var": "email"]]], ["big", 100]]), 1, "big", 9),
            (rule([["var": "email"], ["big", 0], ["default", 1]]), 1, nil, 1),
            (rule([["big", 1]], hasDefault: false), 1, "big", 9),
            (["variants": variants], 1, nil, 1), (["variants": variants, "targeting": "big"], 1, "big", 9),
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
            (
                rule([["var": "email"], ["big", 1]]),
                "the split divides users from email, and users without that value get the"
            ),
            (rule([["big", 999_999], ["default", 1]]), "(big 99.9999 %, default 0.0001 %)"),
            (
                rule([["big", 99_999_999], ["default", 1]]),
                "(big 99.999999 %, default 0.000001 %); roll out one variant"
            ),
            (rule([["big", 1], ["default", 1]], hasDefault: false), "change it with `livery rule set k`, or remove"),
        ] as [(EntryValue?, String)]
    )
    func otherRulesAreRefusedWithTheReason(rule: EntryValue?, reason: String) {
        let error = #expect(throws: ConfigError.self) { try end(of: rule, value: 1) }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }
}

extension EntryValue {
    fileprivate func setting(_ name: String, to value: EntryValue) -> EntryValue {
        guard case .object(let members) = self else { return self }
        return .object(members.setting(name, to: value))
    }
}
