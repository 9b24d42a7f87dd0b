// SPDX-License-Identifier: Apache-2.0

import TerminalUI

enum PickerCommand: Hashable, Sendable {
    case choose, close
    /// A line of the list, by its index.
    case row(Int)
    case request(DemoIntent)
}

/// A list in the middle of the screen, which is filtered by typing.
protocol PickerPanel: DemoPanel where Command == PickerCommand {
    /// The rows of the panel where the screen has room for them.
    static var rows: Int { get }
    /// The text that filters the list.
    var field: TextField { get }
    var cursor: ListCursor { get }

    /// Uses a line of the list.
    func choose(_ row: Int) -> ScreenResponse<DemoIntent>
}

extension PickerPanel {
    var isSidePanel: Bool { false }
    var takesText: Bool { true }
    var place: PanelPlace { .centered(columns: 76, rows: Self.rows, in: size) }
    var page: Int { max(place.list.size.rows, 1) }

    mutating func perform(_ command: PickerCommand) -> ScreenResponse<DemoIntent> {
        switch command {
        case .choose: choose(cursor.index)
        case .row(let row): choose(row)
        case .close: .close
        case .request(let intent): .done([intent])
        }
    }

    /// The name, and the text that is typed.
    var title: [Line.Span] {
        [.init(name, .title), .init(" ── ")] + field.spans(columns: place.searchColumns(after: name))
    }
}
