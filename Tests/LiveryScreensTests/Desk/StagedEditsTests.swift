// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import Testing

@testable import LiveryScreens

struct StagedEditsTests {
    private static let limit = KeyChange(key: "limit", old: 20, new: 21)
    private static let on = KeyChange(key: "on", old: true, new: false)
    private static let both = StagedEdits(ConfigDiff([limit, on]), message: "Monday")

    @Test func laterChangeOfAnEntryReplacesTheEarlierOne() {
        var staged = Self.both
        staged.stage(StagedEdits(ConfigDiff([KeyChange(key: "limit", old: 50, new: 22)])))
        #expect(staged["limit"] == KeyChange(key: "limit", old: 50, new: 22))
        #expect(staged.count == 2 && staged.message == "Monday")
    }

    @Test(arguments: [("", "Monday"), ("Monday", "Monday"), ("raise", "Monday; raise")])
    func messagesAreJoined(message: String, expected: String) {
        var staged = Self.both
        staged.stage(StagedEdits(message: message))
        #expect(staged.message == expected)
    }

    @Test func marksChooseWhatIsPublished() {
        var staged = Self.both
        #expect(staged.chosen == staged.changes)
        staged.toggleMark("on")
        #expect(staged.chosen == ConfigDiff([Self.on]))
        staged.toggleMark("on")
        #expect(staged.chosen == staged.changes)
    }

    @Test func droppedChangeMarksNoOther() {
        var staged = Self.both
        staged.toggleMark("on")
        staged.drop(["on"])
        #expect(staged.chosen.isEmpty && staged.changes == ConfigDiff([Self.limit]))
    }

    @Test func replacedChangeStaysMarked() {
        var staged = Self.both
        staged.toggleMark("limit")
        let next = ConfigDiff([KeyChange(key: "limit", old: 20, new: 22)])
        staged.stage(StagedEdits(next))
        #expect(staged.chosen == next)
    }

    @Test(arguments: [(50, KeyChange(key: "limit", old: 50, new: 21)), (21, nil)] as [(EntryValue, KeyChange?)])
    func rebasedChangeStartsFromTheCurrentValue(theirs: EntryValue, expected: KeyChange?) {
        var staged = Self.both
        staged.rebase(EntryConflict(change: Self.limit, theirs: theirs))
        #expect(staged["limit"] == expected && staged["on"] == Self.on)
    }

    @Test func writtenChangesEndWithTheirMessage() {
        var staged = Self.both
        staged.toggleMark("on")
        staged.finish(staged.chosen)
        #expect(staged.changes == ConfigDiff([Self.limit]) && staged.message == "")
    }

    @Test func messageOutlivesAnotherWrite() {
        var staged = Self.both
        staged.finish(ConfigDiff([Self.on]))
        #expect(staged.changes == ConfigDiff([Self.limit]) && staged.message == "Monday")
    }
}

struct ProposalTests {
    private static let one = ConfigDiff([KeyChange(key: "a", old: 1, new: 2)])
    private static let removed = ConfigDiff([
        KeyChange(key: "a", old: 1, new: nil), KeyChange(key: "a", kind: .rule, old: true, new: nil),
    ])
    private static let renamed = ConfigDiff([
        KeyChange(key: "a", old: 1, new: nil), KeyChange(key: "b", old: nil, new: 1),
    ])

    @Test(
        arguments: [
            (.publish, one, "Published a as revision 13; u undoes it"),
            (.publish, renamed, "Published 2 changes as revision 13; u undoes them"),
            (.remove, removed, "Removed a as revision 13; u restores it"),
            (.restore(9), one, "Restored a to revision 9 as revision 13; u undoes it"),
            (.rename("a"), renamed, "Renamed a to b as revision 13; u undoes them"),
            (.undo, one, "Undone as revision 13; u redoes it"),
            (.importFile, renamed, "Imported 2 changes as revision 13; u undoes them"),
        ] as [(Proposal.Action, ConfigDiff, String)]
    )
    func newsNamesTheAction(action: Proposal.Action, changes: ConfigDiff, expected: String) {
        let proposal = Proposal(title: "", changes: changes, action: action)
        let news = proposal.news(OperatorReceipt(revision: 13, count: changes.changes.count))
        #expect("\(news); \(proposal.wayBack)" == expected)
    }
}
