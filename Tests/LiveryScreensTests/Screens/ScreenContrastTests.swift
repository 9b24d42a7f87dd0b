// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI
import Testing

@testable import LiveryScreens

/// Whether everything that is written on any screen can be read: WCAG 2.2 requires 4.5:1.
@MainActor
struct ScreenContrastTests {
    nonisolated private static let depths: [ColorDepth] = [.direct, .indexed256, .ansi16]

    /// Light, middle, dark, saturated, grey.
    nonisolated private static let backgrounds: [UInt32] = [
        0xFFFFFF, 0xFFB6C1, 0x87CEFA, 0xE5E5E5, 0xFFFFE0, 0x808080, 0x757575, 0x767676, 0x5F87AF, 0xB8860B, 0x228B22,
        0x000000, 0x1E1E2E, 0x002B36, 0x202020, 0x4B0082, 0xFF0000, 0x00FF00, 0x0000FF, 0xFFFF00, 0xFF00FF, 0x00FFFF,
    ]

    @Test(arguments: CatalogScreen.all, [Size(columns: 80, rows: 24), Size(columns: 40, rows: 12)])
    func everyTextCanBeRead(screen: CatalogScreen, size: Size) throws {
        let model = try screen.model(columns: size.columns, rows: size.rows)
        let numbers = size.columns == 80 ? Self.backgrounds : Array(Self.backgrounds.prefix(4))
        for depth in Self.depths {
            for number in numbers {
                let look = CatalogLook(depth: depth, background: RGBColor(number))
                #expect(look.applied(to: model).view().unreadable == [], "\(depth), \(look.background)")
            }
        }
    }

    /// Screens that between them have every style but the editors' own.
    nonisolated private static let few = CatalogScreen.all.filter { screen in
        ["main", "inspector", "help", "tweaks-rows"].contains(screen.name)
    }

    @Test(arguments: few, depths)
    func everyTextCanBeReadOnAnyBackground(screen: CatalogScreen, depth: ColorDepth) throws {
        let model = try screen.model(columns: 80, rows: 24)
        let levels = [0, 85, 170, 255] as [UInt8]
        for (red, green) in levels.flatMap({ red in levels.map { (red, $0) } }) {
            for blue in levels {
                let look = CatalogLook(depth: depth, background: RGBColor(red: red, green: green, blue: blue))
                #expect(look.applied(to: model).view().unreadable == [], "\(look.background)")
            }
        }
    }
}

extension Grid {
    /// The styles of text that has too little contrast, with a cell of each.
    var unreadable: [String] {
        var found: [String] = []
        var known: Set<Style> = []
        var last: Style?
        for row in 0..<size.rows {
            for cell in self.row(row) where cell.style != last {
                // A full block is paint, such as a swatch, and not text.
                guard let cluster = cell.cluster, cluster != " ", cluster != "█" else { continue }
                last = cell.style
                guard known.insert(cell.style).inserted else { continue }
                let (text, ground) = (cell.style.rgbOfText, cell.style.background.seen)
                let contrast = text.contrast(with: ground)
                if contrast < 4.5 { found.append("“\(cluster)” in row \(row): \(text) on \(ground), \(contrast)") }
            }
        }
        return found
    }
}

extension Style {
    /// The displayed colour of text. Many terminals brighten the first eight colours when they are bold.
    fileprivate var rgbOfText: RGBColor {
        guard attributes.contains(.bold), case .indexed(let index) = foreground, index < 8 else {
            return foreground.seen
        }
        return TerminalColor.indexed(index + 8).seen
    }
}

extension TerminalColor {
    /// The assumed palette of the terminal.
    private static let assumed = Dictionary(
        (Palette.ansi16.entries + Palette.fixed240.entries).map { ($0.index, $0.color) },
        uniquingKeysWith: { first, _ in first }
    )

    /// The displayed colour, by the assumed palette of the terminal.
    fileprivate var seen: RGBColor {
        switch self {
        case .direct(let rgb): rgb
        case .indexed(let index): Self.assumed[index] ?? RGBColor(0)
        case .standard: RGBColor(0)
        }
    }
}
