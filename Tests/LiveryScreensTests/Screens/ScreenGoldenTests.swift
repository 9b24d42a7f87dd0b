// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import TerminalUI
import Testing

@testable import LiveryScreens

/// Every screen, cell by cell, as it was looked at and found right: at three sizes, on three backgrounds, in true
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
                let lines = ["# \(columns)×\(rows), \(request)"] + Self.gathered(desk.model.lines.map { "|" + $0 })
                parts.append(lines.map { $0 + "\n" }.joined())
            }
        }
        try Golden.check(parts.joined(separator: "\n"), "unanswered")
    }

    @Test func noFileIsLeftOver() throws {
        let names = CatalogScreen.all.map(\.name) + ["theme", "unanswered"]
        #expect(Set(names).count == names.count)
        #expect(try Golden.files().sorted() == names.map { $0 + ".txt" }.sorted())
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
        var lines = ["# \(size), \(looks[0].name)"] + gathered(first.texts.map { "|" + $0 }) + gathered(first.styles)
        var others: [(rows: [String], names: [String])] = []
        for (name, look) in looks.dropFirst() {
            let picture = ScreenPicture(look.applied(to: model), like: first)
            let rows =
                gathered(picture.texts.map { "|" + $0 }, but: first.texts.map { "|" + $0 })
                + gathered(picture.styles, but: first.styles)
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

    /// The rows with their numbers, without the expected ones; equal neighbours are merged.
    private static func gathered(_ rows: [String], but expected: [String]? = nil) -> [String] {
        var groups: [(first: Int, last: Int, text: String)] = []
        for (index, text) in rows.enumerated() where expected?[index] != text {
            if let last = groups.last, last.last == index - 1, last.text == text {
                groups[groups.count - 1].last = index
            } else {
                groups.append((index, index, text))
            }
        }
        return groups.map { group in
            let numbers = group.first == group.last ? "\(group.first)" : "\(group.first)-\(group.last)"
            return numbers.padded(toColumns: 5) + " " + group.text
        }
    }
}

/// Files that a test compares with.
private enum Golden {
    private static let folder =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path + "/Goldens"
    private static var isRecording: Bool { ProcessInfo.processInfo.environment["LIVERY_RECORD_GOLDENS"] == "1" }

    static func check(_ text: String, _ name: String) throws {
        let url = URL(filePath: "\(folder)/\(name).txt")
        if isRecording { try Data(text.utf8).write(to: url) }
        let expected = String(decoding: (try? Data(contentsOf: url)) ?? Data(), as: UTF8.self)
        let isSame = text == expected
        #expect(isSame, "\(name) differs:\n\(difference(from: expected, to: text))")
    }

    static func files() throws -> [String] {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        let known = Set(CatalogScreen.all.map { $0.name + ".txt" } + ["theme.txt", "unanswered.txt"])
        guard isRecording else { return files }
        for file in files where !known.contains(file) {
            try FileManager.default.removeItem(atPath: "\(folder)/\(file)")
        }
        return Array(known)
    }

    /// The lines that differ, as `diff` shows them, below the heading that they belong to.
    private static func difference(from old: String, to new: String) -> String {
        let (old, new) = (old.split(separator: "\n"), new.split(separator: "\n"))
        let changes = new.difference(from: old)
        let heading = { (lines: [Substring], index: Int) in lines[...index].last { $0.hasPrefix("#") } ?? "" }
        let lines = changes.map { change in
            switch change {
            case .remove(let index, let line, _): "- \(line)   \(heading(old, index))"
            case .insert(let index, let line, _): "+ \(line)   \(heading(new, index))"
            }
        }
        return (lines.prefix(24) + (lines.count > 24 ? ["… and \(lines.count - 24) more"] : [])).joined(separator: "\n")
    }
}
