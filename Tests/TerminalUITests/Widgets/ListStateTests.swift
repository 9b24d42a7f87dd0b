// SPDX-License-Identifier: Apache-2.0

import TerminalUI
import Testing

struct ListStateTests {
    @Test(
        arguments: [
            ([.end], 99, 90), ([.end, .start], 0, 0), ([.pageDown], 10, 1), ([.pageDown, .pageUp], 0, 0),
            ([.down, .down], 2, 0), ([.down, .down, .up], 1, 0), ([.end, .pageDown], 99, 90), ([.up], 0, 0),
            ([.end, .up], 98, 90),
        ] as [([ListMove], Int, Int)]
    )
    func movesBringTheCursorIntoSight(moves: [ListMove], cursor: Int, top: Int) {
        var list = ListState()
        list.move(moves, ListExtent(lines: 100, page: 10))
        #expect(list.cursor == cursor)
        #expect(list.top == top)
    }

    @Test(
        arguments: [
            ([.end], 90), ([.end, .start], 0), ([.pageDown], 10), ([.down, .down], 2), ([.end, .pageDown], 90),
            ([.up], 0),
        ] as [([ListMove], Int)]
    )
    func aListWithoutEntriesScrolls(moves: [ListMove], top: Int) {
        var list = ListState()
        list.move(moves, ListExtent(lines: 100, starts: [], page: 10))
        #expect(list.top == top)
    }

    /// Entries at the lines 1, 4 and 30 of 60.
    @Test(
        arguments: [
            ([.down], 1, 4), ([.down, .down], 2, 30), ([.down, .down, .up], 1, 4), ([.pageDown], 1, 10),
            ([.pageDown, .pageDown], 1, 20), ([.pageDown, .pageDown, .pageDown], 2, 30), ([.end], 2, 50),
            ([.end, .start], 0, 0), ([.down, .down, .up, .up], 0, 0),
        ] as [([ListMove], Int, Int)]
    )
    func longEntriesAreScrolledAsAWhole(moves: [ListMove], cursor: Int, top: Int) {
        var list = ListState()
        list.move(moves, ListExtent(lines: 60, starts: [1, 4, 30], page: 10))
        #expect(list.cursor == cursor)
        #expect(list.top == top)
    }

    @Test func anEntryKeepsItsRowWhenOthersComeBeforeIt() {
        var list = ListState()
        list.move([.pageDown, .down, .down], ListExtent(lines: 100, page: 10))
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
    fileprivate mutating func move(_ moves: [ListMove], _ extent: ListExtent) {
        for next in moves { move(next, extent) }
    }
}
