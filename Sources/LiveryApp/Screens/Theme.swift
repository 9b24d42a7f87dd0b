import ConfigModel
import TerminalUI

/// The styles of the screen, all of which follow from the background colour.
struct Theme {
    /// Text on the background: black or white, whichever is read more easily.
    let page: Style
    /// Text that stands back, but can still be read.
    let dimmed: Style
    /// The button, the overlays and the status line: text and background exchanged.
    let inverse: Style

    init(background: ShownColor, colors: ColorMatcher) {
        let text = colors.text(on: background)
        page = Style(foreground: text.color, background: background.color)
        dimmed = Style(foreground: colors.dimmedText(on: background).color, background: background.color)
        inverse = page.inverted
    }
}
