// SPDX-License-Identifier: Apache-2.0

import TerminalUI
import Testing

struct ScrollbarTests {
    @Test(arguments: [(10, 10, 0), (11, 10, 1), (1000, 10, 990), (100_000, 20, 99_980), (0, 5, 0)])
    func thumbReachesBothEndsWithinTheTrack(count: Int, page: Int, lastTop: Int) {
        #expect(Scrollbar(count: count, page: page, top: .max / 2).top == lastTop)
        for track in 1...30 {
            let first = Scrollbar(count: count, page: page, top: 0).thumb(track: track)
            let last = Scrollbar(count: count, page: page, top: lastTop).thumb(track: track)
            #expect(first.lowerBound == 0 && last.upperBound == track && !first.isEmpty)
            var before = 0
            for top in stride(from: 0, through: lastTop, by: max(lastTop / 100, 1)) {
                let thumb = Scrollbar(count: count, page: page, top: top).thumb(track: track)
                #expect(thumb.lowerBound >= before && thumb.upperBound <= track && thumb.count == first.count)
                before = thumb.lowerBound
            }
        }
    }

    @Test func theThumbIsHeldWhereItIsTaken() {
        let bar = Scrollbar(count: 100, page: 25, top: 30)
        let thumb = bar.thumb(track: 20)
        #expect(thumb == 6..<11)
        #expect(bar.grip(at: 8, track: 20) == 2)
        #expect(bar.grip(at: 15, track: 20) == 2, "beside the thumb its middle")
        #expect(bar.top(moving: 2, to: 8, track: 20) == 30)
        #expect(bar.top(moving: 2, to: -5, track: 20) == 0)
        #expect(bar.top(moving: 2, to: 99, track: 20) == 75)
    }
}
