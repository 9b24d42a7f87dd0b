// SPDX-License-Identifier: Apache-2.0

import ConfigWire
import Testing

@testable import ConfigHub

struct DraftBoardTests {
    private func mark(_ id: String, _ version: Int, _ status: String) -> DraftMark {
        DraftMark(id: id, version: version, status: status)
    }

    @Test func aReaderGetsTheOpenDraftsAndThenWhatChanges() {
        let board = DraftBoard()
        let (open, ended) = (mark("a", 1, "in review"), mark("z", 1, "applied"))
        board.post([open, ended], of: "shop")
        let first = board.marks(of: "shop", after: nil)
        #expect(first.marks == [open])
        board.post([open, mark("b", 1, "approved"), ended], of: "shop")
        let second = board.marks(of: "shop", after: first.change)
        #expect(second.marks == [mark("b", 1, "approved")])
        board.post([mark("a", 2, "approved"), mark("b", 1, "closed"), ended], of: "shop")
        #expect(
            board.marks(of: "shop", after: second.change).marks == [mark("a", 2, "approved"), mark("b", 1, "closed")]
        )
        #expect(board.marks(of: "shop", after: nil).marks == [mark("a", 2, "approved")])
        #expect(board.marks(of: "web", after: nil).marks == [])
        // It was created and applied between two looks.
        let third = board.marks(of: "web", after: nil).change
        board.post([mark("c", 1, "applied")], of: "web")
        #expect(board.marks(of: "web", after: third).marks == [mark("c", 1, "applied")])
    }

    @Test func onlyChangesAreAnnounced() async {
        let board = DraftBoard()
        await confirmation(expectedCount: 2) { announced in
            let stop = board.observe { announced() }
            board.post([mark("a", 1, "approved")], of: "shop")
            board.post([mark("a", 1, "approved")], of: "shop")
            board.post([mark("a", 1, "closed")], of: "shop")
            stop()
            board.post([mark("b", 1, "approved")], of: "shop")
        }
    }
}
