// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI

/// Lists the keys of a configuration with their values, one of them selected.
struct ValueScreen: Screen {
    enum Command { case next, previous, close }

    let name = "Values"
    var size = Size(columns: 40, rows: 5)
    private let lines: [String]
    private var selected = 0

    /// Creates the screen of a document, such as a fixture in a file.
    init(_ document: ConfigDocument) {
        lines = document.keys.sorted().map { "\($0) = \(document[$0]?.canonicalJSON ?? "")" }
    }

    var commands: [ScreenCommand<Command>] {
        [
            ScreenCommand(.next, [Key(.down)], help: "Select the next key"),
            ScreenCommand(.previous, [Key(.up)], help: "Select the key before"),
            ScreenCommand(.close, [Key(.escape)], hint: "Close", help: "Close the screen"),
        ]
    }

    mutating func perform(_ command: Command) -> ScreenResponse<Never> {
        switch command {
        case .next: selected = min(selected + 1, max(lines.count - 1, 0))
        case .previous: selected = max(selected - 1, 0)
        case .close: return .close
        }
        return .handled
    }

    func draw(on grid: inout Grid, _ theme: Theme) {
        for (row, line) in lines.prefix(size.rows).enumerated() {
            let mark = row == selected ? "▌ " : "  "
            grid.write(mark + line, at: Point(column: 0, row: row), style: row == selected ? theme.inverse : theme.page)
        }
    }
}
