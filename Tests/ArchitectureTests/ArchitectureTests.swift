// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What the README says of the structure, and the compiler does not check.
struct ArchitectureTests {
    private static let sources = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../../Sources").standardized

    private static let modules = (try? FileManager.default.contentsOfDirectory(atPath: sources.path)) ?? []

    /// The Swift files below a module, by their paths in it, without what its documentation shows.
    /// All of them, which are read once.
    private static let files = Result {
        Dictionary(uniqueKeysWithValues: try modules.map { ($0, try read($0)) })
    }

    private static func files(of module: String) throws -> [String: SourceText] {
        try files.get()[module] ?? [:]
    }

    private static func read(_ module: String) throws -> [String: SourceText] {
        let folder = sources.appending(path: module)
        var files: [String: SourceText] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        where path.hasSuffix(".swift") && !path.contains(".docc/") {
            files[path] = SourceText(try String(contentsOf: folder.appending(path: path), encoding: .utf8))
        }
        return files
    }

    /// The folder directly below the module; `nil` for a file of the module itself, which may use every folder.
    private static func folder(of path: String) -> String? {
        let parts = path.split(separator: "/")
        return parts.count > 1 ? String(parts[0]) : nil
    }

    @Test(arguments: modules)
    func foldersOfAModuleUseEachOtherInOneDirection(module: String) throws {
        let files = try Self.files(of: module)
        var homes: [String: String] = [:]
        for (path, text) in files {
            for type in text.declared { homes[type] = Self.folder(of: path) }
        }
        var uses: [String: [String: Set<String>]] = [:]
        for (path, text) in files {
            guard let user = Self.folder(of: path) else { continue }
            for type in text.mentioned {
                if let used = homes[type], used != user { uses[user, default: [:]][used, default: []].insert(type) }
            }
        }
        let graph = uses.mapValues { Set($0.keys) }
        for folder in graph.keys.sorted() {
            let circle = graph[folder, default: []].filter { graph.reach(from: $0).contains(folder) }.sorted()
            let types = circle.map { "\($0) (\(uses[folder]?[$0]?.sorted().joined(separator: ", ") ?? ""))" }
            #expect(circle.isEmpty, "\(module)/\(folder) uses \(types.joined(separator: ", ")), which uses it too")
        }
    }

    /// A single import of the whole of Foundation would link ICU and its data into the program: three times its size.
    @Test
    func whatLiveryStandsOnNeedsNoMoreOfFoundationThanItsEssentials() throws {
        let imports = try Dictionary(
            uniqueKeysWithValues: Self.modules.map { module in
                (module, Set(try Self.files(of: module).values.flatMap(\.imported)))
            }
        )
        let program = imports.reach(from: "LiveryApp").intersection(Self.modules)
        #expect(program.isSuperset(of: ["ConfigDefinitions", "Files", "HTTPTransport", "TerminalUI"]))
        let users = program.filter { imports[$0, default: []].contains("Foundation") }
        // On macOS, where it is part of the system, the whole of it is all that there is.
        #expect(users == ["Essentials"])
    }

    @Test
    func everySourceNamesItsLicence() throws {
        let project = Self.sources.deletingLastPathComponent()
        var count = 0
        for folder in [".ci", "Benchmarks", "Examples", "Fuzzing", "Packaging", "Scripts", "Sources", "Tests"] {
            for path in try FileManager.default.subpathsOfDirectory(atPath: project.appending(path: folder).path)
            where !path.contains(".build") {
                let file = project.appending(path: "\(folder)/\(path)")
                guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
                // A manifest must begin with the version of its tools.
                guard !text.hasPrefix("// swift-tools-version") else { continue }
                if [".c", ".h", ".swift"].contains(where: path.hasSuffix) {
                    #expect(text.hasPrefix(SourceText.licence), "\(folder)/\(path)")
                } else if text.hasPrefix("#!") || [".js", ".py", ".sh"].contains(where: path.hasSuffix) {
                    let head = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false).prefix(2)
                    #expect(head.contains { $0.hasSuffix(" SPDX-License-Identifier: Apache-2.0") }, "\(folder)/\(path)")
                } else {
                    continue
                }
                count += 1
            }
        }
        #expect(count > 1000)
    }
}

extension [String: Set<String>] {
    /// Whatever can be reached from a node, itself included.
    fileprivate func reach(from node: String) -> Set<String> {
        var (reached, next): (Set<String>, [String]) = ([node], [node])
        while let node = next.popLast() {
            for other in self[node, default: []] where reached.insert(other).inserted { next.append(other) }
        }
        return reached
    }
}
