// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The pages that people read: README, documentation, and what stands beside them.
struct PageTests {
    private static let project = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../..").standardized

    private static let pages: [String] = {
        let folders = ["", "Documentation/", "Packaging/", "Benchmarks/", "Tests/ConfigRulesTests/Reference/"]
        return folders.flatMap { folder in
            let path = project.appending(path: folder).path
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            return names.filter { $0.hasSuffix(".md") }.map { folder + $0 }
        }
    }()

    @Test(arguments: pages)
    func everyLinkToAnotherPlaceOfTheProjectLeadsThere(page: String) throws {
        let file = Self.project.appending(path: page)
        for link in try Self.links(of: file) where !link.contains("://") {
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let target = parts[0].isEmpty ? file : file.deletingLastPathComponent().appending(path: parts[0])
            #expect(FileManager.default.fileExists(atPath: target.standardized.path), "\(page): \(link)")
            guard parts.count == 2 else { continue }
            #expect(try Self.anchors(of: target.standardized).contains(parts[1]), "\(page): \(link)")
        }
    }

    @Test func thePagesThatAreCheckedAreThere() {
        #expect(Set(Self.pages).isSuperset(of: ["README.md", "Documentation/Server.md", "Packaging/README.md"]))
    }

    /// The lines of a page outside its examples.
    private static func prose(of file: URL) throws -> [Substring] {
        var isExample = false
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { line in
            if line.hasPrefix("```") { isExample.toggle() }
            return !isExample
        }
    }

    private static func links(of file: URL) throws -> [String] {
        try prose(of: file).flatMap { $0.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) } }
    }

    /// The names by which a page's headings are linked to: in lower case, without punctuation, with hyphens for spaces.
    private static func anchors(of file: URL) throws -> Set<String> {
        let headings = try prose(of: file).filter { $0.hasPrefix("#") }
        return Set(
            headings.map { heading in
                let text = heading.drop { $0 == "#" }.dropFirst().lowercased()
                return text.filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" || $0 == " " }
                    .replacing(" ", with: "-")
            }
        )
    }
}
