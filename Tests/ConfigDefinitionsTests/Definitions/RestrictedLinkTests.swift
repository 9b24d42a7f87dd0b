// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A link that is restricted to certain types is so at compile time: lines of code are given to the compiler.
@Suite(.timeLimit(.minutes(10)))
struct RestrictedLinkTests {
    private static let prelude = """
        import ConfigDefinitions
        import ConfigModel
        struct Margins: Codable, Equatable, Sendable, ConfigStorable { var left = 0 }
        struct Opaque: Equatable, Sendable { var left = 0 }
        let margins = ConfigDefinition("margins", default: Margins())
        let opaque = ConfigDefinition("opaque", default: Opaque())
        let optional = ConfigDefinition("optional", default: Int?.none)

        """

    /// What the compiler says of lines of code, by the line.
    private func errors(in lines: [String]) async throws -> [Int: String] {
        let folder = try TemporaryDirectory()
        let file = try folder.write(Self.prelude + lines.joined(separator: "\n") + "\n", to: "snippet.swift")
        let products = URL(filePath: try builtProduct(named: "livery")).resolvingSymlinksInPath()
            .deletingLastPathComponent()
        // The modules of C that the modules below name.
        let maps = [
            "../../checkouts/swift-system/Sources/CSystem/include/module.modulemap",
            "../../../Sources/CFileSystem/module.modulemap",
        ].map { "-fmodule-map-file=\(products.appending(path: $0).standardized.path)" }
        let arguments =
            [
                "-typecheck", "-swift-version", "6", "-module-cache-path", folder.path(to: "cache"),
                "-I", products.appending(path: "Modules").path, file,
            ] + maps.flatMap { ["-Xcc", $0] }
        let output = try await onDedicatedThread { try Command("swiftc", arguments).run(deadline: .seconds(200)) }
        return Self.errors(of: file, in: output.standardOutput + output.standardError)
    }

    /// The errors of a file, each line `path:line:column: error: message`. Those of no line are under −1, and lines count from 0.
    private static func errors(of file: String, in messages: String) -> [Int: String] {
        let first = prelude.split(separator: "\n", omittingEmptySubsequences: false).count
        var errors: [Int: String] = [:]
        for message in messages.split(separator: "\n") where message.contains("error:") {
            let place = message.hasPrefix(file) ? message.dropFirst(file.count + 1).prefix { $0 != ":" } : ""
            errors[Int(place).map { $0 - first } ?? -1, default: ""] += message
        }
        return errors
    }

    @Test func aTypeThatALinkCanGiveIsTaken() async throws {
        let lines = [
            #"let a = margins.stored(key: "m")"#,
            #"let b = margins.tweak(category: "A", section: "B", name: "C", editor: .text)"#,
            #"let c = opaque.stored(key: "m", as: ValueConverter(typeName: "o") { .integer($0.left) } decode: { _ in nil })"#,
            #"let d = optional.remote("a").environment("a").stored(key: "a").tweak(category: "A", section: "B", name: "C")"#,
            #"let e = ConfigDefinition("c", default: [RGBColor]()).remote("c")"#,
            #"let f = ConfigDefinition("f", default: 0.5).limited(to: 0...1).limited(to: 0...)"#,
            #"let g = optional.limited(by: .unlessNil(.range(0...9)))"#,
            #"let h = ConfigDefinition("h", default: ["a"]).limited(toCount: ...8).limited(by: .elements(.length(1...)))"#,
        ]
        #expect(try await errors(in: lines) == [:])
    }

    @Test func aTypeThatALinkCannotGiveIsRefused() async throws {
        let refused = [
            (#"let a = margins.remote("m")"#, "requires that 'Margins' conform to 'ReaderValue'"),
            (#"let b = margins.environment("m")"#, "requires that 'Margins' conform to 'ReaderValue'"),
            (#"let c = ConfigDefinition("c", default: [Margins()]).remote("c")"#, "conform to 'ReaderValue'"),
            (#"let d = margins.tweak(category: "A", section: "B", name: "C")"#, "'Tweakable'"),
            (#"let e = opaque.stored(key: "o")"#, "requires that 'Opaque' conform to 'ConfigStorable'"),
            (#"let f = margins.static(1)"#, "cannot convert value of type 'Int'"),
            // Which of the two it is meant to be, nobody has to guess.
            (#"let g = optional.dynamic { .none }"#, "ambiguous use of 'none'"),
            (#"let h = margins.limited(to: 0...1)"#, "requires that 'Margins' conform to 'LimitedNumber'"),
            (#"let i = ConfigDefinition("i", default: 1).limited(toLength: 1...)"#, "'String'"),
            (#"let j = ConfigDefinition("j", default: "a").limited(toCount: 1...)"#, "error"),
            (#"let k = opaque.oneOf([Opaque()])"#, "requires that 'Opaque' conform to 'ConfigStorable'"),
        ]
        let errors = try await errors(in: refused.map(\.0))
        for (index, (line, reason)) in refused.enumerated() {
            let said = errors[index] ?? "nothing"
            #expect(said.contains(reason), "of \(line) the compiler said: \(said)")
        }
    }
}
