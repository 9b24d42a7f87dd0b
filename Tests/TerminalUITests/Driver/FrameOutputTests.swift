import Testing

@testable import TerminalUI

struct FrameOutputTests {
    private static func frame(_ text: String) -> Grid {
        var grid = Grid(4, 1)
        grid.write(text, at: Point(0, 0), style: .plain)
        return grid
    }

    @Test func atFirstThereIsNothingToWrite() {
        var output = FrameOutput()
        #expect(output.isIdle)
        #expect(output.next == [])
        #expect(output.dequeue() == nil)
    }

    @Test func aFrameThatHasBegunGoesOutWholeInPieces() {
        var output = FrameOutput()
        output.begin([1, 2, 3, 4, 5])
        var written: [UInt8] = []
        for count in [2, 0, 1, 2] {
            #expect(!output.isIdle)
            written += output.next.prefix(count)
            output.wrote(count)
        }
        #expect(written == [1, 2, 3, 4, 5])
        #expect(output.isIdle)
    }

    @Test func whatBeginsLaterFollows() {
        var output = FrameOutput()
        output.begin([1, 2])
        output.wrote(1)
        output.begin([3])
        #expect(Array(output.next) == [2, 3])
        output.wrote(2)
        output.begin([4])
        #expect(Array(output.next) == [4])
    }

    @Test func anEmptyFrameIsNothingToWaitFor() {
        var output = FrameOutput()
        output.begin([])
        #expect(output.isIdle)
    }

    @Test func ofTheFramesThatWaitOnlyTheNewestFollows() {
        var output = FrameOutput()
        output.begin([1])
        output.hold(Self.frame("old"))
        output.hold(Self.frame("new"))
        #expect(output.waiting == Self.frame("new"))
        #expect(output.dequeue() == Self.frame("new"))
        #expect(output.dequeue() == nil)
    }
}
