// SPDX-License-Identifier: Apache-2.0

import TerminalUI

/// The places on the main screen. What does not fit is left out, down to a single cell.
struct MainLayout: Equatable {
    var button: Rect
    /// Whether there is room for the button to be larger than its text.
    var isPadded: Bool
    /// The button's text, a line for each row.
    var label: [String]
    var urlRow: Int?
    /// The row of the message that the program is out of date; without it, the status line has the message.
    var bannerRow: Int?
    /// The row of what happened last; without it, the status line has it.
    var newsRow: Int?
    /// The row of the last colours.
    var colorsRow: Int?
    var statusRow: Int?

    private static let maximumLabelColumns = 60
    private static let maximumLabelRows = 3
    /// Columns between the edges of the button and its text.
    private static let padding = 4

    init(size: Size, text: String) {
        isPadded = size.rows >= 5 && size.columns >= 12
        let padding = isPadded ? 2 * Self.padding : 0
        label = text.sanitized().wrapped(
            toColumns: min(size.columns - padding, Self.maximumLabelColumns),
            maximumLines: isPadded ? min(Self.maximumLabelRows, size.rows - 4) : 1
        )
        let labelSize = Size(columns: label.map(\.columnWidth).max() ?? 0, rows: max(label.count, 1))
        let buttonSize = Size(columns: labelSize.columns + padding, rows: labelSize.rows + (isPadded ? 2 : 0))
        button = .centered(buttonSize, in: size)

        statusRow = size.rows >= 2 ? size.rows - 1 : nil
        let below = button.rows.upperBound + 1
        colorsRow = size.rows >= below + 5 ? size.rows - 2 : nil
        newsRow = size.rows >= below + 3 ? (colorsRow ?? size.rows - 1) - 1 : nil
        bannerRow = button.origin.row >= 2 ? 0 : nil
        urlRow = below < newsRow ?? 0 ? below : nil
    }
}
