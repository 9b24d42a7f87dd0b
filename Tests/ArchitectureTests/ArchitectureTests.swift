// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What the sources promise together, and the compiler does not check.
struct ArchitectureTests {
    private static let project = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../..").standardized

    /// The paths of all files below a folder of the project.
    private static func paths(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: project.appending(path: folder).path)
            .filter { !$0.contains(".build") }.map { "\(folder)/\($0)" }
    }

    private static func text(of path: String) -> String? {
        try? String(contentsOf: project.appending(path: path), encoding: .utf8)
    }

    /// The modules that each module imports, on any platform.
    private static func imports() throws -> [String: Set<String>] {
        let line = /^\s*(?:@\w+\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:[a-z]+\s+)?(\w+)/
            .anchorsMatchLineEndings()
        var imports: [String: Set<String>] = [:]
        for path in try paths(in: "Sources") where path.hasSuffix(".swift") && !path.contains(".docc/") {
            let module = String(path.split(separator: "/")[1])
            guard let source = text(of: path) else { continue }
            imports[module, default: []].formUnion(source.matches(of: line).map { String($0.1) })
        }
        return imports
    }

    /// A single import of the whole of Foundation would link ICU and its data into the program: three times its size.
    @Test
    func whatLiveryStandsOnNeedsNoMoreOfFoundationThanItsEssentials() throws {
        let imports = try Self.imports()
        var (program, next): (Set<String>, [String]) = ([], ["LiveryApp"])
        while let module = next.popLast() {
            if program.insert(module).inserted { next += imports[module] ?? [] }
        }
        #expect(program.isSuperset(of: ["ConfigDefinitions", "Files", "HTTPTransport", "TerminalUI"]))
        let users = program.filter { imports[$0, default: []].contains("Foundation") }
        // On macOS, where it is part of the system, the whole of it is all that there is.
        #expect(users == ["Essentials"])
    }

    @Test
    func everySourceNamesItsLicence() throws {
        let licence = " SPDX-License-Identifier: Apache-2.0"
        var count = 0
        for folder in [".ci", "Benchmarks", "Examples", "Fuzzing", "Packaging", "Scripts", "Sources", "Tests"] {
            for path in try Self.paths(in: folder) {
                // A manifest must begin with the version of its tools.
                guard let text = Self.text(of: path), !text.hasPrefix("// swift-tools-version") else { continue }
                if [".c", ".h", ".swift"].contains(where: path.hasSuffix) {
                    #expect(text.hasPrefix("//\(licence)\n\n"), "\(path)")
                } else if text.hasPrefix("#!") || [".js", ".py", ".sh"].contains(where: path.hasSuffix) {
                    let head = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false).prefix(2)
                    #expect(head.contains { $0.hasSuffix(licence) }, "\(path)")
                } else {
                    continue
                }
                count += 1
            }
        }
        #expect(count > 1000)
    }
}
