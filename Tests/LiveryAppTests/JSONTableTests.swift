// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Testing

@testable import LiveryApp

/// The table of JSON in `Documentation/Commands.md`, compared with the help of each command.
struct JSONTableTests {
    private static func page() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        return try String(contentsOf: root.appending(path: "Documentation/Commands.md"), encoding: .utf8)
    }

    /// The shapes of the table by the commands that it names, such as `rule show`; `livery` for the program itself.
    private static func table() throws -> [String: [String]] {
        let rows =
            try page().components(separatedBy: "\n| command | JSON |\n|---|---|\n").dropFirst().joined()
            .components(separatedBy: "\n\n").first?.split(separator: "\n") ?? []
        var table: [String: [String]] = [:]
        for row in rows {
            let cells = row.split(separator: "|", maxSplits: 1)
            for command in cells[0].split(separator: "`").filter({ $0.contains(/[a-z]/) }) {
                let name = command.split(separator: " --")[0]
                #expect(table[String(name)] == nil, "\(name) stands there twice")
                table[String(name)] = shapes(in: cells[1])
            }
        }
        return table
    }

    /// The objects in a text, whole, with what stands between their braces.
    private static func shapes(in text: some StringProtocol) -> [String] {
        var (shapes, shape, depth): ([String], String, Int) = ([], "", 0)
        for character in text {
            if character == "{" { depth += 1 }
            if depth > 0 { shape.append(character) }
            guard character == "}" else { continue }
            depth -= 1
            if depth == 0 {
                shapes.append(shape)
                shape = ""
            }
        }
        return shapes
    }

    /// The JSON shapes in a command's help, in the notation of the table.
    private static func shapes(ofHelp discussion: String) -> [String] {
        guard let start = discussion.firstRange(of: "As JSON") else { return [] }
        let paragraph = discussion[start.lowerBound...].components(separatedBy: "\n\n")[0]
        return shapes(in: paragraph).map { shape in
            [": …", ", …", ": null"].reduce(shape) { $0.replacing($1, with: "") }
        }
    }

    private static func all(_ command: any ParsableCommand.Type, named name: String) -> [String: [String]] {
        let own = [name: shapes(ofHelp: command.configuration.discussion)]
        return command.configuration.subcommands.reduce(into: own) { all, child in
            let childName = child.configuration.commandName ?? "\(child)"
            all.merge(Self.all(child, named: name == "livery" ? childName : "\(name) \(childName)")) { $1 }
        }
    }

    @Test func theTableMatchesTheHelpOfEachCommand() throws {
        let table = try Self.table()
        let help = Self.all(Livery.self, named: "livery").filter { !$0.value.isEmpty }
        #expect(help.count > 20)
        #expect(table.keys.sorted() == help.keys.sorted())
        for (command, shapes) in help { #expect(table[command] == shapes, "\(command)") }
    }
}
