// SPDX-License-Identifier: Apache-2.0

import TerminalUI
import Testing

@testable import LiveryScreens

/// Every panel as it was reviewed: at five sizes, in 256, 8 and no colours.
///
/// A file has the rows at each size in 256 colours, and of the other depths the rows with another text. The styles are recorded
/// at one size, and those of the other depths where they differ. The files are recorded as those of `ScreenGoldenTests`.
@MainActor
struct PanelGoldenTests {
    nonisolated private static let sizes = [(30, 8), (40, 10), (80, 24), (120, 40), (200, 60)].map { columns, rows in
        Size(columns: columns, rows: rows)
    }
    nonisolated private static let sizeOfStyles = Size(columns: 80, rows: 24)
    nonisolated private static let depths: [ColorDepth] = [.indexed256, .ansi8, .monochrome]

    @Test(arguments: CatalogPanel.all)
    func everyPanelLooksAsItDid(panel: CatalogPanel) async throws {
        var lines: [String] = []
        for size in Self.sizes {
            var first: ScreenPicture?
            for depth in Self.depths {
                let (grid, theme) = try await panel.frame(size, depth)
                #expect(grid.size == size && grid.faults == [], "\(size), \(depth)")
                #expect(grid.colors.allSatisfy { $0.isShown(at: depth) }, "\(size), \(depth): \(grid.colors)")
                let picture = ScreenPicture(grid, theme, like: first)
                var rows = Golden.rows(picture.rows, but: first?.rows)
                if size == Self.sizeOfStyles { rows += Golden.rows(picture.styles, but: first?.styles) }
                if !rows.isEmpty { lines += ["# \(size.columns)×\(size.rows), \(depth.summary)"] + rows }
                first = first ?? picture
            }
        }
        try Golden.check(lines.map { $0 + "\n" }.joined(), panel.goldenName)
    }
}

extension ScreenPicture {
    /// The texts with a mark where each begins.
    fileprivate var rows: [String] { texts.map { "|" + $0 } }
}

extension Grid {
    /// The colours of all cells.
    fileprivate var colors: Set<TerminalColor> {
        (0..<size.rows).reduce(into: []) { colors, row in
            for cell in self.row(row) { colors.formUnion([cell.style.foreground, cell.style.background]) }
        }
    }
}

extension TerminalColor {
    /// Whether a terminal with a number of colours has this one.
    fileprivate func isShown(at depth: ColorDepth) -> Bool {
        switch self {
        case .standard: true
        case .indexed(let index): index < depth.rawValue
        case .direct: depth == .direct
        }
    }
}
