import ConfigModel
import TerminalUI

extension DemoModel {
    /// The background as the terminal shows it.
    var background: ShownColor { colors.match(values.background) }

    func view() -> Grid {
        guard let tweaks else { return mainView() }
        let theme = Theme(background: background, colors: colors)
        var behind = self
        behind.tweaks = nil
        behind.overlay = nil
        behind.size = TweaksLayout(size).main
        var grid = Grid(size: size, base: theme.page)
        grid.draw(behind.mainView(), at: Point(column: 0, row: 0))
        drawTweaks(tweaks, on: &grid, theme)
        drawOverlay(on: &grid, theme)
        return grid
    }

    private func mainView() -> Grid {
        let theme = Theme(background: background, colors: colors)
        let layout = MainLayout(self)
        var grid = Grid(size: size, base: theme.page)
        drawButton(on: &grid, layout, theme)
        let page = Rect(origin: Point(column: 0, row: 0), size: size).inset(columns: 1, rows: 0)
        if let row = layout.urlRow {
            let url = values.buttonURL.text
            let cells = grid.writeCentered(url, in: page, row: row, style: theme.dimmed)
            if overlay == nil { grid.links = [Hyperlink(cells: cells, url: url)] }
        }
        if let row = layout.bannerRow, !values.versionGate.isUpToDate {
            // Inverse over the whole width, since the program may go wrong until it is replaced.
            grid.fill(
                Rect(origin: Point(column: 0, row: row), size: Size(columns: size.columns, rows: 1)),
                style: theme.inverse
            )
            grid.writeCentered(values.versionText, in: page, row: row, style: theme.inverse)
        }
        if let row = layout.feedbackRow {
            grid.writeCentered(feedback, in: page, row: row, style: theme.page)
        }
        if let row = layout.statusRow {
            let hasOwnFeedbackRow = layout.feedbackRow != nil
            let bar = statusBar(feedback: hasOwnFeedbackRow ? "" : feedback, hasBanner: layout.bannerRow != nil)
            // Dimmed while all is well, inverse when it is not.
            let text = bar.text(columns: size.columns)
            let place = Point(column: 0, row: row)
            if problems.isEmpty {
                grid.write(text.droppingTrailingSpaces, at: place, style: theme.dimmed)
            } else {
                grid.write(text, at: place, style: theme.inverse)
            }
        }
        drawOverlay(on: &grid, theme)
        return grid
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

extension DemoModel {
    /// Draws the screen of tweaks beside the main screen, or over it.
    func drawTweaks(_ tweaks: TweaksModel, on grid: inout Grid, _ theme: Theme) {
        let layout = TweaksLayout(size)
        grid.fill(layout.panel, style: theme.inverse)
        if layout.content != layout.panel { grid.drawBox(layout.panel, title: "Tweaks", style: theme.inverse) }
        let content = layout.content
        for (line, row) in zip(tweaks.visibleLines(content.size), content.rows) {
            let place = Rect(
                origin: Point(column: content.origin.column, row: row),
                size: Size(columns: content.size.columns, rows: 1)
            )
            grid.draw(line, in: place) { theme.style(of: $0) }
        }
    }
}

extension String {
    /// The text without trailing spaces, which need not be painted on a ground of their own colour.
    fileprivate var droppingTrailingSpaces: String {
        String(reversed().drop { $0 == " " }.reversed())
    }
}
