// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import ConfigWire
import Testing

@testable import ConfigChanges

struct RolloutTests {
    @Test(arguments: [
        ("25%", 25, 100, "25 %"), ("25", 25, 100, "25 %"), ("0%", 0, 100, "0 %"), ("100%", 100, 100, "100 %"),
        ("0.5%", 5, 1000, "0.5 %"), ("33.3333%", 333_333, 1_000_000, "33.3333 %"), ("10.0%", 100, 1000, "10 %"),
    ])
    func aPercentageIsAWeight(text: String, weight: Int, total: Int, shown: String) throws {
        let share = try Percentage(text)
        #expect(share == Percentage(weight: weight, total: total))
        #expect(share.description == shown)
    }

    @Test(arguments: [
        "", "%", "101%", "-1%", "1.23456%", "a%", "1.%", ".5%", "1e2", "100.1", "٣%", "99999999999999999999",
    ])
    func invalidPercentagesAreRejected(text: String) {
        #expect(throws: ConfigError.self) { try Percentage(text) }
    }

    private func share(_ text: String) throws -> Percentage { try Percentage(text) }

    @Test func aValueBecomesTheDefaultVariant() throws {
        let rollout = Rollout(variant: "blue", share: try share("10%"), value: "#0000FF")
        let rule = try rollout.rule(changing: nil, defaultValue: "#FFB6C1")
        #expect(
            rule == [
                "variants": ["default": "#FFB6C1", "blue": "#0000FF"], "defaultVariant": "default",
                "targeting": ["fractional": [["blue", 10], ["default", 90]]],
            ]
        )
        let present = try #require(Rollout.present(in: rule))
        #expect(present.variant == "blue" && present.share.description == "10 %")
        let next = try Rollout(variant: "blue", share: try share("25.5%")).rule(changing: rule, defaultValue: nil)
        #expect(Rollout.present(in: next)?.share.description == "25.5 %")
    }

    @Test func variantsThatOnlyLookTheSameAreApart() throws {
        let former = Rollout(variant: "e\u{301}", share: try share("10%"), value: 2)
        let rule = try former.rule(changing: nil, defaultValue: 1)
        let next = Rollout(variant: "\u{E9}", share: try share("20%"), value: 3, overwrites: true)
        let changed = try next.rule(changing: rule, defaultValue: nil)
        guard case .object(let members) = changed else {
            Issue.record("\(changed)")
            return
        }
        #expect(members["variants"] == ["default": 1, "e\u{301}": 2, "\u{E9}": 3])
        #expect(throws: ConfigError.self) {
            try Rollout(variant: "\u{E9}", share: try share("20%")).rule(changing: rule, defaultValue: nil)
        }
    }

    /// The users of a share stay in it when it grows, in any notation of the weights.
    @Test func largerShareIncludesTheSmallerOne() throws {
        var former = Set<String>()
        for text in ["0%", "1%", "2.5%", "10%", "10.01%", "50%", "100%"] {
            let rollout = Rollout(variant: "b", share: try share(text), value: 2)
            let rule = try ConfigRule(try rollout.rule(changing: nil, defaultValue: 1))
            let users: [String] = (0..<5000).map { "user-\($0)" as String }.filter { user in
                rule.evaluate(key: "k", in: EvaluationContext(targetingKey: user), at: 0).variant == "b"
            }
            #expect(former.isSubset(of: users), "\(text)")
            former = Set(users)
        }
        #expect(former.count == 5000)
    }

    @Test func customTargetingIsNotReplaced() throws {
        let variants: EntryValue = ["a": 1, "b": 2, "c": 3]
        let others: [EntryValue] = [
            ["if": [["==": [1, 1]], "b"]], ["fractional": [["b", 1], ["c", 1]]],
            ["fractional": [["c", 1], ["a", 1]]],
            ["fractional": [["b", 1], ["a", 1], ["c", 1]]], ["fractional": [["var": "email"], ["b", 1], ["a", 1]]],
            ["fractional": [["b"], ["a"]]],
        ]
        for targeting in others {
            let rule: EntryValue = ["variants": variants, "defaultVariant": "a", "targeting": targeting]
            var rollout = Rollout(variant: "b", share: try share("50%"))
            let error = #expect(throws: ConfigError.self) {
                try rollout.rule(changing: rule, defaultValue: nil)
            }
            #expect(error?.message.contains("--overwrite") == true, "\(targeting)")
            rollout.overwrites = true
            let replaced = try rollout.rule(changing: rule, defaultValue: nil)
            #expect(Rollout.present(in: replaced)?.variant == "b")
        }
    }

    @Test func rolloutErrorNamesTheCause() throws {
        let half = try share("50%")
        let rule: EntryValue = ["variants": ["a": 1, "b": 2], "defaultVariant": "a"]
        let cases: [(Rollout, EntryValue?, EntryValue?, String)] = [
            (Rollout(variant: "b", share: half), nil, nil, "neither a value nor a rule"),
            (Rollout(variant: "b", share: half), nil, 1, "unknown variant 'b', expected one of: default"),
            (Rollout(variant: "c", share: half), rule, nil, "unknown variant 'c', expected one of: a, b"),
            (Rollout(variant: "a", share: half), rule, nil, "it is the default variant"),
            (Rollout(variant: "a", share: half), ["variants": ["a": 1]], nil, "the rule has no default variant"),
        ]
        for (rollout, rule, value, message) in cases {
            let error = #expect(throws: ConfigError.self) { try rollout.rule(changing: rule, defaultValue: value) }
            #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        }
    }
}
