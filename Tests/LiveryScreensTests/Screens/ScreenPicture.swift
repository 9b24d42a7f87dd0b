// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI

@testable import LiveryScreens

/// A screen as text that people can read and compare: its rows, and the styles of their cells by name.
///
/// Styles are named by their role in the theme, such as `panel.dimmed`, or by the colour of a swatch. Where several names fit,
/// as with few colours, it is the one of another picture, so that both differ in nothing but what differs.
struct ScreenPicture {
    /// The rows without trailing blanks.
    let texts: [String]
    /// For each row how many cells have which style, such as `36 page 44 panel`.
    let styles: [String]
    private let names: [[StyleName]]

    init(_ model: DemoModel, like other: ScreenPicture? = nil) {
        self.init(model.view(), model.main.theme, like: other)
    }

    init(_ grid: Grid, _ theme: Theme, like other: ScreenPicture? = nil) {
        let namer = StyleNamer(theme)
        texts = (0..<grid.size.rows).map { String(grid.text(row: $0).reversed().drop { $0 == " " }.reversed()) }
        var all: [[StyleName]] = []
        for row in 0..<grid.size.rows {
            let wanted = other?.names[row]
            var (names, last): ([StyleName], (style: Style, wanted: StyleName?, name: StyleName)?) = ([], nil)
            for (column, cell) in grid.row(row).enumerated() {
                let preferred = wanted?[column]
                if let last, last.style == cell.style, last.wanted == preferred {
                    names.append(last.name)
                    continue
                }
                let name = namer.name(of: cell.style, preferring: preferred)
                last = (cell.style, preferred, name)
                names.append(name)
            }
            all.append(names)
        }
        names = all
        styles = all.map(Self.runs)
    }

    private static func runs(_ names: [StyleName]) -> String {
        var runs: [(name: StyleName, count: Int)] = []
        for name in names {
            if runs.last?.name == name { runs[runs.count - 1].count += 1 } else { runs.append((name, 1)) }
        }
        return runs.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
    }
}

/// The name of a style.
enum StyleName: Hashable, CustomStringConvertible {
    case role(String)
    case swatch(RGBColor)
    case other(Style)

    var description: String {
        switch self {
        case .role(let name): name
        case .swatch(let color): "\(color)"
        case .other(let style): style.mark
        }
    }
}

private struct StyleNamer {
    let theme: Theme
    let roles: [(name: String, style: Style)]

    init(_ theme: Theme) {
        self.theme = theme
        roles = theme.roles
    }

    func name(of style: Style, preferring wanted: StyleName?) -> StyleName {
        if let wanted, self.style(of: wanted) == style { return wanted }
        if let role = roles.first(where: { $0.style == style }) { return .role(role.name) }
        if case .direct(let color) = style.background, self.style(of: .swatch(color)) == style { return .swatch(color) }
        return .other(style)
    }

    private func style(of name: StyleName) -> Style? {
        switch name {
        case .role(let name): roles.first { $0.name == name }?.style
        case .swatch(let color): theme.style(of: .swatch(color))
        case .other(let style): style
        }
    }
}

extension Theme {
    /// All styles by their names.
    var roles: [(name: String, style: Style)] {
        [
            ("page", page), ("dimmed", dimmed), ("inverse", inverse), ("error", error), ("panel", style(of: .plain)),
            ("panel.dimmed", style(of: .dimmed)), ("panel.title", style(of: .title)),
            ("panel.accent", style(of: .accent)), ("panel.error", style(of: .error)),
            ("panel.selected", style(of: .selected)),
            ("panel.found", style(of: .found)), ("panel.selectedFound", style(of: .selectedFound)),
            ("panel.field", style(of: .field)), ("border", style(of: .border)),
            ("border.title", style(of: .border).emphasized),
        ]
    }
}

extension Style {
    var mark: String { "\(foreground.mark) on \(background.mark)\(attributes.marks)" }
}

extension TerminalColor {
    fileprivate var mark: String {
        switch self {
        case .standard: "standard"
        case .indexed(let index): "\(index)"
        case .direct(let rgb): "\(rgb)"
        }
    }
}

extension Style.Attributes {
    fileprivate var marks: String {
        let known: [(Style.Attributes, String)] = [
            (.bold, " bold"), (.underline, " underlined"), (.reverse, " reversed"),
        ]
        return known.filter { contains($0.0) }.map(\.1).joined()
    }
}
