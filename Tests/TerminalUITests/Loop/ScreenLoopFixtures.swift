// SPDX-License-Identifier: Apache-2.0

import TerminalUI
import Testing

/// A model that shows the last number it received, and requests the given effects.
struct NumberModel: ScreenModel {
    enum Message {
        case number(Int)
        case ask([String])
        case wait(ScreenTimer?)
    }

    var numbers: [Int] = []
    var timer: ScreenTimer?

    mutating func update(_ message: Message) -> [String] {
        switch message {
        case .number(let number):
            numbers.append(number)
            return []
        case .ask(let effects): return effects
        case .wait(let timer):
            self.timer = timer
            return []
        }
    }

    mutating func timerFired(isBehind: Bool) {
        numbers.append(isBehind ? -1 : timer?.number ?? 0)
        timer = nil
    }

    func view() -> Grid {
        var grid = Grid(size: Size(columns: 8, rows: 1), base: .standard)
        grid.write(numbers.last.map(String.init) ?? "none", at: Point(column: 0, row: 0), style: .standard)
        return grid
    }
}

/// A terminal in memory that reports each frame.
@MainActor
final class WatchedDriver: TerminalDriver {
    let memory = MemoryDriver(size: Size(columns: 8, rows: 1))
    var onFrame: (@MainActor (String) -> Void)?

    var size: Size { memory.size }
    var depth: ColorDepth { memory.depth }
    var repertoire: GlyphRepertoire { memory.repertoire }

    /// The frames that were shown, as text.
    var texts: [String] { memory.frames.map(Self.text) }

    var isBehind: Bool { memory.isBehind }

    func start(onEvent: @escaping @MainActor (TerminalEvent) -> Void) { memory.start(onEvent: onEvent) }

    func stop() { memory.stop() }

    func redraw() { memory.redraw() }

    func setTitle(_ title: String) { memory.setTitle(title) }

    func copy(_ text: String) -> CopyOutcome { memory.copy(text) }

    func present(_ frame: Grid) {
        memory.present(frame)
        onFrame?(Self.text(frame))
    }

    private static func text(_ frame: Grid) -> String {
        String(frame.text(row: 0).prefix { $0 != " " })
    }
}
