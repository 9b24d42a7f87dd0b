// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The document that keeps the last results between two markers.
struct ResultsFile {
    let path: String

    /// The project's own, given that the project's root is the current folder.
    static let project = ResultsFile(path: "Benchmarks/README.md")

    private static let start = "<!-- results: start -->\n"
    private static let end = "<!-- results: end -->"

    /// A document without the markers.
    struct MissingMarkers: Error, CustomStringConvertible {
        let path: String

        var description: String { "\(path) has no lines \(start.dropLast()) and \(end) to put the results between." }
    }

    func replace(with results: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let updated = try Self.replacing(in: text, with: results, path: path)
        try Data(updated.utf8).write(to: URL(filePath: path), options: .atomic)
    }

    private static func replacing(in text: String, with results: String, path: String) throws -> String {
        guard let opening = text.firstRange(of: start)?.upperBound,
            let closing = text[opening...].firstRange(of: end)?.lowerBound
        else { throw MissingMarkers(path: path) }
        return text[..<opening] + "\n" + results + "\n\n" + text[closing...]
    }
}
