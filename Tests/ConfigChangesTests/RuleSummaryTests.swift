// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Testing

@testable import ConfigChanges

struct RuleSummaryTests {
    private static let rules: [String: EntryValue] = [
        "a": ["variants": ["x": 1]], "b": ["variants": ["x": 1], "state": "ENABLED"],
        "off": ["variants": ["x": 1], "state": "DISABLED"],
    ]

    @Test(
        arguments: [
            (["a"], "Warning: a has a rule: users with a context get"),
            (["a", "b", "c"], "Warning: 2 keys have rules (a, b)"),
            (["a", "off"], "Warning: 1 key has a rule (a)"), (["off"], nil), (["c"], nil), ([], nil),
        ] as [([String], String?)]
    )
    func warnsOfRulesThatHideANewValue(keys: [String], beginning: String?) {
        let warning = RuleSummary.warning(onKeys: keys, rules: Self.rules)
        #expect(warning?.prefix(beginning?.count ?? 0) == beginning.map { $0[...] })
    }
}
