// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TerminalUI

struct LazyRowsTests {
    @Test func onlyTheRowsThatAreSeenAreMade() {
        var made: [Int] = []
        let rows = LazyRows(count: 100_000) { number in
            made.append(number)
            return "row \(number)"
        }
        #expect(Array(rows.dropFirst(70_000).prefix(2)) == ["row 70000", "row 70001"])
        #expect(made == [70_000, 70_001])
    }

    @Test(arguments: [[], ["a"], ["a", "b", "c"]])
    func rowsThatAreThereAreAsTheyAre(rows: [String]) {
        #expect(Array(LazyRows(rows)) == rows)
    }
}
