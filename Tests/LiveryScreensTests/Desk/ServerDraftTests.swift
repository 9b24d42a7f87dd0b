// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigWire
import Testing

@testable import LiveryScreens

/// Drafts of the server as staged changes, and the requests that save them.
struct ServerDraftTests {
    @Test func waitingDraftsComeFirst() {
        let drafts: [DraftSummary] = [
            .test("closed", "closed"), .test("own", "in review", by: "ann"), .test("later", "scheduled", by: "ann"),
            .test("no", "in review", missing: ["rejected by eve"]), .test("review", "in review"),
            .test("rejected", "in review", by: "ann", missing: ["rejected by eve"]),
            .test("conflict", "conflicted", by: "ann"), .test("others", "conflicted"),
            .test("ready", "approved", by: "ann"),
        ]
        let inbox = DraftInbox(drafts, own: ["own", "later", "rejected", "conflict", "ready"])
        #expect(inbox.rows.filter(\.waits).map(\.summary.id) == ["review", "rejected", "conflict", "ready"])
        #expect(
            inbox.rows.map(\.summary.id)
                == ["review", "rejected", "conflict", "ready", "own", "later", "no", "others", "closed"]
        )
    }

    @Test func changesStartFromTheirBases() {
        let staged = StagedEdits(ServerDraft(.test(), bases: ["app.limit": 10]))
        #expect(staged["app.limit"] == KeyChange(key: "app.limit", old: 10, new: 30))
        #expect(staged["app.background.color"]?.old == "#FFB6C1")
        #expect(staged.message == "campaign" && staged.origin?.version == 4 && !staged.isUnsaved)
    }

    @Test func editOfADraftIsUnsaved() {
        var staged = StagedEdits(ServerDraft(.test()))
        staged.message = "another"
        #expect(staged.isUnsaved)
        #expect(StagedEdits(ConfigDiff([KeyChange(key: "a", old: nil, new: 1)])).isUnsaved && !StagedEdits().isUnsaved)
    }

    private func requests(
        hasConflict: Bool,
        _ edit: (inout StagedEdits) -> Void
    ) -> (rebase: RebaseRequest?, edit: DraftRequest?) {
        let draft = DraftMessage.test(hasConflict: hasConflict)
        var staged = StagedEdits(ServerDraft(draft, bases: ["app.limit": 10]))
        let origin = staged.origin
        edit(&staged)
        return origin.map { draft.requests(saving: staged.changes, message: staged.message, to: $0) } ?? (nil, nil)
    }

    @Test func unchangedDraftNeedsNoRequest() {
        let (rebase, edit) = requests(hasConflict: false) { _ in }
        #expect(rebase == nil && edit == nil)
    }

    @Test func savedEditNamesOnlyItsDifferences() {
        let (rebase, edit) = requests(hasConflict: false) { staged in
            staged.stage(StagedEdits(ConfigDiff([KeyChange(key: "app.limit", old: 20, new: 40)])))
            staged.stage(StagedEdits(ConfigDiff([KeyChange(key: "app.on", kind: .rule, old: ["a": 1], new: nil)])))
            staged.drop(["app.background.color"])
            staged.message = ""
        }
        #expect(rebase == nil)
        var expected = DraftRequest()
        (expected.set, expected.rules, expected.discard) = (
            ["app.limit": 40], ["app.on": nil], ["app.background.color"]
        )
        expected.message = .some("")
        #expect(edit == expected)
    }

    @Test func resolvedConflictIsRebasedFirst() {
        let mine = requests(hasConflict: true) { $0.rebase(EntryConflict(change: $0.changes.changes[1], theirs: 20)) }
        #expect(mine.rebase?.mine == ["app.limit"] && mine.rebase?.theirs == [] && mine.edit == nil)
        let theirs = requests(hasConflict: true) { $0.drop(["app.limit"]) }
        #expect(theirs.rebase?.theirs == ["app.limit"] && theirs.rebase?.mine == [] && theirs.edit == nil)
        let other = requests(hasConflict: true) {
            $0.stage(StagedEdits(ConfigDiff([KeyChange(key: "app.limit", old: 20, new: 50)])))
        }
        #expect(other.rebase?.mine == ["app.limit"] && other.edit?.set == ["app.limit": 50])
    }
}
