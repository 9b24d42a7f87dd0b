// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigWire
import TerminalUI
import Testing

@testable import LiveryScreens

/// The list of drafts, the page of one, and staged changes that are proposed or saved.
struct DraftScreenTests {
    private static let id = "k3x9m2ab"
    private static let digest = String(repeating: "d", count: 64)

    private func desk(hasConflict: Bool = false, columns: Int = 80) throws -> EditDesk {
        let desk = try EditDesk(EditDesk.sample, columns: columns)
        desk.source.change { $0.drafts = [.test(hasConflict: hasConflict)] }
        return desk
    }

    private func changes(_ desk: EditDesk) -> [DraftChange] { desk.source.current.draftChanges }

    @Test(
        arguments: [
            (["y"], DraftChange.review(id: id, ReviewRequest(digest: digest, verdict: .approve))),
            (
                ["n", "{too bright}", "Enter", "y"],
                .review(id: id, ReviewRequest(digest: digest, verdict: .reject, comment: "too bright"))
            ),
            (["W", "y"], .review(id: id, ReviewRequest(digest: digest, verdict: .withdraw))),
            (["p", "y"], .apply(id: id, digest: digest)),
            (
                ["T", "{2027-03-28T09:00:00[Europe/Berlin]}", "Enter", "y"],
                .schedule(id: id, version: 4, time: "2027-03-28T09:00:00[Europe/Berlin]")
            ),
            (["x", "Enter", "y"], .close(id: id, reason: nil)),
        ] as [([String], DraftChange)]
    )
    func keyOfThePageChangesWhatIsShown(keys: [String], change: DraftChange) async throws {
        var desk = try desk()
        try await desk.press("v", "Enter")
        #expect(desk.top == .serverDraft(Self.id) && desk.screen.contains("Sky for Monday"), "\(desk.screen)")
        for key in keys {
            #expect(changes(desk).isEmpty, "before \(key)")
            try await desk.press(key)
        }
        #expect(changes(desk) == [change])
    }

    @Test func pageShowsTheWholePolicy() async throws {
        var desk = try desk()
        var policy = ReviewPolicy()
        (policy.approvals, policy.direct, policy.protected) = (2, .deny, ["app.price", "legal.*"])
        desk.source.change { [policy] in $0.drafts[0].policy = policy }
        try await desk.press("v", "Enter")
        for text in ["2 approvals", "deny", "app.price, legal.*", "15m"] {
            #expect(desk.screen.contains(text), "\(desk.screen)")
        }
    }

    @Test func draftOfThePolicyIsNotEditedHere() async throws {
        var desk = try desk()
        desk.source.change { ($0.drafts[0].operations, $0.drafts[0].policy) = ([], ReviewPolicy()) }
        try await desk.press("v", "Enter", "e")
        #expect(desk.top == .serverDraft(Self.id) && desk.screen.contains("livery policy set"), "\(desk.screen)")
    }

    @Test func pageOnTopIsPreviewed() async throws {
        var desk = try desk()
        try await desk.press("v", "Enter")
        #expect(desk.effects == [.preview(Self.id)])
        try await desk.press("e")
        #expect(desk.effects == [.preview(Self.id), .preview(nil)], "editors start from the source itself")
        try await desk.press("Escape", "p", "n", "Escape")
        #expect(desk.effects.suffix(2) == [.preview(Self.id), .preview(nil)], "a question leaves it")
    }

    @Test func draftIsEditedAndSaved() async throws {
        var desk = try desk()
        try await desk.press("v", "Enter", "e")
        #expect(desk.top == .staged && desk.review?.canPublish == true, "\(desk.screen)")
        #expect(desk.screen.contains("Draft \(Self.id)") && desk.screen.contains("y Save"), "\(desk.screen)")
        let origin = try #require(desk.model.desk.staged.origin)
        try await desk.press("j", "x", "y", "y")
        let color = KeyChange(key: "app.background.color", old: "#FFB6C1", new: "#87CEFA")
        #expect(changes(desk) == [.save(ConfigDiff([color]), message: "campaign", to: origin)])
        #expect(desk.model.desk.staged.isEmpty && desk.top == .serverDraft(Self.id) && desk.writes == 0)
    }

    @Test func conflictOfADraftIsResolvedAsAnyOther() async throws {
        var desk = try desk(hasConflict: true)
        try await desk.press("v", "Enter")
        for word in ["base", "current", "proposed"] { #expect(desk.screen.contains(word), "\(desk.screen)") }
        try await desk.press("e")
        #expect(desk.review?.canPublish == false && desk.screen.contains("m keeps yours"), "\(desk.screen)")
        try await desk.press("m", "y")
        guard case .save(let saved, _, _)? = changes(desk).last else { return #expect(Bool(false), "\(desk.screen)") }
        #expect(saved.changes.last == KeyChange(key: "app.limit", old: 20, new: 30))
    }

    @Test func otherStagedChangesAreNotReplaced() async throws {
        var desk = try desk()
        let other = KeyChange(key: "app.on", old: true, new: false)
        desk.model.desk.staged = StagedEdits(ConfigDiff([other]))
        try await desk.press("v", "Enter", "e")
        #expect(desk.top == .serverDraft(Self.id) && desk.model.desk.staged.changes.changes == [other])
        #expect(desk.screen.contains("Other changes are staged"), "\(desk.screen)")
    }

    @Test func stagedChangesAreProposed() async throws {
        var desk = try await EditDesk.inspecting("app.limit")
        desk.source.change { $0.drafts = [.test()] }
        try await desk.press("e", "Up", "Ctrl-N", "P", "Tab", "{raise}", "Enter", "p")
        let change = ConfigDiff([KeyChange(key: "app.limit", old: 20, new: 21)])
        #expect(changes(desk) == [.propose(change, title: "raise", message: "raise")])
        #expect(desk.model.desk.staged.isEmpty && desk.writes == 0)
        #expect(desk.screen.contains("Proposed as draft \(Self.id)"), "\(desk.screen)")
    }

    @Test func errorIsShownAndNothingIsLost() async throws {
        var desk = try await EditDesk.inspecting("app.limit")
        try await desk.press("e", "Up", "Ctrl-N", "P", "p")
        #expect(desk.screen.contains("Nothing was written: there is no draft"), "\(desk.screen)")
        #expect(desk.model.desk.staged.count == 1 && desk.review?.canPublish == true)
    }

    @Test func sourceWithoutDraftsOffersNone() async throws {
        var desk = try await EditDesk.inspecting("app.limit")
        desk.model.desk.abilities.refuse([.drafts], "a file has no drafts", isHidden: true)
        try await desk.press("e", "Up", "Enter")
        #expect(desk.review != nil && !desk.screen.contains("Propose"), "\(desk.screen)")
        try await desk.press("Escape", "Escape", "Escape", "Escape", "v")
        #expect(desk.top != .drafts)
    }
}
