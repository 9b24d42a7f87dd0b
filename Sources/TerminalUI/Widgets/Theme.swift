// SPDX-License-Identifier: Apache-2.0

package import Basics

/// The styles of a screen, all of which follow from the background colour.
public struct Theme: Sendable {
    /// Text on the background: black or white, whichever is read more easily.
    public let page: Style
    /// Less important text on the background, dimmed as far as it stays readable.
    public let dimmed: Style
    /// The button: text and background exchanged.
    public let inverse: Style
    package let colors: ColorMatcher
    fileprivate let background: ShownColor

    /// Creates the styles on a background.
    ///
    /// - Parameters:
    ///   - background: the background as the terminal shows it.
    ///   - colors: the terminal's colours.
    public init(background: ShownColor, colors: ColorMatcher) {
        let text = colors.text(on: background)
        page = Style(foreground: text.color, background: background.color)
        dimmed = Style(foreground: colors.dimmedText(on: background).color, background: background.color)
        inverse = page.inverted
        self.colors = colors
        self.background = background
    }
}

extension Theme {
    /// White on black, in true colour.
    public static var plain: Theme {
        let colors = ColorMatcher(depth: .direct)
        return Theme(background: colors.match(RGBColor(0x000000)), colors: colors)
    }

    /// The line of an error: text on red, or ``inverse`` where the terminal has no such red.
    public var error: Style {
        guard let line = colors.errorLine(on: background) else { return inverse }
        return Style(foreground: line.text.color, background: line.ground.color)
    }

    // Found only when a panel is drawn: the main screen has none.
    fileprivate var panelColors: PanelColors { colors.panel(on: background) }

    /// The style of panels over the main screen or next to it: a tone of the background.
    package var panel: Style { panelColors.style(of: \.text) }
    private var panelDimmed: Style { panelColors.style(of: \.dimmed) }
    /// Bold as well, for terminals without colours.
    private var panelAccent: Style { panelColors.style(of: \.accent).emphasized }
    private var panelError: Style { panelColors.style(of: \.error).emphasized }
    private var panelSelected: Style { panel.inverted }

    private var panelBorder: Style { panelColors.isToned ? panelColors.style(of: \.accent) : panel }

    /// The style of a tone on the main screen.
    package func pageStyle(of tone: Tone) -> Style {
        switch tone {
        case .dimmed: dimmed
        case .swatch, .block: style(of: tone)
        default: page
        }
    }

    /// The style of a tone in a panel.
    package func style(of tone: Tone) -> Style {
        switch tone {
        case .plain: panel
        case .dimmed: panelDimmed
        case .title: panel.emphasized
        case .accent: panelAccent
        case .error: panelError
        case .selected: panelSelected
        case .found: panelAccent.adding(.underline)
        case .selectedFound: panelSelected.adding(.underline)
        case .border: panelBorder
        case .field, .caret: panel.adding(.underline)
        case .swatch(let color): swatch(color)
        case .track(let color, _): colors.depth.hasShades ? swatch(color) : panel
        case .block(let color): Style(foreground: colors.match(color).color, background: colors.match(color).color)
        }
    }

    private func swatch(_ color: RGBColor) -> Style {
        let shown = colors.match(color)
        return Style(foreground: colors.text(on: shown).color, background: shown.color)
    }
}

extension Theme {
    /// Whether a swatch without an outline would be lost on its ground.
    fileprivate func needsOutline(_ color: RGBColor, on ground: ShownColor) -> Bool {
        colors.match(color).rgb.difference(to: ground.rgb) < Self.minimumSwatchDifference
    }

    private static let minimumSwatchDifference = 6.0

    /// A line as it is shown on a ground.
    fileprivate func shown<Target>(_ line: ActiveLine<Target>, on ground: ShownColor) -> ActiveLine<Target> {
        var line = line
        for index in line.spans.indices {
            switch line.spans[index].tone {
            case .swatch(let color) where needsOutline(color, on: ground):
                line.spans[index].text = Self.outlined(line.spans[index].text)
            case .block(let color) where needsOutline(color, on: ground):
                line.spans[index].text = Self.outlined("  ")
                line.spans[index].tone = .swatch(color)
            case .track(_, let plain) where !colors.depth.hasShades: line.spans[index].text = String(plain)
            default: break
            }
        }
        return line
    }

    /// The text with edges, if there is room for them.
    fileprivate static func outlined(_ text: String) -> String {
        guard text.count > 1, text.first == " ", text.last == " " else { return text }
        return "▏" + text.dropFirst().dropLast() + "▕"
    }
}

extension Grid {
    /// Draws a line of a panel.
    package mutating func draw<Target>(_ line: ActiveLine<Target>, in rect: Rect, _ theme: Theme) {
        draw(theme.shown(line, on: theme.panelColors.ground), in: rect) { theme.style(of: $0) }
    }

    /// Draws a colour on the main screen, as blanks: a text would be sanitised, measured and cut for each frame.
    package mutating func drawSwatch(_ color: RGBColor, in rect: Rect, _ theme: Theme) {
        fill(rect, style: theme.style(of: .swatch(color)))
        guard theme.needsOutline(color, on: theme.background) else { return }
        write(Theme.outlined("  "), at: rect.origin, style: theme.style(of: .swatch(color)))
    }

    /// Draws a line of the main screen.
    package mutating func drawOnPage<Target>(_ line: ActiveLine<Target>, in rect: Rect, _ theme: Theme) {
        draw(theme.shown(line, on: theme.background), in: rect) { theme.pageStyle(of: $0) }
    }
}

extension PanelColors {
    fileprivate func style(of color: KeyPath<PanelColors, ShownColor>) -> Style {
        Style(foreground: self[keyPath: color].color, background: ground.color)
    }
}
