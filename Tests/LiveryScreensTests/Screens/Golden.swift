// SPDX-License-Identifier: Apache-2.0

import Foundation
import TerminalUI
import Testing

@testable import LiveryScreens

/// Files that a test compares with.
enum Golden {
    /// The names of all files.
    static let names =
        CatalogScreen.all.map(\.name) + CatalogPanel.all.map(\.goldenName) + ["theme", "unanswered"]

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
        let known = Set(names.map { $0 + ".txt" })
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

extension Golden {
    /// The rows with their numbers, without the expected ones; equal neighbours are merged.
    static func rows(_ rows: [String], but expected: [String]? = nil) -> [String] {
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
