// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import ConfigChanges

struct RuleChangeTests {
    private static let isPro: EntryValue = ["==": [["var": "plan"], "pro"]]
    private static let isSpanish: EntryValue = ["==": [["var": "language"], "es"]]

    private static let byEmail: EntryValue = ["cat": [["var": "$flagd.flagKey"], ["var": "email"]]]

    private static func split(_ blue: Int) -> EntryValue {
        ["fractional": [["blue", .integer(blue)], ["pink", .integer(100 - blue)]]]
    }

    private static func rule(
        _ targeting: EntryValue = .null,
        variants: EntryValue = ["blue": 1, "pink": 2],
        defaultVariant: EntryValue = "pink",
        state: EntryValue = "ENABLED"
    ) -> EntryValue {
        [
            "variants": variants, "defaultVariant": defaultVariant, "targeting": targeting, "state": state,
        ]
    }

    @Test func anOlderAlgorithmAndItsChangeAreNamed() {
        func rule(_ bucketing: EntryValue?, _ targeting: EntryValue = Self.split(50)) -> EntryValue {
            guard case .object(let members) = Self.rule(targeting) else { return .null }
            return .object(members.setting("bucketing", to: bucketing))
        }
        #expect(RuleChange(from: nil, to: rule("flagd-2")).words.contains("buckets: flagd-2"))
        #expect(!RuleChange(from: nil, to: rule("flagd-3")).words.contains("buckets"))
        #expect(RuleSentences(rule("flagd-1")).lines == ["50 % blue, 50 % pink", "buckets: flagd-1"])
        let words = ["~ buckets: flagd-2 → flagd-3, which moves users to other variants"]
        #expect(Self.lines(RuleChange(from: rule("flagd-2"), to: rule(nil))) == words)
        let plain = RuleChange(from: rule("flagd-2", "blue"), to: rule("flagd-1", "blue"))
        #expect(Self.lines(plain) == ["~ buckets: flagd-2 → flagd-1"])
        #expect(
            RuleChange(from: rule("flagd-2"), to: rule("flagd-2", Self.split(75))).words
                == "rollout of blue: 50 % → 75 % of users"
        )
    }

    /// The lines with their signs.
    private static func lines(_ change: RuleChange) -> [String] {
        change.diff.lines.map { line in
            switch line {
            case .same(let text): "  " + text
            case .removed(let text): "- " + text
            case .added(let text): "+ " + text
            case .changed(let text): "~ " + text
            case .gap(let count): "… \(count)"
            }
        }
    }

    @Test(
        arguments: [
            (split(50), split(100), ["~ rollout of blue: 50 % → 100 % of users"]),
            (.null, split(25), ["~ rollout of blue: 0 % → 25 % of users"]),
            (split(25), "blue", ["~ rollout of blue: 25 % → 100 % of users"]),
            (
                ["if": [isPro, split(50), "pink"]], ["if": [isPro, split(75), "pink"]],
                ["~ rollout of blue: 50 % → 75 % of users where plan is pro"]
            ),
            (
                ["if": [isPro, "blue", split(1)]], ["if": [isPro, "blue", split(2)]],
                ["~ rollout of blue: 1 % → 2 % of all other users"]
            ),
            (
                ["if": [isPro, ["if": [isSpanish, split(1)]]]], ["if": [isPro, ["if": [isSpanish, split(2)]]]],
                ["~ rollout of blue: 1 % → 2 % of users where (plan is pro) and (language is es)"]
            ),
            (
                ["if": [isPro, split(50)]], ["if": [isSpanish, split(50)]],
                [
                    "- if plan is pro: 50 % blue, 50 % pink", "+ if language is es: 50 % blue, 50 % pink",
                    "  otherwise: pink (default)",
                ]
            ),
            (
                split(25), ["fractional": [["pink", 75], ["blue", 25]]],
                ["- 25 % blue, 75 % pink", "+ 75 % pink, 25 % blue"]
            ),
            (
                ["fractional": [["blue", 1], ["pink", 30_000]]], ["fractional": [["blue", 1], ["pink", 30_001]]],
                ["~ rollout of blue: 0.0033332 % → 0.0033331 % of users"]
            ),
            (
                ["fractional": [byEmail, ["blue", 1], ["pink", 1]]],
                ["fractional": [["cat": ["v2", ["var": "email"]]], ["blue", 6], ["pink", 4]]],
                [
                    "~ rollout of blue: 50 % → 60 % of users",
                    #"~ buckets of users: by email → from "v2" + email, which moves users to other variants"#,
                ]
            ),
            (
                .null, ["fractional": [byEmail, ["blue", 1], ["pink", 1]]],
                ["~ rollout of blue: 0 % → 50 % of users", "~ buckets of users: by email"]
            ),
            (
                "blue", ["fractional": [["blue", 1], ["pink", 0]]],
                ["- blue", "+ 100 % blue, 0 % pink"]
            ),
            (
                ["if": [isPro, split(50)]], ["if": [["===": [["var": "plan"], "pro"]], split(50), split(20)]],
                [
                    "- if plan is pro: 50 % blue, 50 % pink", "- otherwise: pink (default)",
                    "+ if plan is exactly pro: 50 % blue, 50 % pink", "+ otherwise: 20 % blue, 80 % pink",
                ]
            ),
        ] as [(EntryValue, EntryValue, [String])]
    )
    func targetingIsComparedInWords(old: EntryValue, new: EntryValue, expected: [String]) {
        #expect(Self.lines(RuleChange(from: Self.rule(old), to: Self.rule(new))) == expected)
    }

    @Test func variantsStateAndDefaultAreCompared() {
        let old = Self.rule(variants: ["blue": "#00F", "green": 1, "pink": 2])
        let new = Self.rule(
            variants: ["blue": "#00E", "pink": 2, "red": 3],
            defaultVariant: "blue",
            state: "DISABLED"
        )
        let change = RuleChange(from: old, to: new)
        #expect(
            Self.lines(change) == [
                "~ state: enabled → disabled", "~ default variant: pink → blue",
                ##"~ variant blue: "#00F" → "#00E""##, "+ variant red: 3", "- variant green: 1",
            ]
        )
        #expect(change.words.hasSuffix("; + variant red: 3; - variant green: 1"))
    }

    @Test func membersOfTheSameEffectAreDistinguished() {
        let old: EntryValue = ["variants": ["a": 1], "defaultVariant": "a"]
        let new: EntryValue = ["variants": ["a": 2], "defaultVariant": "a", "targeting": [:], "state": "ENABLED"]
        #expect(
            RuleChange(from: old, to: new).words
                == #"state: none → "ENABLED"; targeting: none → {}; variant a: 1 → 2"#
        )
    }

    @Test(
        arguments: [
            (["a": "\u{E9}"], ["a": "e\u{301}"], #"variant a: "\u00e9" → "e\u0301""#),
            (["\u{E9}": 1], ["e\u{301}": 1], #"+ variant "e\u0301": 1; - variant \u00e9: 1"#),
            (["a": "x\u{200B}"], ["a": "x"], #"variant a: "x\u200b" → "x""#),
            (["a": "\u{E9}"], ["a": "\u{E8}"], "variant a: \"\u{E9}\" → \"\u{E8}\""),
        ] as [(EntryValue, EntryValue, String)]
    )
    func textsThatReadTheSameHaveEscapes(old: EntryValue, new: EntryValue, words: String) {
        let change = RuleChange(from: Self.rule(variants: old), to: Self.rule(variants: new))
        #expect(change.words.hasSameScalars(as: words), "\(change.words)")
    }

    @Test func newRuleIsListedAsAWhole() {
        let change = RuleChange(from: nil, to: Self.rule(Self.split(25)))
        let expected = ["+ 25 % blue, 75 % pink", "+ default variant: pink", "+ variant blue: 1", "+ variant pink: 2"]
        #expect(Self.lines(change) == expected)
        #expect(change.words == "25 % blue, 75 % pink; default variant: pink; variant blue: 1; variant pink: 2")
        let disabled = RuleChange(from: Self.rule(Self.split(25), state: "DISABLED"), to: nil)
        #expect(disabled.words == "disabled: all users get the default value of the key; " + change.words)
    }

    @Test func longVariantsOfANewRuleAreNotCut() {
        let long = String(repeating: "x", count: 1000)
        let words = ["a", "b"].map { RuleChange(from: nil, to: Self.rule(variants: ["v": .string(long + $0)])).words }
        #expect(words[0] != words[1])
    }

    @Test(arguments: [1, 2, 3])
    func changesOfRandomRulesAreNotHidden(seed: UInt64) {
        var rules = RandomRules(seed: seed)
        for _ in 0..<3000 {
            let (old, new) = (rules.rule(), rules.rule())
            if old == new { continue }
            let change = RuleChange(from: old, to: new)
            #expect(!change.words.isEmpty, "\(old.canonicalJSON) \(new.canonicalJSON)")
            for case .changed(let line) in change.diff.lines {
                guard let arrow = line.firstRange(of: " → ") else { continue }
                let right = line[arrow.upperBound...]
                let start = line[..<arrow.lowerBound].firstRange(of: ": ")?.upperBound ?? line.startIndex
                let left = line[start..<arrow.lowerBound]
                let isRepeated = right == left || right.hasPrefix("\(left) of ") || right.hasPrefix("\(left), which")
                #expect(!isRepeated, "\(line)")
            }
        }
    }

    /// Sentences abbreviate long lists.
    @Test func changeOfALongListIsJSON() {
        func targeting(_ count: Int) -> EntryValue {
            let users = (0..<count).map { EntryValue.string("u\($0)") }
            return ["if": [["in": [["var": "user"], .array(users)]], "blue"]]
        }
        let lines = Self.lines(RuleChange(from: Self.rule(targeting(20)), to: Self.rule(targeting(21))))
        #expect(lines.first == "~ targeting:")
        #expect(lines.filter { $0.hasPrefix("+") }.map { $0.drop { " +".contains($0) } } == ["\"u20\""])
        #expect(!lines.contains { $0.hasPrefix("-") }, "\(lines)")
    }

    @Test func otherMembersAreNotHidden() {
        let rules = [1, 2].map { number -> EntryValue in
            ["variants": ["a": 1], "defaultVariant": "a", "metadata": ["owner": .integer(number)]]
        }
        let lines = Self.lines(RuleChange(from: rules[0], to: rules[1]))
        #expect(lines.contains { $0.hasSuffix("\"owner\": 1") } && lines.contains { $0.hasSuffix("\"owner\": 2") })
    }

    @Test func recordOfARuleIsInWords() {
        func words(_ key: String, _ kind: EntryKind, _ value: EntryValue?) -> String? {
            let time = Timestamp(milliseconds: 0)
            return HistoryRecord(
                revision: 1,
                key: key,
                kind: kind,
                value: value,
                author: nil,
                message: nil,
                updatedAt: time
            ).words
        }
        let rule: EntryValue = ["variants": ["a": 1], "defaultVariant": "a"]
        #expect(words("k", .rule, rule) == "all users: a (default); variant a: 1")
        #expect(words(EntryKind.sharedRules, .rule, ["x": true]) == #"{"x":true}"#)
        #expect(words("k", .value, 1) == "1" && words("k", .value, nil) == nil)
    }
}
