// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigDefinitions
import ConfigModel
import TerminalUI
import Testing

@testable import LiveryScreens

/// A rule as shares of users: the edit, its effect, the publish.
struct RolloutScreenTests {
    private static let rule: EntryValue = [
        "variants": ["blue": "#0000FF", "pink": "#FFB6C1"], "defaultVariant": "pink",
        "targeting": ["fractional": [["blue", 10], ["pink", 90]]],
    ]
    private static let conditions: EntryValue = [
        "variants": ["green": "#00FF00", "pink": "#FFB6C1"], "defaultVariant": "pink",
        "targeting": ["if": [["==": [["var": "targetingKey"], "42"]], "green"]],
    ]

    private func desk(_ rule: EntryValue? = rule) throws -> EditDesk {
        try EditDesk(
            NamespaceContents(values: ["app.color": "#FFB6C1"], rules: rule.map { ["app.color": $0] } ?? [:]),
            columns: 120,
            rows: 40
        )
    }

    private func shares(_ desk: EditDesk) -> EntryValue? {
        desk.source.current.contents.rules["app.color"]?.members?["targeting"]
    }

    @Test func ruleWithAnotherTypeThanTheValueIsRefused() async throws {
        var desk = try desk()
        try await desk.press("i", "R", "E")
        try await desk.endEditor(.success(#"{"variants": {"a": 1, "b": 2}, "defaultVariant": "a"}"#))
        #expect(desk.screen.contains("the variant 'a' is a number, not a string"), "\(desk.screen)")
        #expect(desk.top == .rollout("app.color") && desk.writes == 0)
    }

    @Test func aShareIsTypedReviewedAndPublished() async throws {
        var desk = try desk()
        try await desk.press("i", "R")
        #expect(desk.screen.contains("10 %") && desk.screen.contains("90 %"), "\(desk.screen)")
        try await desk.press("{25}")
        #expect(desk.screen.contains("75 %"), "\(desk.screen)")
        try await desk.press("Enter")
        #expect(desk.screen.contains("✔ Valid") && desk.writes == 0, "\(desk.screen)")
        try await desk.press("y")
        #expect(shares(desk) == ["fractional": [["blue", 25], ["pink", 75]]])
        #expect(desk.source.current.messages == ["Roll out blue to 25 % on app.color"])
        #expect(desk.top == .rollout("app.color"))
    }

    @Test(
        arguments: [
            (["Right", "Right", "Left"], "", "11 %", "89 %"), (["Shift-Right"], "", "20 %", "80 %"),
            ([], "0.5", "0.5 %", "99.5 %"), ([], "250", "25", "75 %"), (["Left"], "", "9 %", "91 %"),
        ] as [([String], String, String, String)]
    )
    func sharesAreSteppedAndTyped(keys: [String], text: String, share: String, rest: String) async throws {
        var desk = try desk()
        try await desk.press("i", "R")
        for key in keys { try await desk.press(key) }
        try await desk.press("{\(text)}")
        let rows = desk.model.lines.filter { $0.contains("blue") || $0.contains("pink") }
        #expect(rows[0].contains(share) && rows[1].contains(rest), "\(desk.screen)")
    }

    @Test func shareOfTheDefaultVariantIsNotTyped() async throws {
        var desk = try desk()
        try await desk.press("i", "R", "Down", "3", "0")
        #expect(desk.selectedRow.contains("pink") && desk.selectedRow.contains("90 %"), "\(desk.screen)")
        #expect(desk.screen.contains("The default variant gets the rest"), "\(desk.screen)")
    }

    @Test func theEffectOnUsersIsCounted() async throws {
        var desk = try desk()
        try await desk.press("i", "R", "{25}")
        for _ in 0..<100 where desk.model.panels.last?.isWorking == true { _ = desk.model.update(.working) }
        #expect(desk.screen.contains("15 % of users get another value"), "\(desk.screen)")
        #expect(desk.screen.contains("exact, computed from the weights"))
    }

    @Test func bothPagesShowOneFigureForAShare() async throws {
        var rule = Self.conditions.members ?? EntryObject()
        let split: EntryValue = ["fractional": [["green", 50], ["pink", 50]]]
        rule.setMember("targeting", to: ["if": [["==": [["var": "language"], "es"]], "pink", split]])
        var desk = try desk(.object(rule))
        /// The share of green users below a heading.
        func share(below heading: String) throws -> String {
            for _ in 0..<100 where desk.model.panels.last?.isWorking == true { _ = desk.model.update(.working) }
            #expect(desk.screen.contains("counted on 10,000 generated users"), "\(desk.screen)")
            let lines = desk.model.lines.drop { !$0.contains(heading) }
            let words = try #require(lines.first { $0.contains("green") }).split(separator: " ")
            let sign = try #require(words.firstIndex(of: "%"))
            return String(words[sign - 1])
        }
        try await desk.press("i", "Enter", "3")
        let onPage = try share(below: "Variants")
        try await desk.press("R")
        #expect(try share(below: "get another value") == onPage)
    }

    @Test(
        arguments: [
            ("100", "#0000FF", "Make blue the value of app.color"), ("0", "#FFB6C1", "Remove the rule of app.color"),
        ] as [(String, EntryValue, String)]
    )
    func finishedRolloutIsOneRevision(share: String, value: EntryValue, message: String) async throws {
        var desk = try desk()
        try await desk.press("i", "R", "{\(share)}", "F")
        #expect(desk.screen.contains("✔ Valid") && !desk.screen.contains("has a rule"), "\(desk.screen)")
        try await desk.press("y")
        #expect(desk.values["app.color"] == value && desk.source.current.contents.rules.isEmpty)
        #expect(desk.source.current.messages == [message])
        #expect(desk.top == .rollout("app.color") && !desk.screen.contains("Another operator"), "\(desk.screen)")
    }

    @Test func aPartialRolloutIsNotFinished() async throws {
        var desk = try desk()
        try await desk.press("i", "R", "F")
        #expect(desk.top == .rollout("app.color"))
    }

    @Test func namedUserIsEvaluatedOnEachScreen() async throws {
        var desk = try desk(Self.conditions)
        try await desk.press("i", "Enter", "3")
        #expect(desk.screen.contains(#"if targetingKey is "42": green"#), "\(desk.screen)")
        try await desk.press("w", "{user=42}", "Enter")
        #expect(
            desk.screen.contains("User: user=42") && desk.screen.contains(#"Matched   targetingKey is "42""#),
            "\(desk.screen)"
        )
        try await desk.press("R")
        #expect(desk.screen.contains("Replaces the conditions"), "\(desk.screen)")
        #expect(desk.screen.contains("Gets") && desk.screen.contains("green"))
    }

    private func lines(_ desk: EditDesk) throws -> [String] {
        let screen = try #require(desk.model.panels.last as? RolloutScreen)
        return (0..<screen.lineCount).map { screen.line($0).spans.map(\.text).joined() }
    }

    @Test(arguments: [40, 200]) func effectFollowsTheUserAndTheSize(columns: Int) async throws {
        var desk = try desk(Self.conditions)
        try await desk.press("i", "R", "w", "{user=42}", "Enter")
        #expect(try lines(desk).contains("User: user=42"), "\(desk.screen)")
        desk.send(.resized(Size(columns: columns, rows: 40)))
        let resized = try lines(desk)
        try await desk.press("Esc", "R")
        #expect(try lines(desk) == resized, "\(desk.screen)")
    }

    @Test func anInvalidUserIsTypedAgain() async throws {
        var desk = try desk()
        try await desk.press("i", "R", "w", "{42}", "Enter")
        #expect(desk.screen.contains("expected name=value"), "\(desk.screen)")
        #expect(desk.model.panels.last?.takesText == true)
        try await desk.press("Home", "{user=}", "Enter")
        #expect(desk.top == .rollout("app.color") && desk.model.users.line == "user=42")
        try await desk.press("w", "{country=DE}", "Enter")
        #expect(desk.model.users.line == "country=DE", "the former user is typed over")
    }

    @Test func anInvalidVariantIsTypedAgain() async throws {
        var desk = try desk()
        try await desk.press("i", "R", "a", "{green}", "Enter")
        let isShown = ["│ green ", "expected a name and a value"].allSatisfy(desk.screen.contains)
        #expect(isShown, "\(desk.screen)")
        try await desk.press("{=#00FF00}", "Enter")
        #expect(desk.top == .rollout("app.color") && desk.screen.contains("green"), "\(desk.screen)")
    }

    @Test func pastedLinesAreShownAndRefused() async throws {
        var desk = try desk()
        try await desk.press("i", "R", "w")
        desk.send(.input(.paste("user=42\rlanguage=es\r")))
        #expect(desk.screen.contains("user=42↵language=es"), "\(desk.screen)")
        try await desk.press("Enter")
        #expect(desk.screen.contains("expected one line") && desk.model.users.line == "", "\(desk.screen)")
    }

    @Test func helpOfAPromptHasTheKeysOfItsField() async throws {
        var desk = try desk()
        try await desk.press("i", "R", "w", "F1")
        #expect(desk.top == .help, "\(desk.screen)")
        for text in ["Evaluate", "Home, End, Ctrl-A, Ctrl-E", "Ctrl-W, Ctrl-U, Ctrl-K", "F1 "] {
            #expect(desk.screen.contains(text), "\(text) in \(desk.screen)")
        }
        #expect(!desk.screen.contains("q, Ctrl-C"), "q is typed")
        try await desk.press("Esc")
        #expect(desk.top == .prompt(desk.model.users.prompt))
    }

    @Test func aKeyWithoutARuleGetsItsFirstVariant() async throws {
        var desk = try desk(nil)
        try await desk.press("i", "R", "a", "{blue=#0000FF}", "Enter", "{5}", "Enter", "y")
        #expect(shares(desk) == ["fractional": [["blue", 5], ["default", 95]]], "\(desk.screen)")
    }

    @Test func aChangeOfOthersIsAConflictAndNotOverwritten() async throws {
        var desk = try desk()
        try await desk.press("i", "R", "{25}")
        let other = ConfigDiff([KeyChange(key: "app.color", kind: .rule, old: Self.rule, new: Self.conditions)])
        desk.source.write(other, by: "bob")
        try await desk.answer()
        #expect(desk.screen.contains("Another operator has changed"), "\(desk.screen)")
        try await desk.press("Enter")
        #expect(desk.screen.contains("was changed by another operator") && desk.writes == 1, "\(desk.screen)")
    }

    @Test func aChangedRuleIsKeptAsADraft() async throws {
        var desk = try desk()
        try await desk.press("i", "R", "{25}", "Esc")
        #expect(desk.screen.contains("Draft of the rule of app.color kept"), "\(desk.screen)")
        try await desk.press("R")
        #expect(desk.screen.contains("75 %"), "\(desk.screen)")
        try await desk.press("Ctrl-X", "y")
        #expect(desk.top == .inspector && desk.model.drafts.isEmpty)
    }

    @Test func aStagedRuleIsTheNextStart() async throws {
        var desk = try desk()
        try await desk.press("i", "R", "{25}", "Ctrl-N", "Esc")
        #expect(desk.model.drafts.isEmpty && desk.model.desk.staged.count == 1 && desk.writes == 0)
        try await desk.press("R")
        #expect(desk.screen.contains("75 %"), "\(desk.screen)")
    }
}
