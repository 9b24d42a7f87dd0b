import ConfigModel
import TerminalUI

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

extension Theme {
    /// The style of a part of a panel.
    func style(of tone: Tone) -> Style {
        switch tone {
        case .plain: inverse
        case .dimmed: panelDimmed
        case .title: inverse.adding(.bold)
        case .accent: panelAccent
        case .selected: page
        case .field: inverse.adding(.underline)
        case .swatch(let color):
            Style(
                foreground: colors.text(on: colors.match(color)).color,
                background: colors.match(color).color
            )
        }
    }
}
