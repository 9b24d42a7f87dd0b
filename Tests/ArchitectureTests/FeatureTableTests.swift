// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The table of features in `Documentation/Library.md` names the tests that show them.
struct FeatureTableTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

    /// The names in the last column, without the parts of a row that are words.
    private static func namedTests() throws -> [String] {
        let page = try String(contentsOf: root.appending(path: "Documentation/Library.md"), encoding: .utf8)
        let table = page.split(separator: "\n").drop { $0 != "## Features compared" }.filter { $0.hasPrefix("| ") }
        return table.flatMap { row in
            let cells = row.split(separator: "|")
            let names = (cells.last ?? "").split(separator: "`", omittingEmptySubsequences: false)
            return names.indices.filter { !$0.isMultiple(of: 2) }.map { String(names[$0]) }
        }
    }

    /// All that is written in files of tests.
    private static func tests() throws -> Data {
        let folder = root.appending(path: "Tests")
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix("Tests.swift") || $0.contains("Tests+") }
            .reduce(into: Data()) { $0 += try Data(contentsOf: folder.appending(path: $1)) }
    }

    @Test func everyTestThatTheTableNamesIsThere() throws {
        let (named, tests) = (try Self.namedTests(), try Self.tests())
        #expect(named.count > 50)
        #expect(named.filter { tests.range(of: Data("func \($0)(".utf8)) == nil } == [])
    }
}
