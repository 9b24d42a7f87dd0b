// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import ConfigChanges

struct RuleSentencesTests {
    private func lines(_ targeting: EntryValue) -> [String] {
        RuleSentences(["variants": ["blue": 1, "pink": 2], "defaultVariant": "pink", "targeting": targeting]).lines
    }

    @Test(
        arguments: [
            (.null, ["all users: pink"]), (["fractional": [["blue", 25], ["pink", 75]]], ["25 % blue, 75 % pink"]),
            (
                ["fractional": [["cat": [["var": "$flagd.flagKey"], ["var": "email"]]], ["blue", 1], ["pink", 3]]],
                ["25 % blue, 75 % pink, by email"]
            ),
            (
                ["if": [["==": [["var": "language"], "es"]], "blue"]],
                ["if language is es: blue", "otherwise: pink"]
            ),
            (
                [
                    "if": [
                        [
                            "and": [
                                ["in": [["var": "plan"], ["pro", "team"]]],
                                ["ends_with": [["var": "email"], "@x.org"]],
                            ]
                        ],
                        ["fractional": [["blue", 50], ["pink", 50]]], "pink",
                    ]
                ],
                [
                    "if plan is one of pro, team and email ends with @x.org: 50 % blue, 50 % pink", "otherwise: pink",
                ]
            ),
            (
                ["if": [["sem_ver": [["var": "version"], ">=", "2.0.0"]], "blue", "pink"]],
                ["if version >= 2.0.0: blue", "otherwise: pink"]
            ),
            (["var": "variant"], ["the variant that variant names"]),
        ] as [(EntryValue, [String])]
    )
    func aTargetingIsALineForEachBranch(targeting: EntryValue, expected: [String]) {
        #expect(lines(targeting) == expected)
    }

    @Test func aDisabledRuleIsReported() {
        let rule: EntryValue = ["variants": ["a": 1], "defaultVariant": "a", "state": "DISABLED"]
        #expect(RuleSentences(rule).lines == ["disabled: all users get the default value of the key"])
        #expect(RuleSentences("no rule").lines == [])
    }
}
