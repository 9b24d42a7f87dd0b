// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import TerminalUI
import Testing

@testable import LiveryScreens

struct InspectorOrderTests {
    private static let groups = #"{"a.x.1": 1, "a.x.2": 2, "a.y": 3, "b": 4, "c.1": 5, "c.2": 6, "d.1": 7}"#

    @Test func aChangeMovesItsKeyToTheTop() throws {
        var model = try Demo.model(#"{"a": 1, "b": 2, "c": 3}"#)
        model.press("i", "j", "o")
        #expect(model.inspector?.keyList.rows.texts == ["a", "b", "c"])
        #expect(model.lines.joined().contains("3 keys by last change"))
        try model.read(#"{"a": 1, "b": 2, "c": 4}"#, at: Demo.later(seconds: 1))
        try model.read(#"{"a": 0, "b": 2, "c": 4, "d": 5}"#, at: Demo.later(seconds: 2))
        #expect(model.inspector?.keyList.rows.texts == ["a", "d", "c", "b"])
        #expect(model.inspector?.keyList.selectedKey == "b", "the cursor stays on its key")
        model.press("/", "c", "Enter", "Esc")
        #expect(model.inspector?.keyList.rows.texts == ["a", "d", "c", "b"], "a filter leaves the order as it is")
    }

    @Test func aSourceWithoutAuthorsNamesTheReason() throws {
        var model = try Demo.model()
        model.press("i", "o", "o")
        #expect(model.inspector?.feedback == "Cannot sort by author: the source has no history")
        #expect(model.inspector?.keyList.order.sorting == .name)
    }

    @Test func aClickOnTheNameOfAColumnSortsByIt() throws {
        var model = try Demo.model(size: Size(columns: 160, rows: 24))
        model.press("i")
        model.click("changed")
        #expect(model.inspector?.keyList.order.sorting == .change)
        model.click("key ")
        #expect(model.inspector?.keyList.order.sorting == .name)
    }

    @Test func groupsAreFoldedAndUnfolded() throws {
        var model = try Demo.model(Self.groups)
        model.press("i", "j", "f")
        #expect(model.inspector?.keyList.rows.texts == ["a.x.*", "a.y", "b", "c.1", "c.2", "d.1"])
        #expect(model.inspectorLines[1] == "▌▸a.x.*  2 keys")
        model.press("j", "f")
        #expect(model.inspector?.keyList.rows.texts == ["a.*", "b", "c.1", "c.2", "d.1"])
        model.press("Enter")
        #expect(model.inspector?.keyList.rows.texts == ["a.x.1", "a.x.2", "a.y", "b", "c.1", "c.2", "d.1"])
        model.press("F")
        #expect(model.inspector?.keyList.rows.texts == ["a.*", "b", "c.*", "d.1"])
        try model.read(#"{"a.x.1": 1, "a.z": 3, "bb": 4, "c.1": 5, "d.1": 7, "d.2": 8}"#)
        #expect(model.inspector?.keyList.rows.texts == ["a.*", "bb", "c.1", "d.1", "d.2"])
        model.press("F")
        #expect(model.inspector?.keyList.rows.count == 6)
        model.press("G", "g", "j", "j", "f")
        #expect(model.inspector?.feedback == "No group: no other key begins with the same part")
    }

    /// Moving over folded groups visits each row once, wherever they are.
    @Test func theCursorVisitsEachRowOfFoldedGroups() throws {
        var model = try Demo.model(Self.groups)
        model.press("i", "F")
        var cursors: [Int] = []
        for _ in 0..<5 {
            cursors.append(model.inspector?.list.cursor ?? -1)
            model.press("j")
        }
        #expect(cursors == [0, 1, 2, 3, 3])
        model.press("/", "c", ".", "2", "Enter", "Esc")
        #expect(model.inspector?.keyList.rows.texts[2] == "c.*")
        model.press("n")
        #expect(model.inspector?.keyList.selectedKey == "c.2", "the next match unfolds its group")
    }
}
