// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Testing

@testable import ConfigChanges

struct RolloutDraftTests {
    private static let rule: EntryValue = [
        "variants": ["pink": "#FFB6C1", "blue": "#0000FF", "green": "#00FF00"], "defaultVariant": "pink",
        "targeting": ["fractional": [["blue", 10], ["green", 20], ["pink", 70]]],
    ]

    private func draft(_ rule: EntryValue? = rule) throws -> RolloutDraft {
        try RolloutDraft(rule, defaultValue: "#FFB6C1")
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

    @Test func conditionsAreReplacedAndNamed() throws {
        let conditions: EntryValue = ["if": [true, "blue"]]
        let others = try #require(Self.rule.object).filter { $0.key != "targeting" }
        let draft = try draft(.object(EntryObject(others + [("targeting", conditions)])))
        #expect(draft.replaced == conditions)
        #expect(draft.parts.map(\.weight) == [0, 0, 1])
    }

    @Test(arguments: [["variants": ["a": 1]], "text"] as [EntryValue])
    func rulesWithoutADefaultVariantAreRefused(rule: EntryValue) {
        #expect(throws: ConfigError.self) { try RolloutDraft(rule, defaultValue: nil) }
    }

    @Test func usersAreCountedByVariant() throws {
        var next = try draft()
        next.setShare(of: 0, toHundredths: 2500)
        var tally = RuleTally(
            of: "k",
            now: try ConfigRule(Self.rule),
            then: try ConfigRule(next.rule),
            defaultValue: nil,
            like: nil,
            at: 0
        )
        while !tally.isComplete { tally.countMore() }
        #expect(tally.counted == RuleTally.users)
        let blue = ExactString("blue")
        #expect((900...1100).contains(tally.now[blue] ?? 0) && (2350...2650).contains(tally.then[blue] ?? 0))
        #expect(tally.moved >= (tally.then[blue] ?? 0) - (tally.now[blue] ?? 0))
    }

    @Test func anEvaluationThatIsCutOffIsNotCounted() throws {
        let list = EntryValue.array((0..<100).map { .integer($0) })
        let slow = try ConfigRule(["variants": ["a": 1], "targeting": ["if": [["all": [list, true]], "a"]]])
        var tally = RuleTally(of: "k", now: nil, then: slow, defaultValue: nil, like: nil, at: 0)
        tally.budget = StepBudget(1000)
        while !tally.isComplete { tally.countMore() }
        #expect((1...10).contains(tally.counted) && tally.problem == nil)
        #expect(tally.then == [ExactString("a"): tally.counted])
    }
}

extension EntryValue {
    fileprivate var object: EntryObject? { if case .object(let members) = self { members } else { nil } }
}
