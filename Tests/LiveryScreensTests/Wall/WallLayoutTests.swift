// SPDX-License-Identifier: Apache-2.0

import TerminalUI
import Testing

@testable import LiveryScreens

struct WallLayoutTests {
    private static let sizes = [
        Size(columns: 20, rows: 5), Size(columns: 40, rows: 12), Size(columns: 80, rows: 24),
        Size(columns: 81, rows: 25), Size(columns: 100, rows: 28), Size(columns: 160, rows: 50),
        Size(columns: 200, rows: 60),
    ]

    /// Every cell above the status line is in one screen, or on a line between two.
    @Test(arguments: sizes)
    func theScreensCoverTheRoomAndNoneOverlapsAnother(size: Size) {
        for count in 1...64 {
            let layout = WallLayout(of: count, in: size)
            var uses: [Point: Int] = [:]
            for tile in layout.tiles {
                for row in tile.rows {
                    for column in tile.columns { uses[Point(column: column, row: row), default: 0] += 1 }
                }
            }
            #expect(uses.values.allSatisfy { $0 == 1 }, "\(count)")
            #expect(uses.keys.allSatisfy { $0.column < size.columns && $0.row < size.rows - 1 }, "\(count)")
            let gaps = layout.rows.reduce(0) { sum, row in
                sum + (row.tiles.count - 1) * (row.tiles.first?.size.rows ?? 0)
            }
            let lines = (layout.rows.count - 1) * size.columns
            #expect(uses.count + gaps + lines == size.columns * (size.rows - 1), "\(count)")
        }
    }

    @Test(arguments: sizes)
    func asManyAsFitAreShownAndEachHasRoomForItsThreeRows(size: Size) {
        let most = WallLayout.maximumScreens(in: size)
        for count in 1...64 {
            let tiles = WallLayout(of: count, in: size).tiles
            #expect(tiles.count == min(count, most))
            #expect(tiles.allSatisfy { $0.size.columns >= 16 && $0.size.rows >= 3 }, "\(count)")
        }
    }

    @Test(arguments: [(4, [2, 2]), (5, [3, 2]), (9, [3, 3, 3]), (2, [2]), (1, [1])])
    func aScreenLooksLikeATerminal(count: Int, rows: [Int]) {
        let layout = WallLayout(of: count, in: Size(columns: 80, rows: 24))
        #expect(layout.rows.map(\.tiles.count) == rows)
    }

    @Test func linesMeetWhereScreensDo() {
        let layout = WallLayout(of: 5, in: Size(columns: 80, rows: 24))
        var grid = Grid(size: Size(columns: 80, rows: 24), base: .standard)
        grid.drawLines(of: layout, style: .standard)
        let row = grid.text(row: 11)
        #expect(row.count { $0 == "┴" } == 2)
        #expect(row.count { $0 == "┬" } == 1)
        #expect(grid.text(row: 0).count { $0 == "│" } == 2)
        #expect(grid.text(row: 22).count { $0 == "│" } == 1)
    }
}
