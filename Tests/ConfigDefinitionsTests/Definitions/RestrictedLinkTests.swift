import Foundation
import TestSupport
import Testing

/// A link that is restricted to certain types is so at compile time: each snippet is given to the compiler.
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

    /// What the compiler says of a snippet: its errors, or nothing.
    private func errors(in snippet: String) async throws -> String {
        let folder = try TemporaryDirectory()
        let file = try folder.write(Self.prelude + snippet + "\n", to: "snippet.swift")
        let products = URL(filePath: try builtProduct(named: "livery")).resolvingSymlinksInPath()
            .deletingLastPathComponent()
        let checkouts = products.appending(path: "../../checkouts").standardized
        // The module of C that the reader's module names in its interface.
        let map = checkouts.appending(path: "swift-system/Sources/CSystem/include/module.modulemap")
        let arguments = [
            "-typecheck", "-swift-version", "6", "-module-cache-path", folder.path(to: "cache"),
            "-I", products.appending(path: "Modules").path, "-Xcc", "-fmodule-map-file=\(map.path)", file,
        ]
        let output = try await onDedicatedThread { try Command("swiftc", arguments).run(deadline: .seconds(100)) }
        let messages = output.standardOutput + output.standardError
        return messages.split(separator: "\n").filter { $0.contains("error:") }.joined(separator: "\n")
    }

    @Test(arguments: [
        "let a = margins.stored(key: \"m\")",
        "let a = margins.tweak(category: \"A\", section: \"B\", name: \"C\", editor: .text)",
        "let a = opaque.stored(key: \"m\", as: .init(typeName: \"o\", encode: { .integer($0.left) }, decode: { _ in nil }))",
        "let a = optional.remote(\"a\").environment(\"a\").stored(key: \"a\").tweak(category: \"A\", section: \"B\", name: \"C\")",
        "let a = ConfigDefinition(\"c\", default: [RGBColor]()).remote(\"c\")",
    ])
    func aTypeThatALinkCanGiveIsTaken(_ snippet: String) async throws {
        #expect(try await errors(in: snippet) == "")
    }

    @Test(arguments: [
        ("let a = margins.remote(\"m\")", "requires that 'Margins' conform to 'ReaderValue'"),
        ("let a = margins.environment(\"m\")", "requires that 'Margins' conform to 'ReaderValue'"),
        (
            "let a = ConfigDefinition(\"a\", default: [margins.defaultValue]).remote(\"a\")",
            "conform to 'ReaderElement'"
        ),
        ("let a = margins.tweak(category: \"A\", section: \"B\", name: \"C\")", "'Tweakable'"),
        ("let a = opaque.stored(key: \"o\")", "requires that 'Opaque' conform to 'ConfigStorable'"),
        ("let a = margins.static(1)", "cannot convert value of type 'Int'"),
        // Which of the two it is meant to be, nobody has to guess.
        ("let a = optional.dynamic { .none }", "ambiguous use of 'none'"),
    ])
    func aTypeThatALinkCannotGiveIsRefused(_ snippet: String, _ reason: String) async throws {
        let errors = try await errors(in: snippet)
        #expect(errors.contains(reason), "the compiler said: \(errors)")
    }
}
