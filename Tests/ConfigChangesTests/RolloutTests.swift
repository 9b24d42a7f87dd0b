// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Testing

@testable import ConfigChanges

struct RolloutTests {
    private static let rule: EntryValue = [
        "variants": ["pink": "#FFB6C1", "blue": "#0000FF", "green": "#00FF00"], "defaultVariant": "pink",
        "targeting": ["fractional": [["blue", 10], ["green", 20], ["pink", 70]]],
    ]

    private func draft(_ rule: EntryValue? = rule) throws -> Rollout {
        try Rollout(rule, defaultValue: "#FFB6C1")
    }

    @Test func anUnchangedDraftKeepsTheSplit() throws {
        let draft = try draft()
        #expect(draft.parts.map(\.name) == ["blue", "green", "pink"])
        #expect(draft.rule.object?["targeting"] == Self.rule.object?["targeting"])
        #expect(draft.replaced == nil)
    }

    @Test func anEditChangesOneVariantAndTheDefaultOne() throws {
        var draft = try draft()
        draft.setShare(of: 0, toHundredths: 2550)
        #expect(draft.parts.indices.map { draft.share(of: $0).description } == ["25.5 %", "20 %", "54.5 %"])
        let split: EntryValue = ["fractional": [["blue", 255], ["green", 200], ["pink", 545]]]
        #expect(draft.rule.object?["targeting"] == split)
        draft.setShare(of: 0, toHundredths: 10_000)
        #expect(draft.parts.indices.map { draft.share(of: $0).description } == ["80 %", "20 %", "0 %"])
        draft.setShare(of: 2, toHundredths: 10)
        #expect(draft.share(of: 2).description == "0 %", "the default variant gets the rest")
    }

    @Test func sharesThatAreNoPercentagesStayExact() throws {
        let thirds: EntryValue = [
            "variants": ["a": 1, "b": 2, "c": 3], "defaultVariant": "c",
            "targeting": ["fractional": [["a", 1], ["b", 1], ["c", 1]]],
        ]
        var draft = try draft(thirds)
        draft.setShare(of: 0, toHundredths: 5000)
        // A half, and of the rest two equal parts less what the first one took.
        #expect(draft.rule.object?["targeting"] == ["fractional": [["a", 15_000], ["b", 10_000], ["c", 5_000]]])
    }

    @Test func variantsAreAddedChangedAndRemoved() throws {
        var draft = try draft(nil)
        #expect(try draft.set("blue", "#0000FF") == 0)
        draft.setShare(of: 0, toHundredths: 500)
        #expect(try draft.set("blue", "#0000AA") == 0)
        #expect(draft.rule.object?["variants"] == ["blue": "#0000AA", "default": "#FFB6C1"])
        #expect(throws: ConfigError.self) { try draft.set("", 1) }
        draft.remove(at: 0)
        draft.remove(at: 0)
        #expect(draft.parts.map(\.name) == ["default"] && draft.share(of: 0).description == "100 %")
        #expect(throws: Never.self) { try ConfigRule(draft.rule) }
    }

    @Test func variantsWithoutAShareStayOutOfTheSplit() throws {
        let rule: EntryValue = ["variants": ["a": 1, "b": 2, "c": 3], "defaultVariant": "c"]
        var draft = try draft(rule)
        draft.setShare(of: 1, toHundredths: 500)
        #expect(draft.rule.object?["targeting"] == ["fractional": [["b", 5], ["c", 95]]])
        draft.setShare(of: 1, toHundredths: 0)
        #expect(draft.rule.object?["targeting"] == ["fractional": [["b", 0], ["c", 100]]])
        #expect(try self.draft(rule).rule.object?["targeting"] == nil)
    }

    @Test func conditionsAreReplacedAndNamed() throws {
        let conditions: EntryValue = ["if": [true, "blue"]]
        let others = try #require(Self.rule.object).filter { $0.key != "targeting" }
        let draft = try draft(.object(EntryObject(others + [("targeting", conditions)])))
        #expect(draft.replaced == conditions)
        #expect(draft.parts.map(\.weight) == [0, 0, 1])
    }

    @Test(arguments: [["variants": ["a": 1]], "text"] as [EntryValue])
    func rulesWithoutADefaultVariantAreRefused(rule: EntryValue) {
        #expect(throws: ConfigError.self) { try Rollout(rule, defaultValue: nil) }
    }

    /// The rule after one variant is rolled out.
    private func rolledOut(
        _ variant: String,
        _ value: EntryValue? = nil,
        to share: String,
        of rule: EntryValue? = nil,
        defaultValue: EntryValue? = nil,
        overwriting: Bool = false
    ) throws -> EntryValue {
        var rollout = try Rollout(rule, defaultValue: defaultValue)
        try rollout.rollOut(variant, value, to: try Percentage(share), overwriting: overwriting)
        return rollout.rule
    }

    @Test func aValueBecomesTheDefaultVariant() throws {
        let rule = try rolledOut("blue", "#0000FF", to: "10%", defaultValue: "#FFB6C1")
        #expect(
            rule == [
                "variants": ["default": "#FFB6C1", "blue": "#0000FF"], "defaultVariant": "default",
                "targeting": ["fractional": [["blue", 10], ["default", 90]]], "bucketing": "flagd-3",
            ]
        )
        let present = try #require(Rollout.single(in: rule))
        #expect(present.variant == "blue" && present.share.description == "10 %")
        let next = try rolledOut("blue", to: "25.5%", of: rule)
        #expect(Rollout.single(in: next)?.share.description == "25.5 %")
    }

    @Test func variantsThatOnlyLookTheSameAreApart() throws {
        let rule = try rolledOut("e\u{301}", 2, to: "10%", defaultValue: 1)
        let changed = try rolledOut("\u{E9}", 3, to: "20%", of: rule, overwriting: true)
        #expect(changed.object?["variants"] == ["default": 1, "e\u{301}": 2, "\u{E9}": 3])
        #expect(throws: ConfigError.self) { try rolledOut("\u{E9}", to: "20%", of: rule) }
    }

    /// The users of a share stay in it when it grows, in any notation of the weights.
    @Test func largerShareIncludesTheSmallerOne() throws {
        var (former, current) = (Set<String>(), EntryValue?.none)
        for text in ["0%", "1%", "2.5%", "10%", "10.01%", "33.3333%", "50%", "100%"] {
            let next = try rolledOut("b", 2, to: text, of: current, defaultValue: 1)
            let rule = try ConfigRule(next)
            let users: [String] = (0..<5000).map { "user-\($0)" as String }.filter { user in
                rule.evaluate(key: "k", in: EvaluationContext(targetingKey: user), at: 0).variant == "b"
            }
            #expect(former.isSubset(of: users), "\(text)")
            (former, current) = (Set(users), next)
        }
        #expect(former.count == 5000)
    }

    @Test func customTargetingIsNotReplaced() throws {
        let variants: EntryValue = ["a": 1, "b": 2, "c": 3]
        let others: [EntryValue] = [
            ["if": [["==": [1, 1]], "b"]], ["fractional": [["b", 1], ["c", 1]]],
            ["fractional": [["c", 1], ["a", 1]]], ["fractional": [["a", 1], ["b", 1]]],
            ["fractional": [["b", 1], ["a", 1], ["c", 1]]], ["fractional": [["var": "email"], ["b", 1], ["a", 1]]],
            ["fractional": [["cat": [["var": "$flagd.flagKey"], ["var": "email"]]], ["b", 1], ["a", 1]]],
            ["fractional": [["b", 1], ["b", 1], ["a", 1]]],
        ]
        for targeting in others {
            let rule: EntryValue = ["variants": variants, "defaultVariant": "a", "targeting": targeting]
            let error = #expect(throws: ConfigError.self) { try rolledOut("b", to: "50%", of: rule) }
            #expect(error?.message.contains("--overwrite") == true, "\(targeting)")
            let replaced = try rolledOut("b", to: "50%", of: rule, overwriting: true)
            #expect(replaced.object?["targeting"] == ["fractional": [["b", 50], ["a", 50]]])
        }
    }

    @Test func rolloutErrorNamesTheCause() throws {
        let rule: EntryValue = ["variants": ["a": 1, "b": 2], "defaultVariant": "a"]
        let cases: [(String, EntryValue?, EntryValue?, String)] = [
            ("b", nil, nil, "neither a value nor a rule"),
            ("b", nil, 1, "unknown variant 'b', expected one of: default"),
            ("c", rule, nil, "unknown variant 'c', expected one of: a, b"),
            ("a", rule, nil, "it is the default variant"),
            ("a", ["variants": ["a": 1]], nil, "the rule has no default variant"),
        ]
        for (variant, rule, value, message) in cases {
            let error = #expect(throws: ConfigError.self) {
                try rolledOut(variant, to: "50%", of: rule, defaultValue: value)
            }
            #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        }
    }

    /// The shares of two rules, once all users have been counted.
    private func tally(_ now: EntryValue, _ then: EntryValue) throws -> RuleTally {
        let (now, then) = (try ConfigRule(now), try ConfigRule(then))
        var tally = RuleTally(of: "k", now: now, then: then, defaultValue: nil, like: nil, at: 0)
        while !tally.isComplete { tally.countMore() }
        return tally
    }

    @Test func sharesOfASplitAreExact() throws {
        var next = try draft()
        next.setShare(of: 0, toHundredths: 2500)
        let tally = try tally(Self.rule, next.rule)
        #expect(tally.isExact && tally.counted == 0 && tally.movedShare.description == "30 %")
        #expect(tally.shares.map(\.now.description) == ["10 %", "20 %", "70 %"])
        #expect(tally.shares.map(\.then.description) == ["25 %", "20 %", "55 %"])
        let preview = RulePreview(
            of: "k",
            now: try ConfigRule(Self.rule),
            then: try ConfigRule(next.rule),
            defaultValue: nil,
            for: RulePreview.users(5000, like: nil),
            at: 0
        )
        #expect((1400...1600).contains(preview.results.count { $0.isMoved }))
    }

    /// A rollout keeps the algorithm of its rule; another algorithm has other buckets.
    @Test(arguments: ["flagd-1", "flagd-2", "flagd-3"])
    func sharesAreThoseOfTheAlgorithm(algorithm: EntryValue) throws {
        func rule(_ blue: Int, _ algorithm: EntryValue) -> EntryValue {
            [
                "variants": ["blue": 1, "pink": 2], "defaultVariant": "pink", "bucketing": algorithm,
                "targeting": ["fractional": [["blue", .integer(blue)], ["pink", .integer(100 - blue)]]],
            ]
        }
        let now = rule(50, algorithm)
        var draft = try Rollout(now, defaultValue: nil)
        draft.setShare(of: 0, toHundredths: 7500)
        #expect(draft.rule == rule(75, algorithm))
        let raised = try tally(now, draft.rule)
        #expect(raised.isExact && raised.movedShare.description == "25 %")
        let users = RulePreview.users(10_000, like: nil)
        let preview = RulePreview(
            of: "k",
            now: try ConfigRule(now),
            then: try ConfigRule(draft.rule),
            defaultValue: nil,
            for: users,
            at: 0
        )
        #expect((2300...2700).contains(preview.results.count(where: \.isMoved)))
        for other in ["flagd-1", "flagd-2", "flagd-3"] as [EntryValue] where other != algorithm {
            let changed = try tally(now, rule(50, other))
            #expect(!changed.isExact && changed.counted == RuleTally.users)
            let moved = try #require(Double(changed.movedShare.description.split(separator: " ")[0]))
            #expect((45...55).contains(moved), "\(other): \(moved)")
        }
    }

    /// Users without an email get the default variant.
    @Test(
        arguments: [
            ([["blue", 1], ["pink", 4_999_999]], "0.00002 %"), ([["blue", 1], ["pink", 2], ["blue", 1]], "50 %"),
            ([["var": "targetingKey"], ["blue", 1], ["pink", 3]], "25 %"),
            ([["cat": ["v2", ["var": "email"]]], ["blue", 1], ["pink", 3]], "25 %"), ([["blue"]], "100 %"),
            ([["var": "email"], ["blue", 1], ["pink", 3]], nil),
            ([["cat": ["a", "b"]], ["blue", 1], ["pink", 3]], nil),
        ] as [(EntryValue, String?)]
    )
    func sharesOfConstantWeightsAreExact(split: EntryValue, share: String?) throws {
        let rule: EntryValue = [
            "variants": ["blue": 1, "pink": 2], "defaultVariant": "pink", "targeting": ["fractional": split],
        ]
        let tally = try tally(rule, rule)
        #expect(tally.isExact == (share != nil))
        if let share { #expect(tally.shares.first?.now.description == share) }
    }

    @Test func aSmallMovedShareIsNotZero() throws {
        let split: EntryValue = [
            "fractional": [["blue", 100_000_001], ["green", 200_000_000], ["pink", 699_999_999]]
        ]
        let next = try #require(Self.rule.object).setting("targeting", to: split)
        #expect(try tally(Self.rule, .object(next)).movedShare.description == "0.0000002 %")
    }

    /// The sum of the weights of a rule is at most 2^31 − 1.
    @Test func anEditOfLargeWeightsIsValid() throws {
        let large: EntryValue = [
            "variants": ["a": 1, "b": 2, "c": 3], "defaultVariant": "c",
            "targeting": ["fractional": [["a", 7], ["b", 1_000_000_000], ["c", 999_999_983]]],
        ]
        var draft = try draft(large)
        draft.setShare(of: 0, toHundredths: 2500)
        let rule = try ConfigRule(draft.rule)
        #expect(try tally(rule.value, rule.value).shares.map(\.now.description).first == "25 %")
    }

    @Test func usersOfConditionsAreCounted() throws {
        let isSpanish: EntryValue = ["==": [["var": "language"], "es"]]
        let conditions: EntryValue = [
            "variants": ["blue": 1, "pink": 2], "defaultVariant": "pink",
            "targeting": ["if": [isSpanish, "blue", ["fractional": [["blue", 50], ["pink", 50]]]]],
        ]
        let tally = try tally(conditions, ["variants": ["blue": 1, "pink": 2], "defaultVariant": "pink"])
        #expect(!tally.isExact && tally.counted == RuleTally.users)
        let blue = try #require(tally.shares.first)
        #expect((4800...5200).contains(blue.now.weight) && blue.then.description == "0 %")
        #expect(tally.movedShare == blue.now)
    }

    @Test func basisNamesTheAttributesOfTheCountedUsers() throws {
        let isPro: EntryValue = ["==": [["var": "plan"], "pro"]]
        let rule = try ConfigRule(["variants": ["a": 1, "b": 2], "targeting": ["if": [isPro, "a", "b"]]])
        let basis = { (context: EvaluationContext?) in
            var tally = RuleTally(of: "k", now: rule, then: rule, defaultValue: nil, like: context, at: 0)
            while !tally.isComplete { tally.countMore() }
            return tally.basis
        }
        #expect(basis(nil) == "counted on 10,000 generated users")
        let user = EvaluationContext(targetingKey: "42", ["plan": "pro"])
        #expect(basis(user) == "counted on 10,000 generated users with plan=pro", "each has another targeting key")
    }

    @Test func anEvaluationThatIsCutOffIsNotCounted() throws {
        let list = EntryValue.array((0..<100).map { .integer($0) })
        let slow = try ConfigRule(["variants": ["a": 1], "targeting": ["if": [["all": [list, true]], "a"]]])
        var tally = RuleTally(of: "k", now: nil, then: slow, defaultValue: nil, like: nil, at: 0)
        tally.budget = StepBudget(1000)
        while !tally.isComplete { tally.countMore() }
        #expect((1...10).contains(tally.counted) && tally.problem == nil)
        #expect(tally.shares.map(\.then.description) == ["100 %", "0 %"], "nobody is without a variant any more")
    }
}

extension EntryValue {
    fileprivate var object: EntryObject? { if case .object(let members) = self { members } else { nil } }
}
