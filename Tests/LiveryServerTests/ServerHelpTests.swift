// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
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
}
