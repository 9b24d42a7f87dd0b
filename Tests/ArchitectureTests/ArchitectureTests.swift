// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Promises of the sources that the compiler does not check.
struct ArchitectureTests {
    /// The modules that each module imports, on any platform.
    private static func imports() throws -> [String: Set<String>] {
        let line = /^\s*(?:@\w+\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:[a-z]+\s+)?(\w+)/
            .anchorsMatchLineEndings()
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources").standardized
            .resolvingSymlinksInPath()
        var imports: [String: Set<String>] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path)
        where path.hasSuffix(".swift") && !path.contains(".docc/") {
            let source = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
            let module = String(path.prefix { $0 != "/" })
            imports[module, default: []].formUnion(source.matches(of: line).map { String($0.1) })
        }
        return imports
    }

    /// A single import of the whole of Foundation would link ICU and its data into the program: three times its size.
    @Test
    func modulesOfLiveryImportOnlyFoundationEssentials() throws {
        let imports = try Self.imports()
        var (program, next): (Set<String>, [String]) = ([], ["LiveryApp"])
        while let module = next.popLast() {
            if program.insert(module).inserted { next += imports[module] ?? [] }
        }
        #expect(program.isSuperset(of: ["ConfigDefinitions", "Files", "HTTPTransport", "TerminalUI"]))
        let users = program.filter { imports[$0, default: []].contains("Foundation") }
        // On macOS, where it is part of the system, only the whole of it exists; the second one is for phones.
        #expect(users == ["Essentials", "URLSessionTransport"])
    }

    /// The manifest takes `CurlTransport` out of the client on other platforms than Linux and macOS.
    @Test(arguments: ["ConfigDefinitions", "RemoteConfig"])
    func phonesReachNeitherLibcurlNorATerminal(product: String) throws {
        let imports = try Self.imports()
        var (modules, next): (Set<String>, [String]) = ([], [product])
        while let module = next.popLast() {
            if module != "CurlTransport", modules.insert(module).inserted { next += imports[module] ?? [] }
        }
        #expect(modules.isSuperset(of: ["ConfigModel", "Files"]))
        #expect(modules.isDisjoint(with: ["CCurl", "CNCurses", "TerminalUI"]))
    }

    /// Each of them could be taken into another project as it is.
    @Test
    func kitsImportNoneOfTheOtherModules() throws {
        let kits = [
            "Basics", "CLibrary", "CurlTransport", "Essentials", "Files", "HTTPTransport", "Observing", "Programs",
            "TerminalUI", "TextPatterns", "URLSessionTransport",
        ]
        let imports = try Self.imports()
        let others = Set(imports.keys).subtracting(kits)
        #expect(others.contains("ConfigModel"))
        for kit in kits { #expect(try #require(imports[kit]).isDisjoint(with: others)) }
    }
}
