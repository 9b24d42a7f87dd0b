// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import TerminalUI

extension DemoModel {
    /// The background as it is painted now.
    var background: ShownColor { colors.match(activity.fade?.color ?? values.background) }

    func view() -> Grid {
        let theme = Theme(background: background, colors: colors)
        var grid = main.mainView(theme)
        if main.size != size {
            let shown = grid
            grid = Grid(size: size, base: theme.page)
            grid.draw(shown, at: Point(column: 0, row: 0))
        }
        panels.last?.draw(on: &grid, theme)
        // The keyboard is with what lies above.
        if overlay != nil { grid.caret = nil }
        drawOverlay(on: &grid, theme)
        return grid
    }

    /// The main screen as it is beside what is open.
    var main: DemoModel {
        guard !panels.isEmpty || sideOfLog != nil else { return self }
        var main = self
        main.size = SidePanel(size).main
        return main
    }

    private func mainView(_ theme: Theme) -> Grid {
        let layout = MainLayout(self)
        var grid = Grid(size: size, base: theme.page)
        drawButton(on: &grid, layout, theme)
        let page = Rect.row(0, columns: size.columns).inset(columns: 1, rows: 0)
        if let row = layout.urlRow {
            let url = values.buttonURL.text
            let cells = grid.writeCentered(url, in: page, row: row, style: theme.dimmed)
            if overlay == nil { grid.link(cells, to: url) }
        }
        if let row = layout.bannerRow, !values.versionGate.isUpToDate {
            // Inverse over the whole width, since the program may go wrong until it is replaced.
            grid.fill(.row(row, columns: size.columns), style: theme.inverse)
            grid.writeCentered(values.versionText, in: page, row: row, style: theme.inverse)
        }
        if let row = layout.newsRow, let news = activity.news {
            let place = Rect.row(row, columns: size.columns).inset(columns: 1, rows: 0)
            grid.drawOnPage(news.line, in: place, theme)
        }
        drawFirstSteps(on: &grid, layout, theme)
        if let row = layout.colorsRow { drawColors(on: &grid, row: row, theme) }
        if let row = layout.statusRow {
            let text = statusBar(layout).text(columns: size.columns)
            // Dimmed while all is well, with nothing painted after it; inverse over the whole width when it is not.
            let shown = problems.isEmpty ? String(text.droppingTrailingSpaces()) : text
            grid.write(shown, at: Point(column: 0, row: row), style: problems.isEmpty ? theme.dimmed : theme.inverse)
        }
        return grid
    }

    /// How to begin, below the button, where there is room for all of it.
    private func drawFirstSteps(on grid: inout Grid, _ layout: MainLayout, _ theme: Theme) {
        guard let steps = FirstSteps(configuration.status), let end = layout.newsRow else { return }
        let page = Rect.row(0, columns: size.columns).inset(columns: 1, rows: 0)
        let lines = steps.lines(columns: page.size.columns)
        let top = (layout.urlRow ?? layout.button.rows.upperBound) + 2
        guard top + lines.count <= end else { return }
        for (index, line) in lines.enumerated() {
            grid.writeCentered(line, in: page, row: top + index, style: theme.page)
        }
    }

    /// The last colours of the background, the newest on the right.
    private func drawColors(on grid: inout Grid, row: Int, _ theme: Theme) {
        guard activity.colors.count > 1, colors.depth != .monochrome else { return }
        for (index, color) in activity.colors.suffix((size.columns - 2) / 2).enumerated() {
            grid.drawSwatch(color, in: .row(row, from: 1 + 2 * index, columns: 2), theme)
        }
    }

    /// A solid block in the text's colour; the arrows show that Enter presses it.
    private func drawButton(on grid: inout Grid, _ layout: MainLayout, _ theme: Theme) {
        let block = layout.button
        grid.fill(block, style: theme.inverse)
        let firstRow = block.origin.row + (layout.isPadded ? 1 : 0)
        for (index, line) in layout.label.enumerated() {
            grid.writeCentered(line, in: block, row: firstRow + index, style: theme.inverse)
        }
        guard layout.isPadded, hasFocus else { return }
        let row = firstRow + layout.label.count / 2
        grid.write("▸", at: Point(column: block.columns.lowerBound + 1, row: row), style: theme.inverse)
        grid.write("◂", at: Point(column: block.columns.upperBound - 2, row: row), style: theme.inverse)
    }
}

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

    private static let mostLabelColumns = 60
    private static let mostLabelRows = 3
    /// Columns between the edges of the button and its text.
    private static let padding = 4

    init(_ model: DemoModel) {
        self.init(size: model.size, text: model.values.buttonText)
    }

    init(size: Size, text: String) {
        isPadded = size.rows >= 5 && size.columns >= 12
        let padding = isPadded ? 2 * Self.padding : 0
        label = text.sanitized().wrapped(
            toColumns: min(size.columns - padding, Self.mostLabelColumns),
            maximumLines: isPadded ? min(Self.mostLabelRows, size.rows - 4) : 1
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
