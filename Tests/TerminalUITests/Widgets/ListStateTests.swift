// SPDX-License-Identifier: Apache-2.0

import TerminalUI
import Testing

struct ListStateTests {
    /// Entries of one line, none, and entries that begin at some lines.
    @Test(arguments: [
        ("G", 99, 90), ("G g", 0, 0), ("End Home", 0, 0), ("PageDown", 10, 1), ("Space PageUp", 0, 0),
        ("j Down", 2, 0), ("j j k", 1, 0), ("G PageDown", 99, 90), ("Up", 0, 0), ("G k", 98, 90),
    ])
    func keysMoveTheCursorIntoSight(keys: String, cursor: Int, top: Int) {
        var list = ListState()
        list.press(keys, ListExtent(lines: 100, page: 10))
        #expect(list.cursor == cursor)
        #expect(list.top == top)
    }

    @Test(arguments: [("G", 90), ("G g", 0), ("PageDown", 10), ("j Down", 2), ("G PageDown", 90), ("Up", 0)])
    func aListWithoutEntriesScrolls(keys: String, top: Int) {
        var list = ListState()
        list.press(keys, ListExtent(lines: 100, starts: [], page: 10))
        #expect(list.top == top)
    }

    /// Entries at the lines 1, 4 and 30 of 60.
    @Test(arguments: [
        ("j", 1, 4), ("j j", 2, 30), ("j j k", 1, 4), ("PageDown", 1, 10), ("PageDown PageDown", 1, 20),
        ("PageDown PageDown PageDown", 2, 30), ("G", 2, 50), ("G g", 0, 0), ("j j k k", 0, 0),
    ])
    func longEntriesAreScrolledAsAWhole(keys: String, cursor: Int, top: Int) {
        var list = ListState()
        list.press(keys, ListExtent(lines: 60, starts: [1, 4, 30], page: 10))
        #expect(list.cursor == cursor)
        #expect(list.top == top)
    }

    @Test func anEntryKeepsItsRowWhenOthersComeBeforeIt() {
        var list = ListState()
        list.press("PageDown j j", ListExtent(lines: 100, page: 10))
        let row = list.cursor - list.top
        list.follow(list.cursor + 7)
        #expect(list.cursor == 19 && list.cursor - list.top == row)
        list.clamp(ListExtent(lines: 5, page: 10))
        #expect(list.cursor == 4 && list.top == 0)
    }

    @Test func anEmptyFilterGoesWithTheTyping() {
        var list = ListState()
        list.beginFilter()
        list.endTyping()
        #expect(list.filter == nil)
        list.beginFilter()
        list.filter?.insert("a")
        list.endTyping()
        #expect(list.filterText == "a" && !list.isTyping)
        let had = [list.clearFilter(), list.clearFilter()]
        #expect(had == [true, false])
    }
}

extension ListState {
    fileprivate mutating func press(_ names: String, _ extent: ListExtent) {
        for name in names.split(separator: " ") {
            if let move = Key(String(name)).flatMap(ListMove.init) { self.move(move, extent) }
        }
    }
}
