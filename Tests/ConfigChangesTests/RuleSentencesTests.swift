// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Testing

@testable import ConfigChanges

struct RuleSentencesTests {
    private func lines(_ targeting: EntryValue) -> [String] {
        RuleSentences(["variants": ["blue": 1, "pink": 2], "defaultVariant": "pink", "targeting": targeting]).lines
    }

    @Test(
        arguments: [
            (.null, ["all users: pink (default)"]),
            (["fractional": [["blue", 25], ["pink", 75]]], ["25 % blue, 75 % pink"]),
            (
                ["fractional": [["cat": [["var": "$flagd.flagKey"], ["var": "email"]]], ["blue", 1], ["pink", 3]]],
                ["25 % blue, 75 % pink, by email"]
            ),
            (
                ["if": [["==": [["var": "language"], "es"]], "blue"]],
                ["if language is es: blue", "otherwise: pink (default)"]
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
                ["if version >= 2.0.0 (sem_ver): blue", "otherwise: pink"]
            ),
            (["fractional": [["pink", 2], ["blue", 4]]], ["33.3333 % pink, 66.6667 % blue (weights 1:2)"]),
            (["fractional": [["blue", 1], ["pink", 99_999_999]]], ["0.000001 % blue, 99.999999 % pink"]),
            (["fractional": [["var": "email"], ["blue"], ["pink"]]], ["50 % blue, 50 % pink, from email"]),
            (
                ["fractional": [["cat": ["v2", ["var": "email"]]], ["blue", 1], ["pink", 1]]],
                [#"50 % blue, 50 % pink, from "v2" + email"#]
            ),
            (
                ["fractional": [["blue", ["var": "share"]], ["pink", 1]]],
                [#"a variant of {"fractional":[["blue",{"var":"share"}],["pink",1]]}"#]
            ),
            (["var": "variant"], ["the variant that variant names"]),
        ] as [(EntryValue, [String])]
    )
    func aTargetingIsALineForEachBranch(targeting: EntryValue, expected: [String]) {
        #expect(lines(targeting) == expected)
    }

    @Test(
        arguments: [
            (["==": [["var": "n"], 1]], "n is 1"), (["==": [["var": "n"], "1"]], #"n is "1""#),
            (["===": [["var": "n"], "x"]], "n is exactly x"),
            (["==": [["var": "n"], ["var": "m"]]], #"n is {"var":"m"}"#),
            (["==": ["n", "x"]], #""n" is x"#), (["<": [["var": "n"], "5"]], #"n < "5""#),
            (["<": [1, ["var": "n"], 5]], "1 < n < 5"), (["sem_ver": [["var": "v"], "<", "5"]], #"v < "5" (sem_ver)"#),
            (["!": [["==": [["var": "n"], 1]]]], "not (n is 1)"),
            (["==": [["!": [["var": "n"]]], 1]], #"{"!":[{"var":"n"}]} is 1"#),
            (["==": [["var": ["n", "x"]], 1]], #"{"var":["n","x"]} is 1"#),
            (["in": [["var": "n"], [1, "1", "a, b", "or"]]], #"n is one of 1, "1", "a, b", "or""#),
            (["in": ["@x", ["var": "email"]]], "email contains @x"),
            (["or": [["and": [["var": "a"], ["!": ["var": "b"]]]], ["$ref": "c"]]], "(a and not b) or shared rule c"),
        ] as [(EntryValue, String)]
    )
    func conditionsAreInWordsOrJSON(condition: EntryValue, words: String) {
        #expect(RuleSentences.condition(condition) == words)
    }

    @Test(arguments: [1, 2, 3])
    func differentConditionsHaveDifferentWords(seed: UInt64) {
        var rules = RandomRules(seed: seed)
        var conditions: [ExactString: EntryValue] = [:]
        for _ in 0..<5000 {
            let condition = rules.condition(depth: 2)
            let words = RuleSentences.condition(condition)
            if words.utf8.count >= RuleSentences.maximumScalars { continue }
            let other = conditions.updateValue(condition, forKey: ExactString(words))
            #expect(other == nil || other == condition, "\(words)")
        }
        #expect(conditions.count > 1000)
    }

    @Test func aDisabledRuleIsReported() {
        let rule: EntryValue = ["variants": ["a": 1], "defaultVariant": "a", "state": "DISABLED"]
        #expect(RuleSentences(rule).lines == ["disabled: all users get the default value of the key"])
        #expect(RuleSentences("no rule").lines == [])
    }
}

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
