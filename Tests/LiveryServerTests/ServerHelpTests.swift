// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Programs
import Testing

@testable import LiveryServer

struct ServerHelpTests {
    private static func all(_ command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap(all)
    }

    @Test func helpFitsEightyColumns() {
        let commands = Self.all(LiveryServerCommand.self)
        let names = commands.map { $0.configuration.commandName ?? "\($0)".lowercased() }
        #expect(Set(names).isSuperset(of: ["serve", "create", "list", "rotate", "revoke", "backup", "restore"]))
        for command in commands {
            let help = LiveryServerCommand.helpMessage(for: command, columns: 80)
                .split(separator: "\n", omittingEmptySubsequences: false)
            for line in help { #expect(line.count <= 80, "\(command): \(line)") }
            let lines = Set(help.map(String.init))
            for line in command.configuration.discussion.split(separator: "\n") where line.hasPrefix("  ") {
                #expect(lines.contains(String(line)), "\(command) breaks: \(line)")
            }
        }
    }

    @Test(arguments: [
        (["tokn", "list"], "Unknown command 'tokn'; did you mean 'token'?"),
        (["bakcup", "f"], "Unknown command 'bakcup'; did you mean 'backup'?"),
        (["token", "rotat", "x"], "did you mean 'rotate'?"), (["help", "retsore"], "did you mean 'restore'?"),
        (["x"], "'livery-server --help' lists the commands."),
    ])
    func unknownCommandsAreReported(arguments: [String], message: String) throws {
        let error = #expect(throws: ValidationError.self) { try Main.program.checkCommand(arguments) }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        let isToken = arguments[0] == "token"
        let errors = Ending(try #require(error), of: Main.program, arguments).errors
        #expect(errors.contains("\nUsage: livery-server \(isToken ? "token <subcommand>" : "[serve]")"), "\(errors)")
    }

    @Test(arguments: [[], ["--store", "x"], ["serve", "--store", "x"], ["--help"], ["help", "token", "list"]])
    func otherCommandLinesAreLeftToTheParser(arguments: [String]) throws {
        try Main.program.checkCommand(arguments)
    }
}
