// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI
import Testing

@testable import LiveryScreens

/// Every screen, cell by cell, as it was reviewed: at three sizes, on three backgrounds, in true
/// colour, 256, 16 and no colours.
///
/// With `LIVERY_RECORD_GOLDENS=1` in the environment the files are recorded again; check the difference then.
@MainActor
struct ScreenGoldenTests {
    @Test(arguments: CatalogScreen.all)
    func everyScreenLooksAsItDid(screen: CatalogScreen) throws {
        let parts = try Self.sizes.map { size in
            Self.part(of: try screen.model(columns: size.columns, rows: size.rows), "\(size.columns)×\(size.rows)")
        }
        try Golden.check(parts.joined(separator: "\n"), screen.name)
    }

    /// The meaning of the style names.
    @Test func everyThemeIsAsItWas() throws {
        let model = try Demo.model()
        let parts = Self.looks.map { name, look in
            let roles = look.theme(of: look.applied(to: model)).roles.map { "\($0.name): \($0.style.mark)" }
            return (["# \(name)"] + roles).map { $0 + "\n" }.joined()
        }
        try Golden.check(parts.joined(separator: "\n"), "theme")
    }

    /// The screens while a server does not answer.
    @Test func everyRequestLooksAsItDid() async throws {
        var parts: [String] = []
        for (request, keys) in UnansweredRequestTests.ways {
            for (columns, rows) in [(40, 10), (80, 24)] {
                let desk = try await UnansweredRequestTests.desk(after: keys, columns: columns, rows: rows)
                let lines = ["# \(columns)×\(rows), \(request)"] + Golden.rows(desk.model.lines.map { "|" + $0 })
                parts.append(lines.map { $0 + "\n" }.joined())
            }
        }
        try Golden.check(parts.joined(separator: "\n"), "unanswered")
    }

    @Test func noFileIsLeftOver() throws {
        #expect(Set(Golden.names).count == Golden.names.count)
        #expect(try Golden.files().sorted() == Golden.names.map { $0 + ".txt" }.sorted())
    }
}

extension ScreenGoldenTests {
    private static let sizes = [(columns: 40, rows: 12), (columns: 80, rows: 24), (columns: 160, rows: 50)]

    /// The first is the one whose names the others use.
    private static let looks: [(name: String, look: CatalogLook)] = {
        let depths: [(String, ColorDepth)] = [
            ("true colour", .direct), ("256", .indexed256), ("16", .ansi16), ("no colours", .monochrome),
        ]
        let grounds: [(String, UInt32)] = [("light", 0xFFB6C1), ("middle", 0x5F87AF), ("dark", 0x1E1E2E)]
        return depths.flatMap { depthName, depth in
            grounds.map { name, number in
                ("\(depthName), \(name)", CatalogLook(depth: depth, background: RGBColor(number)))
            }
        }
    }()

    /// A screen of one size: in full in the first look, and of the others the rows that differ.
    private static func part(of model: DemoModel, _ size: String) -> String {
        let first = ScreenPicture(looks[0].look.applied(to: model))
        let texts = first.texts.map { "|" + $0 }
        var lines = ["# \(size), \(looks[0].name)"] + Golden.rows(texts) + Golden.rows(first.styles)
        var others: [(rows: [String], names: [String])] = []
        for (name, look) in looks.dropFirst() {
            let picture = ScreenPicture(look.applied(to: model), like: first)
            let rows =
                Golden.rows(picture.texts.map { "|" + $0 }, but: texts)
                + Golden.rows(picture.styles, but: first.styles)
            if let same = others.firstIndex(where: { $0.rows == rows }) {
                others[same].names.append(name)
            } else {
                others.append((rows, [name]))
            }
        }
        for (rows, names) in others where !rows.isEmpty {
            lines += ["# \(size), \(names.joined(separator: "; "))"] + rows
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
