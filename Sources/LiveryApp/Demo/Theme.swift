import ConfigModel
import TerminalUI

/// The styles of the screen, all of which follow from the background colour.
struct Theme {
    /// Text on the background: black or white, whichever is read more easily.
    let page: Style
    let dimmed: Style
    /// The button, the overlays and the status line: text and background exchanged.
    let inverse: Style
    let colors: ColorMatcher
    private let panel: ShownColor

    init(background: ShownColor, colors: ColorMatcher) {
        let text = colors.text(on: background)
        page = Style(foreground: text.color, background: background.color)
        dimmed = Style(foreground: colors.dimmedText(on: background).color, background: background.color)
        inverse = page.inverted
        self.colors = colors
        panel = text
    }

    /// Dimmed text in a panel, whose ground is black or white.
    var panelDimmed: Style {
        Style(foreground: colors.dimmedText(on: panel).color, background: panel.color)
    }

    /// Text in orange: the lightest that can be read on the panel's ground. It is bold as well, for those who see no orange.
    var panelAccent: Style {
        let oranges: [UInt32] = [0xFFA500, 0xC05000, 0xA04000]
        let shown = oranges.map { colors.match(RGBColor(rgb24: $0)) }
        let readable = shown.first { $0.rgb.contrast(with: panel.rgb) >= 4.5 } ?? colors.text(on: panel)
        return Style(foreground: readable.color, background: panel.color, attributes: .bold)
    }
}

extension Theme {
    /// The style of a tone on the main screen.
    func pageStyle(of tone: Tone) -> Style {
        switch tone {
        case .dimmed: dimmed
        case .swatch: style(of: tone)
        default: page
        }
    }

    /// The style of a tone in a panel.
    func style(of tone: Tone) -> Style {
        switch tone {
        case .plain: inverse
        case .dimmed: panelDimmed
        case .title: inverse.adding(.bold)
        case .accent: panelAccent
        case .selected: page
        case .field: inverse.adding(.underline)
        case .swatch(let color):
            Style(foreground: colors.text(on: colors.match(color)).color, background: colors.match(color).color)
        }
    }
}
