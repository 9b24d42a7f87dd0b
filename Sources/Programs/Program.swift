package import ArgumentParser

/// The command line of a program with commands.
package struct Program: Sendable {
    /// The command that the others belong to.
    package let root: any ParsableCommand.Type
    /// The prefix of its messages.
    package let prefix: String
    /// Hints for options that people confuse with others, by the name of the option.
    package let hints: [String: String]

    /// Describes a program.
    package init(_ root: any ParsableCommand.Type, prefix: String = "Error: ", hints: [String: String] = [:]) {
        self.root = root
        self.prefix = prefix
        self.hints = hints
    }

    /// The width of the help: its manual layout needs it, and no terminal has less by default.
    static let columns = 80

    /// A command and its full name, such as `livery set`.
    struct Command {
        let name: String
        let type: any ParsableCommand.Type

        /// The commands below it.
        var subcommands: [Command] {
            type.configuration.subcommands.map { Command(name: "\(name) \($0._commandName)", type: $0) }
        }

        /// The command below it with this name.
        func subcommand(_ word: String?) -> Command? { subcommands.first { $0.type._commandName == word } }
    }

    /// All commands, the program itself first.
    var commands: [Command] {
        func all(_ command: Command) -> [Command] { [command] + command.subcommands.flatMap(all) }
        return all(Command(name: root._commandName, type: root))
    }

    /// The command that a command line names, or else the default command.
    func command(of arguments: [String]) -> Command {
        var command = Command(name: root._commandName, type: root)
        var words = arguments[...]
        while let next = command.subcommand(words.first) {
            command = next
            words.removeFirst()
        }
        return command.subcommand(command.type.configuration.defaultSubcommand?._commandName) ?? command
    }

    /// The lines that say how a command is used.
    func usage(of command: any ParsableCommand.Type) -> String {
        let usage = root.usageString(for: command).replacing("\n", with: "\n       ")
        let name = commands.first { $0.type == command }?.name ?? root._commandName
        return "Usage: \(usage)\n  See '\(name) --help' for more information."
    }

    /// Checks a command line before the parser does.
    ///
    /// - Throws: a `ValidationError` for the help of an unknown command; the parser would show the program's.
    package func checkHelpTopic(_ arguments: [String]) throws(ValidationError) {
        guard arguments.first == "help" else { return }
        var command = Command(name: root._commandName, type: root)
        for name in arguments.dropFirst() where !name.hasPrefix("-") {
            guard let next = command.subcommand(name) else {
                let list = "'\(root._commandName) --help' lists the commands"
                throw ValidationError("There is no command '\(name)'; \(list).")
            }
            command = next
        }
    }
}
