import TestSupport
import Testing

@testable import TerminalUI

struct GridPropertyTests {
    @Test(.timeLimit(.minutes(5)), arguments: 1...20 as ClosedRange<UInt64>)
    func noSequenceOfDrawingLeavesHalfAGlyph(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var texts = HostileText(seed: seed)
        let size = Size(columns: .random(in: 0...12, using: &generator), rows: .random(in: 0...4, using: &generator))
        var grid = Grid(size: size, base: .plain)
        for _ in 0..<200 {
            let text = Bool.random(using: &generator) ? texts.next() : "a漢😸b字"
            draw(text, on: &grid, using: &generator)
            guard grid.faults.isEmpty else {
                Issue.record("seed \(seed), \(size), \(text.escaped): \(grid.faults)")
                return
            }
        }
    }

    private func draw(_ text: String, on grid: inout Grid, using generator: inout SeededGenerator) {
        let point = Point(.random(in: -6...14, using: &generator), .random(in: -2...5, using: &generator))
        let rect = Rect(
            origin: point,
            size: Size(columns: .random(in: 0...14, using: &generator), rows: .random(in: 0...5, using: &generator))
        )
        switch UInt8.random(in: 0..<6, using: &generator) {
        case 0: grid.fill(rect, style: .marked)
        case 1: grid.drawBox(rect, title: text, style: .marked)
        case 2: grid.writeCentered(text, in: rect, row: point.row, style: .plain)
        default: grid.write(text, at: point, style: .plain)
        }
    }
}
