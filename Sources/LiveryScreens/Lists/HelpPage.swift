// SPDX-License-Identifier: Apache-2.0

import Programs
import TerminalUI

/// The keys of a screen and the uses of the mouse. A click on a line presses its key.
struct HelpPage: ListContent {
    let kind = PanelKind.help
    let title = "Keys"
    let help: [ScreenHelp]

    func sections(columns: Int) -> [[ListLine]] {
        let widest = help.map(\.keys.columnWidth).max() ?? 0
        return help.map { line in
            let target = line.key.map { PageAction.request(.press($0)) }
            return ListLine.hanging(
                .init(line.keys, .accent, target: target),
                indent: widest + 2,
                .init(line.text, target: target),
                columns: columns
            )
        }
    }

    mutating func update(_ state: PanelState) -> Bool { false }
}

/// The changes, problems and reconnects since the start, the newest first.
struct LogPage: ListContent {
    let kind = PanelKind.log
    let title = "Log"
    var state: PanelState

    /// The width from which the log fits next to the main screen.
    private static let columnsBeside = 120

    func isSidePanel(in size: Size) -> Bool { size.columns >= Self.columnsBeside }

    func sections(columns: Int) -> [[ListLine]] {
        let log = state.activity.log
        if log.isEmpty { return [[ListLine([.init("No events yet.")])]] }
        return log.reversed().map { entry in
            let time = state.look.clock.clock(entry.time) + "  "
            return entry.lines.enumerated().map { index, line in
                let margin = index == 0 ? time : String(repeating: " ", count: time.columnWidth)
                return ListLine([.init(margin, .dimmed)] + line.spans.map { .init($0.text, $0.tone) })
            }
        }
    }

    mutating func update(_ state: PanelState) -> Bool {
        self.state = state
        return true
    }
}
