// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigServer

struct FlushTurnsTests {
    @Test(arguments: [(1, 1), (2, 1), (3, 1), (4, 2), (16, 8)])
    func halfOfTheLoopsFlushAtATime(loops: Int, most: Int) {
        var turns = FlushTurns<Int>(loops: loops)
        let begun = (0..<loops).map { turns.begin($0) }
        #expect(begun.count { $0 } == most)
    }

    @Test func eachWaitingLoopHasItsTurnInOrder() {
        var turns = FlushTurns<Int>(loops: 4)
        let begun = (0..<4).map { turns.begin($0) }
        #expect(begun == [true, true, false, false])
        // The turn is passed on: no later loop precedes the waiting ones.
        let first = turns.end()
        let again = turns.begin(0)
        let others = (0..<4).map { _ in turns.end() }
        #expect(first == 2 && !again)
        #expect(others == [3, 0, nil, nil])
        let later = (1..<4).map { turns.begin($0) }
        #expect(later == [true, true, false])
    }
}
