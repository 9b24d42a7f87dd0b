// SPDX-License-Identifier: Apache-2.0

import TerminalUI
import Testing

/// A screen by public API alone.
private struct Counter: Screen {
    let name = "Counter"
    let help = [ScreenHelp("+, -", "Count")]
    var size = Size(columns: 12, rows: 2)
    var count = 0

    mutating func handle(_ event: InputEvent) -> ScreenResponse<Never> {
        switch event {
        case .key(Key(.character("+"))): count += 1
        case .key(Key(.character("-"))): count -= 1
        case .key(Key(.escape)): return .close
        default: return .ignored
        }
        return .handled
    }

    func draw(on grid: inout Grid, _ theme: Theme) {
        grid.write("\(name) \(count)", at: Point(column: 0, row: 0), style: theme.page)
    }
}

struct ScreenTests {
    @Test func drawsItselfAsText() {
        var counter = Counter()
        #expect(counter.handle(.key(Key(.character("+")))) == .handled)
        #expect(counter.handle(.key(Key(.character("x")))) == .ignored)
        #expect(counter.handle(.key(Key(.escape))) == .close)
        #expect(counter.text() == "Counter 1\n\n")
    }
}
