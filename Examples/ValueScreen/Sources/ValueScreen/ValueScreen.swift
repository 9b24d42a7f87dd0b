// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI

/// Lists the keys of a configuration with their values, one of them selected.
struct ValueScreen: Screen {
    let name = "Values"
    let help = [ScreenHelp("Up, Down", "Select a key"), ScreenHelp("Esc", "Close the screen")]
    var size = Size(columns: 40, rows: 5)
    private let lines: [String]
    private var selected = 0

    /// Creates the screen of a document, such as a fixture in a file.
    init(_ document: ConfigDocument) {
        lines = document.entries.map { "\($0.key) = \($0.value.value.canonicalJSON)" }.sorted()
    }

    mutating func handle(_ event: InputEvent) -> ScreenResponse<Never> {
        switch event {
        case .key(Key(.down)): selected = min(selected + 1, max(lines.count - 1, 0))
        case .key(Key(.up)): selected = max(selected - 1, 0)
        case .key(Key(.escape)): return .close
        default: return .ignored
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
