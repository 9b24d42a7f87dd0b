// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import TerminalUI
import Testing

@testable import LiveryScreens

/// The review, staged changes, and conflicts.
struct StagingTests {
    private func desk(on key: String, columns: Int = 80) async throws -> EditDesk {
        try await EditDesk.inspecting(key, columns: columns)
    }

    /// Two staged changes, of which another operator has changed one since.
    private func conflict() async throws -> EditDesk {
        var desk = try EditDesk(EditDesk.sample)
        try await desk.press("i", "j", "e", "Up", "Ctrl-N", "j", "j", "e", "Space", "Ctrl-N")
        desk.source.write(ConfigDiff([KeyChange(key: "app.limit", old: 20, new: 50)]), by: "bob", message: "more")
        try await desk.press("P")
        return desk
    }

    @Test(arguments: ["y", "Ctrl-S"]) func onlyConfirmationsPublish(key: String) async throws {
        var desk = try await desk(on: "app.limit")
        try await desk.press("e", "Up", "Enter", "Enter", "Space", "n", "Right")
        #expect(desk.review?.canPublish == true && desk.writes == 0, "\(desk.screen)")
        try await desk.press(key)
        #expect(desk.values["app.limit"] == 21)
    }

    @Test func clickOnTheHintPublishes() async throws {
        var desk = try await desk(on: "app.limit")
        try await desk.press("e", "Up", "Enter")
        desk.click("y Publish")
        try await desk.answer()
        #expect(desk.values["app.limit"] == 21)
    }

    @Test func oneKeyStagesAnEdit() async throws {
        var desk = try await desk(on: "app.limit")
        try await desk.press("e", "Up", "Ctrl-N")
        #expect(desk.top == .inspector && desk.writes == 0 && desk.screen.contains("Staged 1 change"), "\(desk.screen)")
        #expect(desk.selectedRow.contains("±") && desk.selectedRow.contains("21"), "\(desk.screen)")
        #expect(desk.model.statusLine.contains("1 staged"))
    }

    @Test func invalidEditIsNotStaged() async throws {
        var desk = try await desk(on: "app.limit")
        try await desk.press("e", "0", "Ctrl-N")
        #expect(desk.screen.contains("is not between 1 and 100") && desk.model.desk.staged.isEmpty, "\(desk.screen)")
    }

    @Test func stagedValueIsTheNextStart() async throws {
        var desk = try await desk(on: "app.limit")
        try await desk.press("e", "Up", "Ctrl-N", "e", "Up", "Ctrl-N")
        #expect(desk.model.desk.staged["app.limit"] == KeyChange(key: "app.limit", old: 20, new: 22))
    }

    @Test func fourChangesTakeTwentyKeys() async throws {
        var desk = try EditDesk(EditDesk.sample)
        let edits = [["j", "e", "Up"], ["j", "e", "Down"], ["j", "e", "Space"], ["j", "e", "d"]]
        let keys = ["i"] + edits.flatMap { $0 + ["Ctrl-N"] } + ["P", "y"]
        for key in keys { try await desk.press(key) }
        #expect(keys.count <= 20 && desk.writes == 1, "\(desk.screen)")
        #expect(desk.values["app.limit"] == 21 && desk.values["app.mode"] == "curious")
        #expect(desk.values["app.on"] == false && desk.values["app.tags"] == ["b"])
        #expect(desk.top == .inspector && desk.model.desk.staged.isEmpty)
    }

    @Test func markedChangesArePublishedAlone() async throws {
        var desk = try EditDesk(EditDesk.sample)
        try await desk.press("i", "j", "e", "Up", "Ctrl-N", "j", "j", "e", "Space", "Ctrl-N", "P", "Space", "y")
        #expect(desk.values["app.limit"] == 21 && desk.values["app.on"] == true)
        #expect(desk.top == .staged && desk.model.desk.staged.count == 1, "\(desk.screen)")
    }

    /// Another operator changes the one that is marked.
    @Test(arguments: ["t", "x"]) func removedMarkPublishesNoOther(key: String) async throws {
        var desk = try await conflict()
        try await desk.press("Space", key)
        if key == "x" { try await desk.press("y") }
        try await desk.press("y", "Ctrl-S")
        #expect(desk.values["app.on"] == true && desk.model.desk.staged.count == 1, "\(desk.screen)")
        #expect(desk.screen.contains("0 of 1 change") && desk.screen.contains("No change is marked"), "\(desk.screen)")
        try await desk.press("Space", "y")
        #expect(desk.values["app.on"] == false && desk.model.desk.staged.isEmpty, "\(desk.screen)")
    }

    @Test func conflictAmongManyChangesIsShownWhole() async throws {
        var desk = try await conflict()
        try await desk.press("j", "e", "Down", "Ctrl-N", "j", "e", "d", "Ctrl-N", "P")
        #expect(desk.screen.contains("mine") && !desk.screen.contains("more line"), "\(desk.screen)")
    }

    @Test func stagedChangeIsRemovedAfterAQuestion() async throws {
        var desk = try await desk(on: "app.limit")
        try await desk.press("e", "Up", "Ctrl-N", "P", "x", "n")
        #expect(desk.model.desk.staged.count == 1)
        try await desk.press("x", "y")
        #expect(desk.model.desk.staged.isEmpty && desk.screen.contains("No staged changes."), "\(desk.screen)")
    }

    @Test func stagedMessageIsKept() async throws {
        var desk = try await desk(on: "app.limit")
        try await desk.press("e", "Up", "Ctrl-N", "P", "Tab", "{Monday}", "Esc", "Esc", "P", "y")
        #expect(desk.source.current.messages == ["Monday"])
    }

    @Test func stagedChangeOfTheTypeIsNamed() async throws {
        var desk = try await EditDesk.inspecting(
            "app.count",
            NamespaceContents(values: ["app.count": 20]),
            columns: 120
        )
        try await desk.press("e", "Ctrl-T", "{[1]}", "Ctrl-N", "P")
        #expect(desk.screen.contains("integer → array"), "\(desk.screen)")
    }

    @Test func failedReviewIsStaged() async throws {
        var desk = try await desk(on: "app.limit")
        try await desk.press("e", "Up")
        desk.source.change { $0.failure = ConfigError(.unreachable, "no route to host") }
        try await desk.press("Enter", "Ctrl-N")
        #expect(desk.model.desk.staged.count == 1 && desk.top == .inspector, "\(desk.screen)")
    }

    @Test(arguments: [(["m"], 21), (["t"], 50), (["e", "Up", "Ctrl-N"], 22)] as [([String], EntryValue)])
    func conflictIsResolvedKeyByKey(keys: [String], limit: EntryValue) async throws {
        var desk = try await conflict()
        #expect(desk.review?.canPublish == false, "\(desk.screen)")
        for key in keys { try await desk.press(key) }
        #expect(desk.top == .staged && desk.review?.canPublish == true, "\(desk.screen)")
        try await desk.press("y")
        #expect(desk.values["app.limit"] == limit && desk.values["app.on"] == false)
    }

    /// The text of a review of four new keys, some of which are staged.
    private func review(_ action: Proposal.Action = .publish, staged count: Int = 0) throws -> String {
        let changes = (1...4).map { KeyChange(key: "app.new\($0)", old: nil, new: 1) }
        var desk = try EditDesk(EditDesk.sample, columns: 160)
        desk.model.desk.staged = StagedEdits(ConfigDiff(Array(changes.prefix(count))))
        let proposal = Proposal(title: "", changes: ConfigDiff(changes), notes: ["4 added"], action: action)
        let review = ReviewScreen(proposal, desk.model.panelState, size: desk.model.size)
        return (0..<review.lineCount).map { review.line($0).spans.map(\.text).joined() }.joined(separator: "\n")
    }

    @Test func importHasOneSummary() throws {
        #expect(try review().contains("4 new"))
        let text = try review(.importFile)
        #expect(text.contains("4 added") && !text.contains("4 new"), "\(text)")
    }

    @Test func replacedChangesAreNamedOrCounted() throws {
        let (few, many) = (try review(staged: 3), try review(staged: 4))
        #expect(few.contains("± app.new3 is staged; this replaces it") && !few.contains("app.new4 is"), "\(few)")
        #expect(many.contains("± 4 changes are staged; this replaces them") && !many.contains("is staged"), "\(many)")
    }

    @Test func editAfterAConflictStartsFromTheirs() async throws {
        var desk = try await desk(on: "app.limit")
        try await desk.press("e", "Up")
        #expect(desk.screen.contains("Revision 1"), "\(desk.screen)")
        desk.source.write(ConfigDiff([KeyChange(key: "app.limit", old: 20, new: 50)]), by: "bob")
        try await desk.press("Enter", "e")
        #expect(desk.top == .edit(EditStart(key: "app.limit")), "\(desk.screen)")
        #expect(desk.screen.contains("Now      50") && !desk.screen.contains("Revision 1"), "\(desk.screen)")
        try await desk.press("Enter", "y")
        #expect(desk.values["app.limit"] == 21, "\(desk.screen)")
    }
}

/// What was typed and not staged.
struct DraftTests {
    private func desk(on key: String) async throws -> EditDesk { try await EditDesk.inspecting(key) }

    @Test(arguments: ["Esc", "q"]) func changedEditIsKeptAsADraft(key: String) async throws {
        var desk = try await desk(on: "app.on")
        try await desk.press("e", "Space", key)
        #expect(desk.top == .inspector && desk.model.statusLine.contains("1 draft"), "\(desk.screen)")
        #expect(desk.screen.contains("Draft of app.on kept; e continues") && desk.selectedRow.contains("✎"))
        try await desk.press("e", "Enter", "y")
        #expect(desk.values["app.on"] == false && desk.model.drafts.isEmpty, "\(desk.screen)")
    }

    @Test func anotherScreenKeepsTheDraft() async throws {
        var desk = try await desk(on: "app.on")
        try await desk.press("e", "Space", "Ctrl-P", "{app.mode}", "Enter")
        #expect(desk.top == .key("app.mode") && desk.model.drafts.count == 1, "\(desk.screen)")
    }

    @Test func interruptAsksBeforeItLosesADraft() async throws {
        var desk = try await desk(on: "app.on")
        try await desk.press("e", "Space")
        desk.send(.signal(2))
        #expect(
            desk.top?.layer == .question && desk.effects.isEmpty && desk.screen.contains("✎ app.on"),
            "\(desk.screen)"
        )
        desk.send(.signal(2))
        #expect(desk.effects == [.quit(signal: 2)])
    }

    @Test func publishKeepsAnotherDraftOfTheKey() async throws {
        var desk = try await desk(on: "app.limit")
        try await desk.press("e", "Up", "Ctrl-N", "P", "e", "Up", "Esc", "y")
        #expect(desk.values["app.limit"] == 21 && desk.model.drafts.count == 1, "\(desk.screen)")
        try await desk.press("Esc", "e", "Enter", "y")
        #expect(desk.values["app.limit"] == 22, "it starts from the published value: \(desk.screen)")
    }

    @Test func unpublishedKeyHasARow() async throws {
        var desk = try await desk(on: "app.on")
        try await desk.press("Esc", "a", "End", "{new}", "Enter", "5", "Esc", "/", "{app.new}", "Enter")
        #expect(desk.selectedRow.contains("✎app.new"), "\(desk.screen)")
        try await desk.press("e", "Ctrl-N")
        #expect(desk.selectedRow.contains("±app.new") && desk.selectedRow.contains("5"), "\(desk.screen)")
    }

    @Test func wordTypedOnIntoAReviewConfirmsNothing() async throws {
        var (desk, moment) = (try await desk(on: "app.background.color"), ContinuousClock.now)
        try await desk.press("e")
        for key in "#00FF00".map({ Key.character($0) }) + [Key(.enter)] {
            moment += .milliseconds(50)
            desk.send(.input(.key(key)), at: moment)
        }
        try await desk.answer()
        for key in "yes".map({ Key.character($0) }) {
            moment += .milliseconds(150)
            desk.send(.input(.key(key)), at: moment)
        }
        try await desk.answer()
        #expect(desk.writes == 0 && desk.screen.contains("Typed without a pause, ignored: yes"), "\(desk.screen)")
        try await desk.press("y")
        #expect(desk.writes == 1)
    }

    @Test func unchangedEditLeavesNoDraft() async throws {
        var desk = try await desk(on: "app.on")
        try await desk.press("e", "q")
        #expect(desk.top == .inspector && desk.model.drafts.isEmpty)
    }

    @Test func draftIsDiscardedAfterAQuestion() async throws {
        var desk = try await desk(on: "app.limit")
        try await desk.press("e", "Up", "Ctrl-X", "n")
        #expect(desk.top == .edit(EditStart(key: "app.limit")), "\(desk.screen)")
        try await desk.press("Ctrl-X", "y")
        #expect(desk.top == .inspector && desk.model.drafts.isEmpty)
    }

    @Test func messageSurvivesGoingBack() async throws {
        var desk = try await desk(on: "app.limit")
        try await desk.press("e", "Up", "Enter", "Tab", "{Monday}", "Esc", "Esc", "Up", "Enter", "y")
        #expect(desk.values["app.limit"] == 22 && desk.source.current.messages == ["Monday"])
        #expect(desk.model.drafts.isEmpty)
    }

    @Test(arguments: ["q", "Ctrl-C"]) func quittingListsWhatIsUnpublished(key: String) async throws {
        var desk = try await desk(on: "app.limit")
        try await desk.press("e", "Up", "Ctrl-N", "e", "Up", "Esc", key)
        #expect(desk.screen.contains("± app.limit") && desk.screen.contains("✎ app.limit"), "\(desk.screen)")
        try await desk.press("n")
        #expect(desk.effects.isEmpty && desk.model.drafts.count == 1)
        try await desk.press(key, "y")
        #expect(desk.effects == [.quit(signal: nil)])
    }

    @Test func secondControlCQuits() async throws {
        var desk = try await desk(on: "app.limit")
        try await desk.press("e", "Up", "Ctrl-C", "Ctrl-C")
        #expect(desk.effects == [.quit(signal: nil)])
    }

    @Test func otherSourceIsFollowedAfterAQuestion() async throws {
        var desk = try await desk(on: "app.on")
        try await desk.press("e", "Space", "Ctrl-N")
        #expect(desk.model.perform(.follow("other.json")).isEmpty)
        #expect(desk.screen.contains("Follow another source and lose"), "\(desk.screen)")
        try await desk.press("y")
        #expect(desk.effects == [.follow("other.json")])
    }
}
